"""The process in which a tool runs: both ends of its frames, what it gives up, how it is ended."""
