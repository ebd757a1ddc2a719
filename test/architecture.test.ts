/** The import table is the architecture: rooms, doors and directions, checked on the source text. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The whole architecture. A new line, or a new word in one, is a design decision (docs/adr). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  domain: ["kit"],
  config: ["kit", "domain"],
  privacy: ["kit", "domain"],
  embed: ["kit", "domain"],
  language: ["kit", "domain", "embed"],
  memory: ["kit", "domain", "language"],
  models: ["kit", "domain", "language"],
  store: ["kit", "domain"],
  hooks: ["kit", "domain", "privacy", "config"],
  clients: ["kit", "domain", "language", "hooks"],
  daemon: ["kit", "domain", "privacy", "embed", "language", "memory", "models", "hooks", "clients"],
  exchange: ["kit", "domain", "language", "memory", "clients"],
  keep: ["kit", "domain", "memory", "privacy", "store", "hooks", "clients", "daemon"],
  api: ["kit", "domain", "memory", "hooks"],
  mcp: ["kit", "domain", "memory", "api"],
  cli: ["kit", "domain", "api"],
  viewer: ["kit", "domain", "api"],
};

/** The application sees all rooms; no room sees it. */
const roots: Readonly<Record<string, readonly string[]>> = {
  app: Object.keys(mayImport),
  main: ["kit", "domain", "hooks"],
};

/** Inside memory/: what each folder may see of its siblings. */
const insideMemory: Readonly<Record<string, readonly string[]>> = {
  anchors: [],
  tree: [],
  decay: [],
  extraction: ["tree"],
  merge: ["tree", "decay", "exchange", "typed"],
  consolidation: ["merge"],
  notes: ["exchange", "merge"],
  exchange: ["tree", "extraction", "orders"],
  orders: ["tree", "extraction", "exchange"],
  retrieval: ["tree", "decay", "exchange"],
  injection: ["anchors", "decay", "exchange", "retrieval"],
};

/** Folders that stay apart within a room: what one of them may import of the others. */
const insideRooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  api: { client: [], service: [], server: ["service"] },
  models: { llm: [], prompts: [] },
  clients: { agents: ["claude-code"], "claude-code": [] },
  keep: { doctor: [] },
};

/** Doors of which a room may take types only: what a command loads, and what the page is made of. */
const typeOnly: readonly { readonly from: string; readonly door: string }[] = [
  { from: "cli", door: "#api/server" },
  { from: "mcp", door: "#api/server" },
  { from: "viewer", door: "#api/server" },
];

const importsIn = (source: string): string[] =>
  [...source.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, target = ""]) => target);

const isTest = (path: string): boolean => /\.test\.tsx?$|fixtures/.test(path);

test("rooms see only what the map lets them see", async () => {
  const faults: string[] = [];
  let seen = 0;
  for await (const path of new Glob("**/*.{ts,tsx}").scan("src")) {
    if (isTest(path)) continue;
    const [first = "", ...inside] = path.split("/");
    const room = first.replace(/\.ts$/u, "");
    const seesAlso = mayImport[room] ?? roots[room] ?? [];
    for (const target of importsIn(await Bun.file(`src/${path}`).text())) {
      seen += 1;
      const [other = ""] = target.startsWith("#") ? target.slice(1).split("/") : [];
      const isDoor = target.startsWith("#") && other !== room;
      if (isDoor && !seesAlso.includes(other)) faults.push(`${path} → ${target}`);
      if (target.startsWith("#") && other === room) faults.push(`${path} uses its own door`);
      const climbs = inside.length > 0 && target.startsWith("../".repeat(inside.length));
      const isData = /\/models\/|\/package\.json$|^(?:\.\.\/){2,4}plugin\/skills\//u.test(target);
      if (climbs && !isData) faults.push(`${path} climbs out: ${target}`);
    }
  }
  expect(faults).toEqual([]);
  expect(seen).toBeGreaterThan(0); // A checker that reads nothing passes everything.
});

test("the program's first file is the only one in the root", () => {
  const files = readdirSync("src", { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name);
  expect(files).toEqual(["main.ts"]);
});

test("folders of the engine see only the siblings they may", async () => {
  expect(await climbsIn("memory", insideMemory)).toEqual([]);
});

test.each(Object.entries(insideRooms))(
  "folders of %s see only the siblings they may",
  async (room, table) => {
    for (const folder of Object.keys(table)) expect(existsSync(`src/${room}/${folder}`)).toBe(true);
    expect(await climbsIn(room, table)).toEqual([]);
  },
);

/** Imports of a room's folders that the table does not allow. Folders without a row are the room's own business. */
async function climbsIn(
  room: string,
  table: Readonly<Record<string, readonly string[]>>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for await (const path of new Glob("*/**/*.ts").scan(`src/${room}`)) {
    if (isTest(path)) continue;
    const [folder = ""] = path.split("/");
    if (room !== "memory" && !(folder in table)) continue;
    for (const target of importsIn(await Bun.file(`src/${room}/${path}`).text())) {
      const inRoom = join(dirname(path), target);
      const sibling = target.startsWith("../") ? (/^([a-z-]+)\//u.exec(inRoom)?.[1] ?? null) : null;
      if (sibling !== null && sibling !== folder && !table[folder]?.includes(sibling))
        faults.push(`${path} → ${target}`);
    }
  }
  return faults;
}

test("the engine and its words do no IO and know no time", async () => {
  const faults: string[] = [];
  for await (const path of new Glob("{language,memory}/**/*.ts").scan("src")) {
    if (isTest(path)) continue;
    const source = await Bun.file(`src/${path}`).text();
    const banned =
      /bun:sqlite|node:fs|\bfetch\(|Date\.now|new Date\(\)|Math\.random|process\.|Bun\./;
    const found = banned.exec(source)?.[0];
    if (found !== undefined) faults.push(`${path}: ${found}`);
  }
  expect(faults).toEqual([]);
});

test("type-only doors carry types only", async () => {
  const faults: string[] = [];
  for (const { from, door } of typeOnly) {
    for await (const path of new Glob(`${from}/**/*.{ts,tsx}`).scan("src")) {
      if (isTest(path)) continue;
      const source = await Bun.file(`src/${path}`).text();
      for (const line of source.split("\n"))
        if (line.includes(`"${door}"`) && !line.startsWith("import type"))
          faults.push(`${path}: ${line}`);
    }
  }
  expect(faults).toEqual([]);
});

test("every room has a row, a door and an entry in package.json", async () => {
  const rooms = readdirSync("src", { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  expect(rooms).toEqual([...Object.keys(mayImport), "app"].sort());
  const { imports } = (await Bun.file("package.json").json()) as {
    imports: Record<string, string>;
  };
  for (const room of rooms.filter((one) => one !== "app")) {
    expect(imports[`#${room}`]).toBe(`./src/${room}/index.ts`);
    expect(existsSync(`src/${room}/index.ts`)).toBe(true);
  }
});

test("doors re-export by name, but for domain, in which everything is public", async () => {
  const faults: string[] = [];
  for await (const path of new Glob("*/index.ts").scan("src"))
    if (path !== "domain/index.ts" && /export \*/.test(await Bun.file(`src/${path}`).text()))
      faults.push(path);
  expect(faults).toEqual([]);
});

test("only the store speaks SQL, and to PostgreSQL the carrier and the hub", async () => {
  const faults: string[] = [];
  for await (const path of new Glob("**/*.ts").scan("src")) {
    if (isTest(path) || /^store\/|^exchange\/sync\/run\/(?:postgres|hub-roles)/.test(path))
      continue;
    const source = await Bun.file(`src/${path}`).text();
    // The daemon's lock may hold a SQLite lock file, without any statement on data.
    if (
      /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^"'`]*\b(FROM|VALUES|SET|WHERE)\b/.test(source)
    )
      faults.push(path);
  }
  expect(faults).toEqual([]);
});
