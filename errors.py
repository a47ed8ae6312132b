"""The errors that benchwright raises on purpose. The command line prints their one line, exits with `exit_code`.

BenchwrightError            70  our own fault when nothing below fits
├── UsageError               2  a wrong call, a bad configuration
│   ├── RowsError            2  rows of files that cannot be used; `findings` names each
│   └── InputError           2  a file that cannot be used; names file and place
│       └── StoryError       2  a story that failed while it was played; the place is the play that led there
├── RefusedError             1  a gate refused, or findings
├── StoppedError             3  stopped with work left: budget, provider, signal, full disk
│   ├── BudgetError          3  the next call could overrun the budget
│   └── ProviderError        3  a model's provider gave no reply
└── IsolationError          70  a role reached for what it may not see
"""


class BenchwrightError(Exception):
    """Base of all of ours. The message is one line that says what came, what is allowed, what to do next."""

    exit_code = 70


class UsageError(BenchwrightError):
    """The call or the configuration is wrong."""

    exit_code = 2


class RowsError(UsageError):
    """Rows of files cannot be used, and nothing of the files was taken; `findings` has a line for each."""

    def __init__(self, message: str, findings: tuple[str, ...]) -> None:
        self.findings = findings
        super().__init__(message)


class InputError(UsageError):
    """A file cannot be used. `place` is a line number, a JSON pointer, or a state of the story."""

    def __init__(self, path: object, problem: str, place: object = None) -> None:
        self.path, self.place, self.problem = path, place, problem
        where = f"{path}:{place}" if place not in (None, "") else f"{path}"
        super().__init__(f"{where}: {problem}")


class StoryError(InputError):
    """A story crashed, hung or broke its own rules while it was played; its runtime can be used again."""


class RefusedError(BenchwrightError):
    """A gate refused; `findings` are the lines behind the message."""

    exit_code = 1

    def __init__(self, message: str, findings: tuple[str, ...] = ()) -> None:
        self.findings = findings
        super().__init__(message)


class StoppedError(BenchwrightError):
    """Stopped with work left; the same command goes on from here."""

    exit_code = 3


class BudgetError(StoppedError):
    """The next call of a model could overrun the budget."""


class ProviderError(StoppedError):
    """No reply could be had from a model's provider."""

    def __init__(
        self,
        message: str,
        *,
        passing: bool = True,
        charged: bool = True,
        crowded: bool = False,
        everywhere: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.passing = passing
        """Asking again soon may help."""
        self.charged = charged
        """The provider may have charged for it."""
        self.crowded = crowded
        """It had too much to do: fewer calls at once may help."""
        self.everywhere = everywhere
        """Every other request to this model would fail alike: a key, an address, a name is wrong."""
        self.wait = wait
        """Seconds that the provider asks to wait before the next call."""


class IsolationError(BenchwrightError):
    """A role asked for something outside its classes."""
