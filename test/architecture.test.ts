/** The import table is the architecture: rooms, doors and directions, checked on the source text. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync, readdirSync } from "node:fs";

/** The whole architecture. A new line, or a new word in one, is a design decision (docs/adr). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  domain: ["kit"],
  guards: ["kit", "domain"],
  privacy: ["kit", "domain"],
  config: ["kit", "domain"],
  language: ["kit", "domain"],
  reader: ["kit", "domain", "language"],
  memory: ["kit", "domain", "reader", "language"],
  "claude-code": ["kit", "domain", "reader"],
  embed: ["kit", "domain"],
  llm: ["kit", "domain"],
  store: ["kit", "domain"],
  capture: ["kit", "domain", "guards", "privacy", "config"],
  daemon: ["kit", "domain", "capture"],
  keep: ["kit", "domain", "memory", "privacy", "claude-code", "store", "capture", "daemon"],
  prompts: ["kit", "domain", "reader", "language"],
  worker: ["kit", "domain", "guards", "reader", "memory", "prompts"],
  sync: ["kit", "domain"],
  team: ["kit", "domain"],
  exchange: ["kit", "domain", "reader", "memory", "claude-code", "agents"],
  agents: ["kit", "domain", "capture", "claude-code"],
  api: ["kit", "domain"],
  service: ["kit", "domain", "guards", "memory", "api"],
  server: ["kit", "domain", "service", "api"],
  mcp: ["kit", "domain", "memory", "api"],
  cli: ["kit", "domain", "api"],
  doctor: ["kit", "domain", "claude-code", "store", "capture", "daemon", "keep"],
  viewer: ["kit", "domain", "api", "server"],
};

/** What puts the rooms together sees all of them; no room sees it. */
const roots: Readonly<Record<string, readonly string[]>> = {
  app: Object.keys(mayImport),
  main: ["kit", "domain", "capture"],
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

/** Rooms of which another may take types only. */
const typeOnly: readonly { readonly from: string; readonly door: string }[] = [
  { from: "cli", door: "#api" },
  { from: "mcp", door: "#api" },
  { from: "viewer", door: "#server" },
  { from: "viewer", door: "#api" },
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
      const isData = /\/models\/|\/package\.json$|^(?:\.\.\/){2,3}plugin\/skills\//u.test(target);
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
  const faults: string[] = [];
  for await (const path of new Glob("*/**/*.ts").scan("src/memory")) {
    if (isTest(path)) continue;
    const [folder = ""] = path.split("/");
    for (const target of importsIn(await Bun.file(`src/memory/${path}`).text())) {
      const sibling = /^\.\.\/([a-z]+)\//.exec(target)?.[1];
      if (sibling !== undefined && !insideMemory[folder]?.includes(sibling))
        faults.push(`${path} → ${target}`);
    }
  }
  expect(faults).toEqual([]);
});

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

test("doors re-export by name", async () => {
  const faults: string[] = [];
  for await (const path of new Glob("*/index.ts").scan("src"))
    if (/export \*/.test(await Bun.file(`src/${path}`).text())) faults.push(path);
  expect(faults).toEqual([]);
});

test("only the store speaks SQL, and to PostgreSQL the carrier and the hub", async () => {
  const faults: string[] = [];
  for await (const path of new Glob("**/*.ts").scan("src")) {
    if (isTest(path) || /^store\/|^sync\/run\/(?:postgres|hub-roles)/.test(path)) continue;
    const source = await Bun.file(`src/${path}`).text();
    // The daemon's lock may hold a SQLite lock file, without any statement on data.
    if (
      /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^"'`]*\b(FROM|VALUES|SET|WHERE)\b/.test(source)
    )
      faults.push(path);
  }
  expect(faults).toEqual([]);
});
