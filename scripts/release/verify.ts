/** Starts each released program: on this machine, in a root with musl, or under qemu; or says why it could not. */
import { copyFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { enter, glibcArm64Root, muslRoot, qemuArm64 } from "./emulation.ts";
import { checkStart, startHere, type Starter } from "./start.ts";
import type { ReleaseTarget } from "./targets.ts";

export type Verdict =
  | { readonly type: "started"; readonly how: string }
  | { readonly type: "not-run"; readonly why: string }
  | { readonly type: "failed"; readonly why: string };

interface Program {
  readonly target: ReleaseTarget;
  /** Path of the program. */
  readonly program: string;
}

/** `cache` is a folder for what has to be loaded first. */
export async function verify(built: Program, version: string, cache: string): Promise<Verdict> {
  const way = await wayTo(built, cache).catch((error: unknown) => messageOf(error));
  if (typeof way === "string") return { type: "not-run", why: way };
  return checkStart(way.starter, version).then(
    () => ({ type: "started", how: way.how }),
    (error: unknown) => ({ type: "failed", why: messageOf(error) }),
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "unknown");

interface Way {
  readonly starter: Starter;
  readonly how: string;
}

/** How it can be started here, or why it cannot. */
async function wayTo({ target, program }: Program, cache: string): Promise<Way | string> {
  const os = process.platform === "win32" ? "windows" : process.platform;
  if (target.os !== os) return `needs ${nameOf(target)}`;
  if (target.os === "linux") return wayOnLinux(target, program, cache);
  return target.arch === process.arch || target.os === "darwin"
    ? { starter: startHere(program), how: "here" } // An arm64 Mac translates x64.
    : `needs ${nameOf(target)}`;
}

const nameOf = ({ os, arch }: ReleaseTarget): string =>
  `${{ linux: "Linux", darwin: "macOS", windows: "Windows" }[os]} on ${arch}`;

async function wayOnLinux(
  target: ReleaseTarget,
  program: string,
  cache: string,
): Promise<Way | string> {
  if (target.arch === process.arch) {
    if (target.libc === "glibc") return { starter: startHere(program), how: "here" };
    if (process.getuid?.() !== 0) return "a root with musl can only be entered by root";
    return { starter: inRoot(await muslRoot(cache, "amd64"), program), how: "in a root with musl" };
  }
  if (process.arch !== "x64") return `needs ${nameOf(target)}`;
  const qemu = await qemuArm64(cache);
  const root =
    target.libc === "musl" ? await muslRoot(cache, "arm64") : await glibcArm64Root(cache);
  const { folder, seenAs } = startHere(program);
  return {
    starter: { command: [qemu, "-L", root, program], folder, seenAs },
    how: `under qemu, with ${target.libc}`,
  };
}

/** A folder inside the root holds program and home. */
function inRoot(root: string, program: string): Starter {
  mkdirSync(join(root, "tmp"), { recursive: true });
  const folder = mkdtempSync(join(root, "tmp", "continuity-start-"));
  copyFileSync(program, join(folder, "continuity"));
  const seenAs = folder.slice(root.length);
  return { command: [...enter(root), `${seenAs}/continuity`], folder, seenAs };
}
