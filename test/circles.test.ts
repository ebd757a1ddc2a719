/**
 * No file of the program leads back to itself by its imports. Imports of types count, which a linter leaves out: what needs
 * another's types cannot be understood, moved or tested without it.
 */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

const isTest = (path: string): boolean => /\.test\.tsx?$/u.test(path);

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** The file that a specifier leads to; null = a package, or a file that is no source. */
function fileOf(
  from: string,
  target: string,
  doors: Readonly<Record<string, string>>,
): string | null {
  const door = doors[target];
  if (door !== undefined) return normalize(door);
  if (!target.startsWith(".")) return null;
  const path = join(from, "..", target);
  return isFile(path) && /\.tsx?$/u.test(path) ? path : null;
}

async function graphOf(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { imports } = (await Bun.file("package.json").json()) as {
    imports: Record<string, string>;
  };
  const graph = new Map<string, readonly string[]>();
  for await (const name of new Glob("**/*.{ts,tsx}").scan(folder)) {
    const path = join(folder, name);
    if (isTest(path)) continue;
    const source = await Bun.file(path).text();
    const targets = [...source.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/gu)];
    graph.set(
      path,
      targets.flatMap(([, target = ""]) => fileOf(path, target, imports) ?? []),
    );
  }
  return graph;
}

/** Sets of files that all lead to one another: the strongly connected parts of more than one file (Tarjan, 1972). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: (readonly string[])[] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.size - 1);
    stack.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(path) !== index.get(path)) return;
    const part = stack.splice(stack.indexOf(path));
    if (part.length > 1) circles.push(part.toSorted());
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return circles;
}

test("no file leads back to itself", async () => {
  const graph = await graphOf("src");
  expect(graph.size).toBeGreaterThan(100); // A checker that reads nothing passes everything.
  expect(circlesIn(graph)).toEqual([]);
});

test("a circle is found", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["a", "d"]],
    ["d", []],
  ]);
  expect(circlesIn(graph)).toEqual([["a", "b", "c"]]);
});
