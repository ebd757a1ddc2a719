/** Tests what a hook of Claude Code loads: nothing of this room, and no more rooms than before. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { imports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  imports: Record<string, string>;
};

/** Modules that are loaded with a file, by its import statements; what is imported on demand is not. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file) || !file.endsWith(".ts")) return seen;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  for (const [, target = ""] of source.matchAll(
    /^(?:import|export)\s(?!type\b)[^;]*?from "([^"]+)";/gm,
  )) {
    const path = target.startsWith("#") ? imports[target] : join(dirname(file), target);
    if (path !== undefined && existsSync(path)) loadedWith(join(path), seen);
  }
  return seen;
}

const partOf = (path: string): string => path.split("/").slice(1, -1).join("/");

test("the hook path has no module of the agents, and no other room than these", () => {
  const parts = new Set([...loadedWith("src/main.ts")].map(partOf));
  expect([...parts].toSorted()).toEqual(["", "domain", "hooks", "hooks/guard", "kit"]);
});
