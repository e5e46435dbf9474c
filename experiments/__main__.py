"""`python -m experiments`: the same as the command `evogarden`."""

from experiments.cli import main

if __name__ == "__main__":
    main()
