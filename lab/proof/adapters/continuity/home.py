"""A home of Continuity for one run of a benchmark: installed, lived through by hooks, waited for, and removed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

CONFIG = json.loads(Path(__file__).with_name("config.frozen.json").read_text(encoding="utf-8"))
PROGRAM_ENV = str(CONFIG["program_env"])

#: Variables that name the agent or the user's own memory never reach the program.
_OWN = ("CONTINUITY_", "CLAUDE")
_STOP_SECONDS = 5.0


def program() -> str:
    """The built program, or the one that the npm package installs."""
    path = os.environ.get(PROGRAM_ENV) or shutil.which("continuity")
    if path is None:
        raise RuntimeError(f"no continuity in PATH: set {PROGRAM_ENV} to the built program")
    return str(Path(path).resolve())


class Home:
    """Everything is below one folder: a HOME, and the program's data in it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.data = self.root / ".continuity"
        self.program = program()

    def variables(self, config_dir: Path | None = None) -> dict[str, str]:
        """What an agent needs in its environment to use this memory and no other."""
        return {
            "HOME": str(self.root),
            "CONTINUITY_HOME": str(self.data),
            "CONTINUITY_PORT": "0",
            "CLAUDE_CONFIG_DIR": str(config_dir or self.root / ".claude"),
        }

    def run(self, args: Sequence[str], *, more: Mapping[str, str] | None = None, **given: Any) -> str:
        """Runs the program as the user would, outside of any agent."""
        clean = {key: value for key, value in os.environ.items() if not key.startswith(_OWN)}
        config_dir = given.pop("config_dir", None)
        cwd = given.pop("cwd", self.root)
        done = subprocess.run(
            [self.program, *args],
            env={**clean, **self.variables(config_dir), **(more or {})},
            cwd=cwd,
            input=given.pop("input", ""),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"continuity {' '.join(args)} ended with {done.returncode}: {done.stderr[-800:]}")
        return done.stdout

    def install(self, config_dir: Path | None = None) -> None:
        """Writes the hooks and the MCP server without a question."""
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        llm = str(CONFIG["llm"])
        key = os.environ.get("ANTHROPIC_API_KEY")
        if llm == "anthropic" and key:
            keys = self.data / "keys"
            keys.mkdir(exist_ok=True, mode=0o700)
            with open(os.open(keys / "anthropic", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
                file.write(key)
        self.run(["install", "--llm", llm, "--json"], config_dir=config_dir)

    def flush(self) -> None:
        """Waits until all that was captured has been processed; fails when something is left."""
        self.run(["flush", "--timeout", f"{CONFIG['flush_seconds']}s"])

    def play(self, name: str, events: Iterable[Mapping[str, Any]], cwd: Path) -> None:
        """Lives through one session by its hooks: each event is a line of a transcript, in order."""
        session = {
            "session_id": str(uuid.uuid5(uuid.NAMESPACE_URL, name)),
            "transcript_path": str(self.root / "none" / f"{uuid.uuid5(uuid.NAMESPACE_URL, name)}.jsonl"),
            "cwd": str(cwd),
        }
        agent = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}
        now: dict[str, str] = {}

        def hook(verb: str, event: str, **fields: Any) -> None:
            payload = json.dumps({**session, "hook_event_name": event, **fields})
            self.run(["hook", verb], more={**agent, **now}, cwd=cwd, input=payload)

        has_started = False
        answer: str | None = None

        def end_turn() -> None:
            nonlocal answer
            if answer is not None:
                hook("stop", "Stop", stop_hook_active=False, last_assistant_message=answer)
            answer = None

        for event in events:
            at = _epoch_ms(event.get("ts"))
            if at is not None:
                now = {"CONTINUITY_NOW": str(at)}
            if not has_started:
                hook("start", "SessionStart", source="startup")
                has_started = True
            tool = event.get("tool_name")
            if event.get("role") == "user" and not tool:
                end_turn()
                hook("submit", "UserPromptSubmit", permission_mode="default", prompt=event["content"])
                answer = ""
            elif tool:
                hook("tool", "PostToolUse", tool_name=tool, **_called(event))
            else:
                answer = str(event.get("content") or "") or answer
        end_turn()
        if has_started:
            hook("end", "SessionEnd", reason="prompt_input_exit")
        self.flush()

    def adopt(self, old: Path, new: Path) -> None:
        """Gives what is known of one folder to another, as after a move: benches work in fresh folders."""
        self.run(["project", "move", str(old), str(new), "--json"], cwd=new)

    def stop(self) -> None:
        """Ends the daemon of this home and no other process."""
        holder, served = _read(self.data / "daemon.lock"), _read(self.data / "daemon.json")
        if holder is None or Path(holder["home"]).resolve() != self.data:
            return
        _end(int(holder["pid"]))
        # A home with a long path has its socket in a folder of its own, among the temporary files.
        socket = Path(served["socket"]) if served else self.data
        if self.data not in socket.parents and socket.parent.name.startswith("continuity-"):
            shutil.rmtree(socket.parent, ignore_errors=True)

    def copy_to(self, other: Home) -> None:
        """Copies what lasts; a stopped daemon's own files stay behind."""
        shutil.rmtree(other.data, ignore_errors=True)
        shutil.copytree(self.data, other.data, ignore=lambda _, names: [n for n in names if n.startswith("daemon.")])

    def remove(self) -> None:
        """Ends the daemon and deletes the home with all that is in it."""
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _end(pid: int) -> None:
    """Asks a process to end, and ends it when it does not."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, sign)
            end = time.monotonic() + _STOP_SECONDS
            while time.monotonic() < end:
                os.kill(pid, 0)
                time.sleep(0.05)
        except ProcessLookupError:
            return


def _called(event: Mapping[str, Any]) -> dict[str, Any]:
    given = event.get("tool_input")
    try:
        given = json.loads(given) if isinstance(given, str) else given
    except ValueError:
        given = {"input": given}
    printed = str(event.get("tool_result") or "")
    return {
        "tool_input": given if isinstance(given, dict) else {},
        "tool_response": {"stdout": printed, "stderr": "", "interrupted": False, "isImage": False},
        "tool_use_id": f"toolu_{uuid.uuid4().hex[:16]}",
    }


def _epoch_ms(ts: Any) -> int | None:
    if isinstance(ts, (int, float)):
        return int(ts * 1000)
    return int(datetime.fromisoformat(ts.replace("Z", "+00:00")).timestamp() * 1000) if ts else None
