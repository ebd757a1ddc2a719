/** Checks of the repository itself: left-over markers, ambient time, lengths, files nobody imports. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { existsSync, readdirSync } from "node:fs";

const sources = async (): Promise<readonly { path: string; text: string }[]> => {
  const found: { path: string; text: string }[] = [];
  for await (const path of new Glob("src/**/*.{ts,tsx}").scan("."))
    found.push({ path, text: await Bun.file(path).text() });
  return found.sort((a, b) => a.path.localeCompare(b.path));
};

const isTest = (path: string): boolean => path.endsWith(".test.ts");
/** Data tables (rules, word lists, settings) may be long; code may not. */
const isData = (path: string): boolean =>
  /rules|vocabulary|synonyms|fixtures|config\/keys/.test(path);

test("no left-over markers and no focused or skipped tests", async () => {
  const marker = new RegExp(["TO", "DO:|FIX", "ME|X", "XX\\b"].join(""));
  const faults = (await sources()).filter(
    ({ path, text }) =>
      (!isTest(path) && !isData(path) && marker.test(text)) ||
      /\b(test|describe|it)\.(only|skip|todo)\(/.test(text),
  );
  expect(faults.map(({ path }) => path)).toEqual([]);
});

test("time and chance are dependencies", async () => {
  const faults = (await sources()).filter(
    ({ path, text }) =>
      !isTest(path) &&
      !path.startsWith("src/kit/") &&
      /Date\.now\(|new Date\(\)|Math\.random\(/.test(text),
  );
  expect(faults.map(({ path }) => path)).toEqual([]);
});

test("console belongs to nobody; stdout belongs to the command line", async () => {
  const faults = (await sources()).filter(
    ({ path, text }) => !isTest(path) && /\bconsole\.(log|error|warn|info)\(/.test(text),
  );
  expect(faults.map(({ path }) => path)).toEqual([]);
});

test("no module is longer than 400 lines, unless it is a table", async () => {
  const faults = (await sources()).filter(
    ({ path, text }) => !isTest(path) && !isData(path) && text.split("\n").length > 400,
  );
  expect(faults.map(({ path }) => path)).toEqual([]);
});

/** Lines above 120 columns that each room still has. These numbers may only shrink. */
const longLines: Readonly<Record<string, number>> = {
  cli: 1,
  daemon: 6,
  exchange: 1,
  keep: 1,
  memory: 43,
  models: 12,
};

test("lines above 120 columns become fewer, word lists aside", async () => {
  const found = new Map<string, string[]>();
  for (const { path, text } of await sources()) {
    if (isData(path)) continue;
    const [, room = ""] = path.split("/");
    for (const [at, line] of text.split("\n").entries())
      if (line.length > 120) found.set(room, [...(found.get(room) ?? []), `${path}:${at + 1}`]);
  }
  const faults = [...found].filter(([room, lines]) => lines.length > (longLines[room] ?? 0));
  expect(faults).toEqual([]);
});

test("a comment begins with a verb or with the name of what it describes", async () => {
  const asks =
    /^\s*(?:\/\*\*?(?: |\n\s*\* )|\/\/ )(?:What|Which|Whether|How|Who|Whose|Of|Those|Where|Why)\b.*/gm;
  const faults = (await sources()).flatMap(({ path, text }) =>
    (text.match(asks) ?? []).map((line) => `${path}: ${line.trim()}`),
  );
  expect(faults).toEqual([]);
});

test("every module opens by saying what it is for", async () => {
  const faults = (await sources()).filter(
    ({ path, text }) =>
      !isTest(path) &&
      !path.endsWith("index.ts") &&
      !path.endsWith(".d.ts") &&
      !text.trimStart().startsWith("/*"),
  );
  expect(faults.map(({ path }) => path)).toEqual([]);
});

test("the hook path never touches the process streams", async () => {
  const faults: string[] = [];
  for await (const path of new Glob("src/hooks/**/*.ts").scan(".")) {
    if (isTest(path)) continue;
    // Measured: merely touching process.stdout costs twice an empty program's start.
    if (/process\.(stdout|stdin|stderr)\./.test(await Bun.file(path).text())) faults.push(path);
  }
  expect(faults).toEqual([]);
});

test("THIRD-PARTY.md names everything that is compiled into the program", async () => {
  const { dependencies } = JSON.parse(await Bun.file("package.json").text()) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const notices = await Bun.file("THIRD-PARTY.md").text();
  expect(Object.keys(dependencies).filter((name) => !notices.includes(`[${name}]`))).toEqual([]);
});

/** Paths in backticks, each with the name that follows it in backticks, if one does. */
const namedIn = (text: string) =>
  [
    ...text.matchAll(/`((?:src|test|docs|scripts|lab|models|plugin)\/[\w./-]*)`(?:: `(\w+)`)?/g),
  ].map(([, path = "", name]) => ({ path, name }));

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("paths named in %s exist", async (document) => {
  const named = namedIn(await Bun.file(document).text()).map(({ path }) => path);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("the map has a row for every room, and leads from twelve questions to the line in two steps", async () => {
  const map = await Bun.file("ARCHITECTURE.md").text();
  const rooms = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(
    rooms.filter(({ name }) => !map.includes(`\`src/${name}/`)).map(({ name }) => name),
  ).toEqual([]);
  const contributing = await Bun.file("CONTRIBUTING.md").text();
  const [, section = ""] = contributing.split("\n## Where would I change …\n");
  const [answers = ""] = section.split("\n## ");
  const rows = answers.split("\n").filter((line) => /^\| (?!where would|---)/.test(line));
  expect(rows).toHaveLength(12);
  for (const row of rows) {
    const named = namedIn(row);
    expect(named.length, row).toBeGreaterThan(0);
    for (const { path, name } of named) {
      expect(map, path).toContain(path.split("/").slice(0, 2).join("/"));
      if (name !== undefined)
        expect(await Bun.file(path).text()).toMatch(new RegExp(`\\b${name}\\b`));
    }
  }
});

/** The comments of a text, each on one line. */
const commentsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/g)].map(([comment]) =>
    comment.replace(/\s*\n\s*(?:\*|\/\/) ?/g, " "),
  );

test("a document that a comment cites exists, and has the heading that is named", async () => {
  const faults: string[] = [];
  const adrs = [...new Glob("docs/adr/*.md").scanSync(".")];
  let cited = 0;
  for await (const path of new Glob("{src,test,bench,train,scripts}/**/*.{ts,tsx}").scan("."))
    for (const comment of commentsOf(await Bun.file(path).text()))
      for (const [, file = "", heading] of comment.matchAll(
        /\b(docs\/[\w/.-]*\w)(?:, "([^"]+)")?/g,
      )) {
        cited += 1;
        const number = /^docs\/adr\/\d{4}$/.test(file);
        const found = number ? adrs.some((adr) => adr.startsWith(`${file}-`)) : existsSync(file);
        const page = found && heading !== undefined ? await Bun.file(file).text() : "";
        if (!found || (heading !== undefined && !page.includes(`\n## ${heading}\n`)))
          faults.push(`${path}: ${file} ${heading ?? ""}`);
      }
  expect(cited).toBeGreaterThan(50);
  expect(faults).toEqual([]);
});

test("nothing cites a document that is not in the repository", async () => {
  const names = "product|capture|memory|extraction|retrieval|interfaces|operations|worth";
  const citation = new RegExp(String.raw`\b[0-7]0-(?:${names})\b`);
  const faults: string[] = [];
  for await (const path of new Glob(
    "{src,test,bench,train,scripts,docs}/**/*.{ts,tsx,mjs,sql,sh,py,md}",
  ).scan("."))
    if (citation.test(await Bun.file(path).text())) faults.push(path);
  expect(faults).toEqual([]);
});

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test("npm ci can use the lock file: same dependencies, each with version and checksum; only linters lack platforms", async () => {
  const wanted = (await Bun.file("package.json").json()) as Locked;
  const lock = (await Bun.file("package-lock.json").json()) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const { "": own, ...packages } = lock.packages;
  expect(own?.dependencies ?? {}).toEqual(wanted.dependencies ?? {});
  expect(own?.devDependencies ?? {}).toEqual(wanted.devDependencies ?? {});
  const bare = Object.entries(packages).filter(([, one]) => !one.version || !one.integrity);
  expect(bare.map(([path]) => path)).toEqual([]);
  // See CONTRIBUTING.md: these four are to go from the list when the lock is made on a full registry.
  const partial = Object.entries(packages)
    .filter(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).some((name) => !(`node_modules/${name}` in packages)),
    )
    .map(([path]) => path.replace("node_modules/", ""));
  const known = new Set(["oxc-parser", "oxfmt", "oxlint", "oxlint-tsgolint"]);
  expect(partial.filter((name) => !known.has(name))).toEqual([]);
});

/** Words of earlier texts that had to be decoded: people search for what `git` and `gh` say. */
const oddWords =
  /\b(?:somebody|whoever|shall (?:be|stay)|in reach|lives on|took in|taken back|put away|by hand:|broken off|asleep|worth a look|hangs? together|nothing of ours|to make one of|a whole one|asked wrongly|cannot be asked|its time was up|says the same as|is no longer good|mend (?:it|that))\b/i;

/** Rooms whose texts are words to be read, not words to be shown. */
const isWordList = (path: string): boolean =>
  isTest(path) ||
  isData(path) ||
  /^src\/(?:language\/|memory\/|prompts\/|reader\/|privacy\/|transcript\/|demo\/)/.test(path);

test("texts for people use none of the odd words that were taken out", async () => {
  const faults = (await sources()).flatMap(({ path, text }) =>
    isWordList(path)
      ? []
      : text
          .replace(/\/\*[\s\S]*?\*\//g, "")
          .split("\n")
          .map((line) => line.replace(/(?<!:)\/\/.*$/, ""))
          .flatMap((line) => line.match(/(["`])(?:(?!\1).)* (?:(?!\1).)*\1/g) ?? [])
          .filter((said) => oddWords.test(said))
          .map((said) => `${path}: ${said}`),
  );
  expect(faults).toEqual([]);
});
