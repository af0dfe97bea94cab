"""Failures of calls."""


class ToolError(Exception):
    """A call failed: `type` is one word, `retryable` says whether the same call may succeed later."""

    def __init__(self, type, message, retryable=False, details=None):
        super().__init__(f"{type}: {message}")
        self.type = type
        self.message = message
        self.retryable = retryable
        self.details = details if details is not None else {}

    def __reduce__(self):
        return ToolError, (self.type, self.message, self.retryable, self.details)

    def as_dict(self):
        return {
            "type": self.type,
            "message": self.message,
            "retryable": self.retryable,
            "details": self.details,
        }

    @classmethod
    def of(cls, error):
        return cls(
            error.get("type", "ToolFailed"),
            error.get("message", ""),
            bool(error.get("retryable", False)),
            error.get("details") or {},
        )
