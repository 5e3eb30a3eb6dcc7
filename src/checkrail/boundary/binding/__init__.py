"""Binding a value to the place in a document that it was taken from: the parts of `spans.py`."""
