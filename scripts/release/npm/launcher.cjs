#!/usr/bin/env node
"use strict";
/*
 * Starts the program of this machine's platform package, as npm, pnpm, yarn and bun install it beside this one.
 * Hooks never come through here: `continuity install` gives them the program itself.
 */
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const program = process.platform === "win32" ? "continuity.exe" : "continuity";

/** Names of this machine's packages, the likelier first: package managers that ignore `libc` install two on Linux. */
function packages() {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const name = `@continuity/${os}-${process.arch}`;
  if (os !== "linux") return [name];
  const isGlibc = process.report?.getReport().header.glibcVersionRuntime !== undefined;
  return isGlibc ? [name] : [`${name}-musl`];
}

function find() {
  for (const name of packages()) {
    try {
      return require.resolve(`${name}/${program}`);
    } catch {
      // Not installed.
    }
  }
  return null;
}

const path = find();
if (path === null) {
  const machine = `${process.platform} ${process.arch}`;
  console.error(
    `error: ${packages().join(" or ")}, the program for ${machine}, is not installed\n` +
      "  next: install again without --omit=optional. There are programs for Linux (x64 and arm64), macOS and Windows x64",
  );
  process.exit(1);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals)
  process.on(signal, () => {
    // A terminal sends SIGINT to both; the others come to this process alone.
    if (signal !== "SIGINT") child.kill(signal);
  });
child.on("error", (error) => {
  console.error(`error: ${path} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});
