"""Client for Caisson, a server that runs programs of AI agents in sandboxes."""

from .client import Caisson, Execution, Session, Thread
from .errors import (
    ApiError,
    CaissonError,
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    RunFailed,
    ServerFault,
    Unauthorized,
    Unavailable,
    Unreachable,
)
from .files import Files
from .models import Event, File, FileEvent, Finished, Output, Result, Started

__all__ = [
    "ApiError",
    "Caisson",
    "CaissonError",
    "Conflict",
    "Event",
    "Execution",
    "File",
    "FileEvent",
    "Files",
    "Finished",
    "Forbidden",
    "InvalidRequest",
    "NotFound",
    "Output",
    "Result",
    "RunFailed",
    "ServerFault",
    "Session",
    "Started",
    "Thread",
    "Unauthorized",
    "Unavailable",
    "Unreachable",
]
