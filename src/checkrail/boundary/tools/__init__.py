"""What a tool is: a typed function read into a frozen manifest, its bounds, its failures, and the lock file."""
