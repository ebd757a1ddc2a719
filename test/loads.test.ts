/** Tests the modules that each path of the program loads: the quick paths stay quick by what they do not name. */
import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join, relative } from "node:path";
import { stagedFiles } from "../scripts/build.ts";

const root = join(import.meta.dir, "..");

/** The modules of each chunk by the module that is imported to get it, with those of the chunks that it imports. */
async function loaded(
  entrypoint: string,
  external: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const built = await Bun.build({
    entrypoints: [join(root, entrypoint)],
    target: "bun",
    format: "esm",
    minify: true,
    splitting: true,
    metafile: true,
    external: [...external],
  });
  const outputs: Bun.BuildMetafile["outputs"] = built.metafile?.outputs ?? {};
  const reach = (name: string, seen: Set<string>): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const { path, kind } of outputs[name]?.imports ?? [])
      if (kind === "import-statement") reach(path, seen);
    return seen;
  };
  const named = Object.entries(outputs).flatMap(([name, { entryPoint }]) =>
    entryPoint === undefined ? [] : [{ name, entry: pathOf(entryPoint) }],
  );
  return new Map(
    named.map(({ name, entry }) => [
      entry,
      new Set(
        [...reach(name, new Set())].flatMap((chunk) =>
          Object.entries(outputs[chunk]?.inputs ?? {})
            .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
            .map(([path]) => pathOf(path)),
        ),
      ),
    ]),
  );
}

const pathOf = (path: string): string =>
  path.includes("node_modules/")
    ? path.slice(path.lastIndexOf("node_modules/"))
    : relative(root, join(root, path));

/** Rooms and packages of which a path may load something; of the application, the files. */
const roomsOf = (paths: Iterable<string>): readonly string[] =>
  [
    ...new Set(
      [...paths].map(
        (path) => /^(?:node_modules|src(?!\/app\/))\/[^/]+(?=\/)/.exec(path)?.[0] ?? path,
      ),
    ),
  ].toSorted();

/** Bundled apart: whoever imports one of these loads it when it runs. */
const apart = stagedFiles.map((file) => `*/${file.slice(file.lastIndexOf("/") + 1)}`);
const all = await loaded("src/main.ts", apart);
const found = (entry: string): ReadonlySet<string> => all.get(entry) ?? new Set();

test("a quick command loads no parser, but the command line, the API's client and the way to the socket", () => {
  expect(roomsOf(found("src/app/command-line.ts"))).toEqual([
    "node_modules/hono",
    "src/api",
    "src/app/command-line.ts",
    "src/app/command-ports.ts",
    "src/cli",
    "src/daemon",
    "src/domain",
    "src/hooks",
    "src/kit",
    "src/mcp",
  ]);
  // The part of MCP that loads the rest.
  expect([...found("src/app/command-line.ts")].filter((path) => path.includes("/mcp/"))).toEqual([
    "src/mcp/index.ts",
  ]);
  const commands = [...found("src/app/command-line.ts")].filter((path) =>
    path.includes("cli/commands/"),
  );
  expect(commands.map((path) => path.slice(path.lastIndexOf("/") + 1, -3)).toSorted()).toEqual([
    "config",
    "filters",
    "find",
    "list",
    "plumbing",
    "remember",
    "show",
    "status",
  ]);
});

test("no command loads the API's schemas: they are for the daemon, for help and for the reference", async () => {
  const paths = [...found("src/app/command-line.ts")];
  expect(paths).toContain("src/api/client/client.ts");
  expect(paths.filter((path) => /node_modules\/zod|src\/api\/(?!client)/.test(path))).toEqual([]);
  const door = await Bun.file(join(root, "src/api/index.ts")).text();
  expect(door.match(/^export (?!type)[^;]*"(?!\.\/client\/)[^"]*";/mu)).toBeNull();
  for await (const path of new Glob("{api/client,app,cli,mcp}/**/*.ts").scan(join(root, "src"))) {
    if (/\.test\.|fixtures/.test(path)) continue;
    const text = await Bun.file(join(root, "src", path)).text();
    const named = /^(?:import|export)(?! type)[^;]*"(?:#api\/[^"]*|zod)";/mu.exec(text);
    if (!path.startsWith("mcp/") || named?.[0].endsWith('"zod";') !== true)
      expect(named, path).toBeNull();
  }
});

test("a session start that reads for itself loads no migration and nothing that writes memories", () => {
  const paths = [...found("src/app/start-text.ts")];
  expect(paths).toContain("src/store/start.ts");
  expect(
    paths.filter((path) => /\.sql$|node-write|forget|jobs|portable|snapshot/.test(path)),
  ).toEqual([]);
});

test("a hook whose daemon is up does not load node:fs, which takes 1.5 ms", async () => {
  const own = [...found("src/main.ts")].filter((path) => path.startsWith("src/"));
  for (const path of own) {
    const text = await Bun.file(join(root, path)).text();
    expect(/^(?:import|\}) .*"node:fs";/m.exec(text)?.[0], path).toBeUndefined();
  }
});

test("a hook whose daemon is up loads hooks, and of the other rooms what has no rooms of its own", () => {
  expect(roomsOf(found("src/main.ts")).filter((room) => room.startsWith("src/"))).toEqual([
    "src/domain",
    "src/hooks",
    "src/kit",
    "src/main.ts",
  ]);
});

test("an adapter of another agent loads the adapters and what the hook path has already", () => {
  const parts = [...found("src/app/hook-agent.ts")].map((path) => path.replace(/\/[^/]+$/u, ""));
  expect([...new Set(parts)].toSorted()).toEqual([
    "src/clients/agents",
    "src/domain",
    "src/hooks",
    "src/kit",
  ]);
});
