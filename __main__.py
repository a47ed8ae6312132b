"""`python -m benchwright`."""


def main() -> None:
    """Run the command line."""
    from .cli.main import run

    run()


if __name__ == "__main__":
    main()
