"""Runs one hook of Continuity as the agent would, and writes a line for the ledger: hook.py EVENT PROGRAM ARGS...

At the start of a session the agent's folder, which the bench has just made, first takes over what is known of the
folder in which the earlier sessions took place.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from home import Home

LEDGER_ENV = "BENCH_HOOK_LEDGER"
EARLIER_ENV = "BENCH_EARLIER_FOLDER"


def main() -> int:
    event, command = sys.argv[1], sys.argv[2:]
    given = sys.stdin.buffer.read()
    payload = json.loads(given)
    fault = None
    earlier = os.environ.get(EARLIER_ENV)
    if event == "SessionStart" and earlier:
        try:
            Home(Path(os.environ["HOME"])).adopt(Path(earlier), Path(payload["cwd"]))
        except (OSError, RuntimeError) as error:
            fault = str(error)
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    sys.stdout.buffer.write(done.stdout)
    sys.stderr.buffer.write(done.stderr)
    line = {
        "event": event,
        "session_id": payload.get("session_id"),
        "exit_code": done.returncode,
        "output_sha256": hashlib.sha256(done.stdout).hexdigest() if done.stdout else None,
        "output_bytes": len(done.stdout),
        "hook_error": fault,
    }
    with open(os.environ[LEDGER_ENV], "a", encoding="utf-8") as ledger:
        ledger.write(json.dumps(line) + "\n")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
