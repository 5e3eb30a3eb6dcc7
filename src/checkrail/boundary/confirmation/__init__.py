"""Asking a person: what is shown, and the ways to show it; `confirm.py` beside this package binds the answer."""
