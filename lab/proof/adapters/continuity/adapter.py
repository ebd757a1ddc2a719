"""Continuity as an arm of agent-memory-bench, by its own `install`: hooks and one MCP server, nothing added.

Copy this folder to `adapters/continuity` of a clone and register the arm in its `scripts/pilot.py`:

- `ARMS` and `MEMORY_ARMS` name "continuity";
- `adapter_for` gives `ContinuityAdapter(staging, static, instruction=texts.get("continuity") or None)`;
- it is ingested with the arms that ingest themselves, and takes the steps of a cell that `claude_mem` takes: a
  namespace of its own (`isolate_cell_namespaces`), `prepare_for_session`, `read_hook_ledger`, `cleanup_after_session`;
- `remove` ends it for each namespace.

`BENCH_CONTINUITY` is the program; `config.frozen.json` names the model that refines memories.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from harness.adapters.base import (
    ArmSpec,
    CorpusManifest,
    IngestReport,
    MemoryAdapter,
    digest_tree,
    resolve_corpus_path,
)
from harness.gate import AdmissionSignal

from .home import CONFIG, Home, program

TOOL_PREFIX = "mcp__continuity__"
_HOOK = Path(__file__).with_name("hook.py")


class ContinuityAdapter(MemoryAdapter):
    name = "continuity"

    def __init__(
        self, staging_root: str | Path, base_prompt_file: str | Path, *, instruction: str | None = None
    ) -> None:
        self.staging_root = Path(staging_root).resolve()
        self.base_prompt_file = Path(base_prompt_file)
        #: The bench's own words for all memory arms; Continuity brings none.
        self.instruction = instruction

    def home(self, namespace: str) -> Home:
        return Home(self.staging_root / namespace / "continuity-home")

    @property
    def _earlier(self) -> Path:
        """The folder in which the recorded sessions take place; one for all, as the corpus is one project."""
        return self.staging_root / "continuity-corpus"

    def ingest(self, corpus: CorpusManifest, namespace: str) -> IngestReport:
        corpus.verify()
        started = time.monotonic()
        home = self.home(namespace)
        home.remove()
        self._earlier.mkdir(parents=True, exist_ok=True)
        home.install()
        feed = [(path, _lines(resolve_corpus_path(corpus.root, path))) for path in corpus.sessions]
        # A memory learns in the order in which things were said.
        for path, events in sorted(feed, key=lambda one: (str(one[1][0].get("ts", "")), one[0])):
            home.play(path, events, self._earlier)
        stored = [line for line in home.run(["list", "--json"]).splitlines() if line.startswith("{")]
        home.stop()
        return IngestReport(
            arm=self.name,
            namespace=namespace,
            sessions_offered=len(corpus.sessions),
            items_stored=len(stored),
            wall_time_ms=(time.monotonic() - started) * 1000,
            local_model="embedded in the program",
            notes=(f"each session by its hooks, then flush; model for refining: {CONFIG['llm']}",),
        )

    def build(self, session_dir: Path, namespace: str) -> ArmSpec:
        home = self.home(namespace)
        if not home.data.is_dir():
            raise RuntimeError(f"nothing was ingested into {namespace!r}")
        config_dir = Path(session_dir).resolve() / "claude-config"
        shutil.rmtree(config_dir, ignore_errors=True)
        config_dir.mkdir(parents=True)
        home.install(config_dir)
        _write_through_ledger(config_dir / "settings.json")
        prompt = config_dir.with_name("prompt.md")
        words = (self.instruction, self.base_prompt_file.read_text(encoding="utf-8"))
        prompt.write_text("\n\n".join(part for part in words if part), encoding="utf-8", newline="\n")
        return ArmSpec(
            arm=self.name,
            bare=False,
            append_system_prompt_file=prompt,
            memory_tool_prefix=TOOL_PREFIX,
            extra_allowed_tools=(TOOL_PREFIX.removesuffix("__"),),
            config_dir=config_dir,
            config_dir_digest=digest_tree(config_dir),
            env={
                **home.variables(config_dir),
                "BENCH_CONTINUITY": home.program,
                "BENCH_HOOK_LEDGER": str(config_dir.with_name("hook-ledger.jsonl")),
                "BENCH_EARLIER_FOLDER": str(self._earlier),
            },
            metadata={"memory": "hooks_and_mcp", "prompt_sha256": _sha256(prompt)},
        )

    def admission_signal(self) -> AdmissionSignal:
        # A prompt for which nothing is known gets nothing: only the start always says something.
        return AdmissionSignal(
            arm=self.name, mcp_tool_prefixes=(TOOL_PREFIX,), required_hooks=("SessionStart",)
        )

    def read_hook_ledger(self, session_id: str | None, config_dir: str | Path) -> tuple[dict[str, Any], ...]:
        path = Path(config_dir).with_name("hook-ledger.jsonl")
        lines = _lines(path) if path.is_file() else []
        return tuple(line for line in lines if session_id in (None, line["session_id"]))

    def snapshot(self, namespace: str) -> str:
        """The store as it is now, as a namespace of its own."""
        kept = f"{namespace}.snapshot"
        self.isolate_cell_namespaces(namespace, (kept,))
        return kept

    def restore(self, snapshot: str) -> None:
        self.isolate_cell_namespaces(snapshot, (snapshot.removesuffix(".snapshot"),))

    def isolate_cell_namespaces(self, source_namespace: str, target_namespaces: tuple[str, ...]) -> None:
        """One copy for each cell: a session that is measured is remembered too, and no other cell may see it."""
        source = self.home(source_namespace)
        source.stop()
        for namespace in target_namespaces:
            target = self.home(namespace)
            target.stop()
            source.copy_to(target)

    def prepare_for_session(self, namespace: str) -> None:
        """The first hook finds a daemon, as it does in use."""
        self.home(namespace).flush()

    def cleanup_after_session(self, namespace: str) -> None:
        home = self.home(namespace)
        home.flush()
        home.stop()

    def remove(self, namespace: str) -> None:
        """Leaves nothing of a namespace behind."""
        self.home(namespace).remove()

    def describe(self) -> dict[str, Any]:
        return {"arm": self.name, **CONFIG, "program_sha256": _sha256(Path(program()))}


def _write_through_ledger(settings: Path) -> None:
    """Puts the ledger's script before each hook; command, order and time limits stay."""
    content = json.loads(settings.read_text(encoding="utf-8"))
    for event, groups in content["hooks"].items():
        for hook in (hook for group in groups for hook in group["hooks"]):
            hook["args"] = [str(_HOOK), event, hook["command"], *hook["args"]]
            hook["command"] = sys.executable
    settings.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _sha256(path: Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
