/** The documents say what is true: references are generated, examples run, paths and links exist. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readSettings } from "#config";
import { binary, examplesIn, runExamples } from "../scripts/docs/console.ts";
import { allDocuments, documentsWithExamples } from "../scripts/docs/documents.ts";
import { matches } from "../scripts/docs/loose.ts";
import { references } from "../scripts/docs/references.ts";

const root = join(import.meta.dir, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const documents = allDocuments(root).map((path) => ({ path, text: read(path) }));
/** Prose without what stands in fences. */
const proseOf = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");
/** Dozens of processes and a daemon, on a machine that may be busy. */
const examplesMsMax = 90_000;
const home = mkdtempSync(join(tmpdir(), "continuity-help-"));

afterAll(() => rmSync(home, { recursive: true, force: true }));

const generated = await references();

describe("references", () => {
  for (const [name, text] of generated)
    test(`docs/reference/${name} is what the product says; else run \`npm run docs\``, () => {
      expect(read(`docs/reference/${name}`)).toBe(text);
    });

  test("generating twice gives the same bytes", async () => {
    expect([...(await references())]).toEqual([...generated]);
  });
});

describe("commands", () => {
  const commands = [...read("docs/reference/cli.md").matchAll(/^## continuity (\S+)$/gm)].map(
    ([, name = ""]) => name,
  );
  const help = (...args: readonly string[]) =>
    Bun.spawnSync([binary, ...args], { env: { HOME: home }, stdin: "ignore" });

  test("every command that the program lists is in the reference", () => {
    const [main = "", more = ""] = help("--help").stdout.toString().split("More:");
    const listed = [
      ...[...main.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = ""]) => name),
      ...more.trim().split(/\s+/),
    ];
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((name) => !commands.includes(name))).toEqual([]);
  });

  test.each(commands)("continuity %s --help explains itself, with an example", (name) => {
    // The words behind `hook` are the client's business, and unknown options are ignored there.
    const asked = name === "hook" ? ["help", name] : [name, "--help"];
    const { exitCode, stdout, stderr } = help(...asked);
    expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
    const text = stdout.toString();
    expect(text).toStartWith(`Usage: continuity ${name}`);
    expect(text).toMatch(/\nExamples:\n {2}\$ continuity /);
  });

  test("asking for help leaves nothing behind", () => {
    expect(existsSync(join(home, ".continuity"))).toBe(false);
  });
});

describe("examples", () => {
  const withExamples = documentsWithExamples(root);

  test("the README and every guide have some", () => {
    expect(withExamples.length).toBeGreaterThan(8);
    for (const path of withExamples) expect(examplesIn(read(path)).length).toBeGreaterThan(1);
  });

  test.each(withExamples)(
    "%s shows what its commands print; else run `npm run docs`",
    async (path) => {
      const ran = await runExamples(examplesIn(read(path)));
      const faults = ran
        .filter(({ fits }) => !fits)
        .map(({ line, command, status, shown, printed }) => ({
          at: `${path}:${line}`,
          command,
          status,
          shown,
          printed,
        }));
      expect(faults).toEqual([]);
    },
    examplesMsMax,
  );

  test.each([
    { name: "what varies is not compared", shown: ["up 3 s, pid 7"], fits: true },
    { name: "other words are", shown: ["up 3 s, job 7"], fits: false },
    { name: "an ellipsis stands for lines", shown: ["…", "up 1 s, pid 2"], fits: true },
    { name: "a cut line is compared as far as it goes", shown: ["up 1 s, …"], fits: true },
    { name: "a missing line is noticed", shown: [], fits: false },
    { name: "a line too many is noticed", shown: ["up 1 s, pid 2", "more"], fits: false },
  ])("$name", ({ shown, fits }) => {
    expect(matches(shown, ["up 12 s, pid 345"])).toBe(fits);
  });

  test("settings that are shown are understood", () => {
    // Other agents' settings are TOML too.
    const ours = documents.filter(({ text }) => !text.includes("[mcp_servers."));
    const fences = ours.flatMap(({ text }) =>
      [...text.matchAll(/^```toml\n([\s\S]*?)^```/gm)].map(([, body = ""]) => body),
    );
    expect(fences.length).toBeGreaterThan(0);
    for (const body of fences) {
      const settings = readSettings({ path: "shown.toml", env: {}, readFile: () => body });
      expect(settings).toMatchObject({ ok: true, value: { warnings: [] } });
    }
  });

  test("the size that the README gives is that of the program, within 3 MB", () => {
    const said = Number(/one file of (\d+) MB/.exec(read("README.md"))?.[1]);
    expect(Math.abs(statSync(binary).size / 1_000_000 - said)).toBeLessThan(3);
  });

  test("npm scripts that are named exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = documents.flatMap(({ text }) =>
      [...text.matchAll(/npm (?:run ([a-z:]+)|(test))\b/g)].map(([, run, own]) => run ?? own ?? ""),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

test("the README and every page for users have at most 900 words", () => {
  const long = documents
    .filter(({ path }) =>
      /^(?:\.\/)?(?:README\.md|docs\/(?:guide\/|agents\/)?[\w-]+\.md)$/.test(path),
    )
    .map(({ path, text }) => [path, text.split(/\s+/).filter(Boolean).length] as const);
  expect(long.length).toBeGreaterThan(30);
  expect(long.filter(([, words]) => words > 900)).toEqual([]);
});

describe("paths and links", () => {
  test("every path that is named exists", () => {
    const faults: string[] = [];
    let seen = 0;
    for (const { path, text } of documents)
      for (const [, named = ""] of proseOf(text).matchAll(
        /`((?:src|test|docs|scripts|bench|models|\.ci)\/[\w./-]*[\w/])`/g,
      )) {
        seen += 1;
        if (!existsSync(join(root, named))) faults.push(`${path}: ${named}`);
      }
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(20);
  });

  test("the code map names every room", () => {
    const map = read("ARCHITECTURE.md");
    const folders = (path: string): readonly string[] =>
      readdirSync(join(root, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${path}/${name}/`);
    const rooms = [
      ...folders("src").filter((room) => existsSync(join(root, room, "index.ts"))),
      ...folders("src/memory").filter((part) => readdirSync(join(root, part)).length > 0),
    ];
    // The engine's row names its folders.
    const isNamed = (room: string): boolean =>
      map.includes(room) || map.includes(`\`${room.replace("src/memory/", "")}\``);
    const missing = rooms.filter((room) => !isNamed(room));
    expect(missing).toEqual([]);
    expect(rooms.length).toBeGreaterThan(15);
  });

  test("a page that answers a user's question has at most 900 words", () => {
    const pages = documents.filter(({ path }) =>
      /^(?:README\.md|docs\/(?:guide\/)?[^/]+)$/.test(path),
    );
    expect(pages.length).toBeGreaterThan(20);
    const long = pages.filter(
      ({ text }) => text.split(/\s+/).filter((word) => /\w/.test(word)).length > 900,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("every link leads somewhere", () => {
    const faults: string[] = [];
    let seen = 0;
    for (const { path, text } of documents)
      for (const [, target = ""] of proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        seen += 1;
        const [file = "", anchor] = target.split("#");
        const full = file === "" ? path : join(dirname(path), file);
        if (!existsSync(join(root, full))) faults.push(`${path}: ${target}`);
        else if (anchor !== undefined && !anchorsOf(read(full)).includes(anchor))
          faults.push(`${path}: ${target}`);
      }
    expect(faults).toEqual([]);
    expect(seen).toBeGreaterThan(20);
  });

  test("decisions are numbered without gaps, and their titles carry the number", () => {
    const records = documents.filter(({ path }) => path.startsWith("docs/adr/"));
    records.forEach(({ path, text }, at) => {
      expect(path).toStartWith(`docs/adr/${String(at + 1).padStart(4, "0")}-`);
      expect(text).toStartWith(`# ${at + 1}. `);
    });
  });
});

/** Anchors as GitHub makes them from headings. */
const anchorsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
