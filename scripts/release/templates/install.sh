#!/bin/sh
# Installs Continuity {{version}} for one user: loads the program for this machine, compares its checksum with the one
# below, sees that it starts, and only then puts it in its place. Written by `npm run release`.
#
#   CONTINUITY_INSTALL_DIR   where to; ~/.local/bin without it
#   CONTINUITY_INSTALL_FROM  folder or address that holds the archives; {{base}} without it
#
# POSIX sh; needs tar, gzip, curl or wget, and sha256sum, shasum or openssl. Never asks for root.

set -eu

version='{{version}}'
base="${CONTINUITY_INSTALL_FROM:-{{base}}}"
checksums='{{checksums}}'

main() {
  target=$(target_of_this_machine)
  file="continuity-$version-$target.tar.gz"
  expected=$(printf '%s\n' "$checksums" | awk -v file="$file" '$2 == file { print $1 }')
  [ -n "$expected" ] || fail "there is no release for $target"
  [ -n "${CONTINUITY_INSTALL_DIR:-${HOME:-}}" ] || fail "HOME is not set; set CONTINUITY_INSTALL_DIR"
  folder="${CONTINUITY_INSTALL_DIR:-$HOME/.local/bin}"
  mkdir -p "$folder" 2>/dev/null || fail "$folder cannot be made; set CONTINUITY_INSTALL_DIR to a folder of yours"
  [ -w "$folder" ] || fail "$folder cannot be written; set CONTINUITY_INSTALL_DIR to a folder of yours"
  # In the folder itself, so that the last step is a rename and nobody ever sees half a program.
  work=$(mktemp -d "$folder/.continuity-install.XXXXXX") || fail "$folder has no room for a temporary folder"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM

  say "loading $file"
  load "$base/$file" "$work/$file" || fail "$base/$file cannot be loaded; nothing was changed"
  found=$(sha256_of "$work/$file")
  [ "$found" = "$expected" ] || fail "$file has another checksum than its release ($found); nothing was changed"
  tar -xzf "$work/$file" -C "$work" continuity || fail "$file cannot be unpacked; nothing was changed"
  chmod 755 "$work/continuity"
  started=$("$work/continuity" version 2>&1) || fail "the program does not start here: $started$(hint_for "$target"); nothing was changed"
  [ "$started" = "$version" ] || fail "the program says it is $started; nothing was changed"
  mv -f "$work/continuity" "$folder/continuity" || fail "$folder/continuity cannot be replaced"

  say "installed $folder/continuity, version $version"
  case ":${PATH:-}:" in
    *":$folder:"*) ;;
    *) say "put $folder on your PATH" ;;
  esac
  say "next: continuity install"
}

target_of_this_machine() {
  case "$(uname -m)" in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no release for the processor $(uname -m)" ;;
  esac
  case "$(uname -s)" in
    Linux)
      if is_musl; then echo "linux-$arch-musl"; else echo "linux-$arch"; fi
      ;;
    Darwin)
      # A shell that runs translated sees an Intel machine.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then arch=arm64; fi
      echo "darwin-$arch"
      ;;
    MINGW* | MSYS* | CYGWIN* | Windows_NT) fail "on Windows use the zip file or Scoop: {{base}}" ;;
    *) fail "there is no release for the system $(uname -s)" ;;
  esac
}

# A system may have both libraries (the loader of musl on Debian); then it is glibc's.
is_musl() {
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
    [ ! -e "$loader" ] || return 1
  done
  for loader in /lib/ld-musl-*.so.1; do
    [ ! -e "$loader" ] || return 0
  done
  return 1
}

hint_for() {
  case "$1" in
    *-musl) printf ' (it needs libstdc++: apk add libstdc++)' ;;
  esac
}

load() {
  case "$1" in
    http://* | https://*)
      if command -v curl >/dev/null 2>&1; then
        curl -fsSL --retry 2 -o "$2" "$1"
      elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$2" "$1"
      else
        fail "curl or wget is needed"
      fi
      ;;
    *) cp "${1#file://}" "$2" 2>/dev/null ;;
  esac
}

sha256_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  else
    fail "sha256sum, shasum or openssl is needed"
  fi
}

say() { printf '%s\n' "$1"; }

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# Last, so that a script of which only a part arrived does nothing.
main
