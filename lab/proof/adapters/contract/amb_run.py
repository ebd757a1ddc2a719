"""One cell of agent-memory-bench with our adapter, as its runner takes it: amb_run.py FOLDER CLAUDE."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from continuity.adapter import ContinuityAdapter  # noqa: E402
from harness.adapters.base import CorpusManifest  # noqa: E402

SESSION = [
    {"role": "user", "content": "Why does the partner drop rows of export.csv?", "ts": "2026-07-01T09:00:00Z"},
    {
        "role": "assistant",
        "content": "",
        "tool_name": "Bash",
        "tool_input": '{"command": "file export.csv"}',
        "tool_result": "export.csv: ASCII text",
        "ts": "2026-07-01T09:00:40Z",
    },
    {"role": "assistant", "content": "The file has LF line ends.", "ts": "2026-07-01T09:01:20Z"},
    {
        "role": "user",
        "content": "Decision: the fulfilment feed requires CRLF record terminators. Each line of export.csv ends so.",
        "ts": "2026-07-01T09:02:40Z",
    },
]


def main() -> None:
    folder, claude = Path(sys.argv[1]), sys.argv[2]
    corpus, sandbox, prompt = folder / "corpus", folder / "work" / "s0", folder / "prompt.md"
    corpus.mkdir(parents=True)
    sandbox.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=sandbox, check=True)
    prompt.write_text("# Project notes\n", encoding="utf-8")
    feed = "".join(json.dumps(line) + "\n" for line in SESSION).encode()
    (corpus / "p01.jsonl").write_bytes(feed)
    manifest = CorpusManifest(corpus, {"p01.jsonl": hashlib.sha256(feed).hexdigest()})

    adapter = ContinuityAdapter(folder / "staging", prompt)
    report = adapter.ingest(manifest, "all")
    adapter.isolate_cell_namespaces("all", ("cell",))
    specs = [adapter.build(folder / "cfg", "cell") for _ in range(2)]
    spec = specs[0]
    adapter.prepare_for_session("cell")
    done = subprocess.run(
        [
            *(claude, "-p", "Write the exporter of export.csv for the fulfilment feed."),
            *("--output-format", "stream-json", "--verbose"),
            *("--allowed-tools", ",".join(("Read", "Write", "Bash", *spec.extra_allowed_tools))),
            *("--append-system-prompt-file", str(spec.append_system_prompt_file)),
            *("--permission-mode", "acceptEdits"),
        ],
        cwd=sandbox,
        env={**os.environ, **spec.env, "CLAUDE_CONFIG_DIR": str(spec.config_dir)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    events = [json.loads(line) for line in done.stdout.splitlines()]
    init = next(event for event in events if event.get("subtype") == "init")
    ledger = adapter.read_hook_ledger(init["session_id"], spec.config_dir)
    adapter.cleanup_after_session("cell")
    kept = adapter.snapshot("all")
    adapter.restore(kept)
    for namespace in ("all", "cell", kept):
        adapter.remove(namespace)
    print(
        json.dumps(
            {
                "exit": done.returncode,
                "stored": report.items_stored,
                "same_digest": specs[0].config_dir_digest == specs[1].config_dir_digest,
                "signal": asdict(adapter.admission_signal()),
                "tools": init["tools"],
                "servers": init["mcp_servers"],
                "ledger": ledger,
                "in_sandbox": sorted(path.name for path in sandbox.iterdir()),
                "homes": [str(path) for path in (folder / "staging").rglob("continuity-home")],
            }
        )
    )


if __name__ == "__main__":
    main()
