#!/usr/bin/env python3
"""Claude Code with Continuity, in the place of the Codex client that remem's harness starts (`--codex-bin`).

The harness hands over a task and a folder. The task's earlier events are lived through by Continuity's hooks in a home
of its own, then Claude Code works with these hooks, and the home is removed. Without BENCH_CONTINUITY it works without
memory: the control with the same agent. BENCH_TASKS names the harness's fixtures/tasks.json.

The harness's sandbox hides the user's home: `claude`, the program and that file lie outside of it, or in ~/.local;
`claude` beside this file, in /usr/local/bin or in /opt/homebrew/bin. It also wants an auth.json
in CODEX_HOME, which may be empty.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from home import PROGRAM_ENV, Home

TOOLS = "Bash,Read,Edit,Write,Grep,Glob,mcp__continuity"


def task_of(prompt: str) -> dict[str, Any]:
    tasks = json.loads(Path(os.environ["BENCH_TASKS"]).read_text(encoding="utf-8"))["tasks"]
    found = [task for task in tasks if prompt.rstrip().endswith(f"Task:\n{task['prompt'].rstrip()}")]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} tasks have this prompt")
    return found[0]


def events_of(episode: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "role": event["role"],
            "content": event["sanitized_content"],
            "tool_name": event["tool_name"],
            "tool_input": event["sanitized_tool_input"],
            "tool_result": event["sanitized_tool_output"],
            "ts": event["timestamp_epoch"],
        }
        for event in episode["raw_events"]
    ]


def remembered(home: Home, task: dict[str, Any], folder: Path) -> None:
    home.install()
    for episode in task["history_episodes"]:
        home.play(f"{task['id']}/{episode['episode_id']}", events_of(episode), folder)


def work(prompt: str, model: str, folder: Path, variables: dict[str, str]) -> int:
    done = subprocess.run(
        [
            *("claude", "-p", prompt, "--model", model, "--output-format", "json"),
            *("--permission-mode", "acceptEdits", "--allowed-tools", TOOLS),
        ],
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=False,
    )
    try:
        result = json.loads(done.stdout)
    except ValueError:
        print(done.stdout, file=sys.stderr)
        return done.returncode or 1
    usage = result.get("usage", {})
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    spent = {"input_tokens": sum(usage.get(name, 0) for name in read), "output_tokens": usage.get("output_tokens", 0)}
    message = {"type": "agent_message", "text": result.get("result", "")}
    print(json.dumps({"type": "item.completed", "item": message}))
    print(json.dumps({"type": "turn.completed", "usage": spent}))
    return done.returncode


def main() -> int:
    args = sys.argv[1:]
    if args == ["--version"]:
        return subprocess.run(["claude", "--version"], check=False).returncode
    options = dict(zip(args, islice(args, 1, None)))
    prompt, model, folder = args[-1], options["--model"], Path(options["--cd"])
    # The harness ends a run that takes too long by a signal: the home goes then too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    home_folder = Path(tempfile.mkdtemp(prefix="continuity-bench-"))
    try:
        if not os.environ.get(PROGRAM_ENV):
            plain = {"HOME": str(home_folder), "CLAUDE_CONFIG_DIR": str(home_folder / ".claude")}
            return work(prompt, model, folder, plain)
        home = Home(home_folder)
        try:
            remembered(home, task_of(prompt), folder)
            return work(prompt, model, folder, home.variables())
        finally:
            home.remove()
    finally:
        shutil.rmtree(home_folder, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
