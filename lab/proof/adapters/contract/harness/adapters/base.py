"""The stand-in for the bench's adapter contract."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..gate import AdmissionSignal


@dataclass(frozen=True)
class CorpusManifest:
    root: Path
    sessions: Mapping[str, str]

    def verify(self) -> None:
        for path, digest in self.sessions.items():
            assert hashlib.sha256((self.root / path).read_bytes()).hexdigest() == digest


@dataclass(frozen=True)
class IngestReport:
    arm: str
    namespace: str
    sessions_offered: int
    items_stored: int | None = None
    wall_time_ms: float | None = None
    local_model: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArmSpec:
    arm: str
    mcp_config: str | None = None
    append_system_prompt_file: str | Path | None = None
    memory_tool_prefix: str | None = None
    extra_allowed_tools: tuple[str, ...] = ()
    config_dir: Path | None = None
    config_dir_digest: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    bare: bool = True
    metadata: Mapping[str, Any] = field(default_factory=dict)


class MemoryAdapter(ABC):
    name: str = ""

    @abstractmethod
    def ingest(self, corpus: CorpusManifest, namespace: str) -> IngestReport: ...

    @abstractmethod
    def build(self, session_dir: Path, namespace: str) -> ArmSpec: ...

    @abstractmethod
    def admission_signal(self) -> AdmissionSignal: ...


def resolve_corpus_path(root: Path, relative_path: str) -> Path:
    return (root / relative_path).resolve()


def digest_tree(root: Path) -> str:
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    parts = [path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() for path in files]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
