/** Starts each released program that is for this machine; says of the others which machine they need. */
import { existsSync } from "node:fs";
import { checkStart } from "./start.ts";
import type { ReleaseTarget } from "./targets.ts";

export type Verdict =
  | { readonly type: "started" }
  | { readonly type: "not-run"; readonly why: string }
  | { readonly type: "failed"; readonly why: string };

interface Program {
  readonly target: ReleaseTarget;
  /** Path of the program. */
  readonly program: string;
}

export async function verify({ target, program }: Program, version: string): Promise<Verdict> {
  if (!startsHere(target)) return { type: "not-run", why: `needs ${nameOf(target)}` };
  return checkStart(program, version).then(
    () => ({ type: "started" }),
    (error: unknown) => ({
      type: "failed",
      why: error instanceof Error ? error.message : "unknown",
    }),
  );
}

function startsHere({ os, arch, libc }: ReleaseTarget): boolean {
  if (os !== (process.platform === "win32" ? "windows" : process.platform)) return false;
  if (os === "darwin") return arch === process.arch || process.arch === "arm64"; // Translated there.
  return arch === process.arch && (libc !== "musl") === !existsSync("/etc/alpine-release");
}

const nameOf = ({ os, arch, libc }: ReleaseTarget): string =>
  `${{ linux: "Linux", darwin: "macOS", windows: "Windows" }[os]} on ${arch}${libc === "musl" ? " with musl" : ""}`;
