"""One call from a proposal to its end: envelopes, states, budgets, and the one gate (`carry.py`)."""
