#!/bin/sh
# The end-to-end check inside an empty root: installs the archive given, lives through two small sessions as hooks see
# them, and looks at what is remembered. Prints one line for each thing seen and stops at the first that is wrong.
#
#   sh in-root.sh ARCHIVE VERSION

set -eu

archive=$1
version=$2
work=/tmp/continuity-check
HOME=$work/home
CONTINUITY_PORT=0
export HOME CONTINUITY_PORT

fail() {
  printf 'not ok: %s\n' "$1" >&2
  exit 1
}

ok() { printf 'ok: %s\n' "$1"; }

# Fails unless the text ($2) holds the words ($3).
holds() {
  case "$2" in
    *"$3"*) ok "$1" ;;
    *) fail "$1: $2" ;;
  esac
}

# Runs a hook with the payload on standard input; a hook exits 0 and complains of nothing.
hook() {
  "$program" hook "$1" 2>"$work/errors" || fail "hook $1 ended with $?"
  [ ! -s "$work/errors" ] || fail "hook $1 complained: $(cat "$work/errors")"
}

payload() {
  printf '{"session_id":"%s","transcript_path":"%s","cwd":"%s","hook_event_name":"%s",%s}' \
    "$session" "$work/$session.jsonl" "$work/harbour" "$1" "$2"
}

rm -rf "$work"
mkdir -p "$HOME" "$work/harbour/.git" "$work/bin"
printf 'ref: refs/heads/main\n' >"$work/harbour/.git/HEAD"
printf '[core]\n' >"$work/harbour/.git/config"
cd "$work/harbour"
trap 'kill "$(sed -n "s/.*\"pid\":\([0-9]*\).*/\1/p" "$HOME/.continuity/daemon.json" 2>/dev/null)" 2>/dev/null || :' EXIT

for runtime in node bun deno; do
  ! command -v "$runtime" >/dev/null || fail "$runtime is here, which proves nothing"
done
ok "no JavaScript runtime is here"

tar -xzf "$archive" -C "$work/bin"
program=$work/bin/continuity
holds "the program starts" "$("$program" version)" "$version"
"$program" install >/dev/null
holds "install names the program in the client's settings" "$(cat "$HOME/.claude/settings.json")" "$program"

session=first
payload SessionStart '"source":"startup"' | hook start >/dev/null
payload UserPromptSubmit '"prompt":"from now on use pnpm here, never npm"' | hook submit >/dev/null
payload PostToolUse '"tool_name":"Bash","tool_use_id":"t-1","tool_input":{"command":"pnpm test"},"tool_response":{"stdout":"1 failed","stderr":""}' | hook tool >/dev/null
payload PostToolUse '"tool_name":"Edit","tool_use_id":"t-2","tool_input":{"file_path":"/tmp/continuity-check/harbour/src/tides.ts","old_string":"a","new_string":"b"},"tool_response":{"success":true}' | hook tool >/dev/null
payload Stop '"stop_hook_active":false,"last_assistant_message":"The root cause was that tides.ts read local time; it reads UTC now and the tests pass."' | hook stop >/dev/null
payload UserPromptSubmit '"prompt":"remember that the staging database listens on port 6432, password: hunter2-Xq93kf"' | hook submit >/dev/null
payload Stop '"stop_hook_active":false,"last_assistant_message":"Noted."' | hook stop >/dev/null
payload SessionEnd '"reason":"exit"' | hook end >/dev/null
"$program" flush || fail "flush ended with $?"

holds "the preference is a memory" "$("$program" list)" "pnpm"
holds "it is found by other words" "$("$program" find 'which package manager')" "pnpm"
holds "the fact is found by other words" "$("$program" find 'port of the staging db')" "6432"
! grep -rqs hunter2-Xq93kf "$HOME/.continuity" || fail "the password is on the disk"
ok "the password is nowhere"
holds "status knows the daemon" "$("$program" status)" "daemon"
holds "the session is listed" "$("$program" sessions --json)" '"first"'

session=second
holds "a new session is told the preference" "$(payload SessionStart '"source":"startup"' | hook start)" "pnpm"
session=third # was not told at its start
holds "a question is answered from memory" "$(payload UserPromptSubmit '"prompt":"which port does the staging database use?"' | hook submit)" "6432"
[ -z "$(payload UserPromptSubmit '"prompt":"thanks, looks good"' | hook submit)" ] || fail "thanks was answered"
ok "thanks gets nothing"

holds "the demonstration ends well" "$("$program" demo)" "Everything came back that should, and nothing else."
"$program" uninstall >/dev/null
[ ! -e "$HOME/.claude/settings.json" ] || fail "uninstall left the settings"
ok "uninstall leaves nothing in the client's settings"
