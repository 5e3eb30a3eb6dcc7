"""`python -m checkrail`: the command line, where the script `checkrail` is not on the path."""

from .cli import main

if __name__ == "__main__":
    main(prog_name="checkrail")
