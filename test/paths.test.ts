/** The three paths in ARCHITECTURE.md are the code's: each file imports the next. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join, normalize } from "node:path";

const { imports: doors } = (await Bun.file("package.json").json()) as {
  imports: Readonly<Record<string, string>>;
};

/** Statements of a file that import or re-export names from a file or a door. */
async function statementsOf(
  file: string,
): Promise<readonly { readonly names: readonly string[]; readonly from: string }[]> {
  const source = await Bun.file(file).text();
  const named = [
    ...source.matchAll(/^(?:import|export)(?: type)? \{([^}]*)\} from "([#.][^"]+)";/gmu),
  ];
  return named.map(([, names = "", from = ""]) => ({
    names: names.split(",").map((name) => (/^(?:type )?(\w+)/u.exec(name.trim()) ?? [])[1] ?? ""),
    from,
  }));
}

/** Files that a file imports, at once or when it runs: through a door, those that the door takes the names from. */
async function importedBy(file: string): Promise<ReadonlySet<string>> {
  const late = (await Bun.file(file).text()).matchAll(/import\("(\.[^"]+)"\)/gu);
  const found = new Set([...late].map(([, from = ""]) => normalize(join(file, "..", from))));
  for (const { names, from } of await statementsOf(file)) {
    const door = doors[from];
    if (door === undefined) found.add(normalize(join(file, "..", from)));
    else
      for (const behind of await statementsOf(door))
        if (behind.names.some((name) => names.includes(name)))
          found.add(normalize(join(door, "..", behind.from)));
  }
  return found;
}

const map = await Bun.file("ARCHITECTURE.md").text();
const [, section = ""] = map.split("\n## Three paths\n");
const [paths = ""] = section.split("\n## ");
const steps = [...paths.matchAll(/`(src\/[^`]+)` → (?=`(src\/[^`]+)`)/gu)].map(
  ([, from = "", to = ""]) => [from, to] as const,
);

test("the map names three paths", () => {
  expect(paths.match(/^\*\*/gmu)).toHaveLength(3);
  expect(steps.length).toBeGreaterThan(20);
});

test.each(steps)("%s imports %s", async (from, to) => {
  expect(existsSync(to)).toBe(true);
  expect([...(await importedBy(from))]).toContain(to);
});
