"""Checking a value against a schema, one function for each keyword; `validate.py` beside this package drives them."""
