"""The stand-in for the bench's admission signal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class AdmissionSignal:
    arm: str
    mcp_tool_prefixes: tuple[str, ...] = ()
    required_hooks: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
