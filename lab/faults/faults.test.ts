/** A short form of `npm run faults`: a daemon that hangs, and a spool with half an event. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { damages } from "./damage.ts";

const short = damages.filter(({ name }) => /SIGSTOP|spooled event/.test(name));

test.skipIf(process.platform !== "linux").each(short)("$name", async ({ run }) => {
  const template = mkdtempSync(join(tmpdir(), "continuity-faults-"));
  try {
    expect(await run(template)).toBeNull();
  } finally {
    rmSync(template, { recursive: true, force: true });
  }
});
