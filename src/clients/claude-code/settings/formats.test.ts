/** Whatever the settings look like, what is put in comes out again, and nothing else is touched meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { otherHook, settingsFiles } from "../../../../test/support/settings-files.ts";
import { stoppedClock } from "#kit";
import { install, installServer, uninstall } from "./change.ts";
import type { SettingsWish } from "./plan.ts";

const clock = stoppedClock(Date.parse("2026-09-01T09:12:03.044Z"));
const binary = "/opt/tools/continuity";
const marketplace = "/home/nadia/.continuity/plugin";

let root = "";
let settingsPath = "";
const options = () => ({
  settingsPath,
  backups: join(root, "backups"),
  dryRun: false,
  marketplace,
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "continuity-formats-"));
  settingsPath = join(root, "settings.json");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const forms: readonly { readonly name: string; readonly wish: SettingsWish }[] = [
  { name: "hooks", wish: { binary, marketplace: null } },
  { name: "hooks and status line", wish: { binary, statusLine: true, marketplace: null } },
  { name: "the plugin", wish: { binary, marketplace } },
  { name: "plugin and status line", wish: { binary, statusLine: true, marketplace } },
];

const parsed = (text: string): Record<string, unknown> => {
  const bare = text.replace("\ufeff", "");
  return bare.trim() === "" ? {} : (JSON.parse(bare) as Record<string, unknown>);
};
const countOf = (text: string): number =>
  text.replaceAll(/\s/g, "").split(JSON.stringify(otherHook).replaceAll(/\s/g, "")).length;

describe.each([...settingsFiles])("settings that are $name", ({ text }) => {
  test.each([...forms])("come back byte for byte after $name", ({ wish }) => {
    writeFileSync(settingsPath, text);
    expect(install(clock, { ...options(), ...wish })).toMatchObject({
      ok: true,
      value: { outcome: "changed" },
    });
    const between = readFileSync(settingsPath, "utf8");
    expect(between).not.toBe(text);
    // Every value of others is there still, their hooks and their status line among them.
    const { hooks: _, enabledPlugins: __, ...others } = parsed(text);
    expect(parsed(between)).toMatchObject(others);
    expect(countOf(between)).toBe(countOf(text));
    expect(install(clock, { ...options(), ...wish })).toMatchObject({
      value: { outcome: "unchanged" },
    });
    uninstall(clock, options());
    expect(readFileSync(settingsPath, "utf8")).toBe(text);
  });

  test("come back byte for byte after the MCP server", () => {
    writeFileSync(settingsPath, text);
    installServer(clock, { ...options(), binary });
    expect(parsed(readFileSync(settingsPath, "utf8"))["mcpServers"]).toEqual({
      continuity: { type: "stdio", command: binary, args: ["mcp"] },
    });
    uninstall(clock, options());
    expect(readFileSync(settingsPath, "utf8")).toBe(text);
  });

  test("keep another form's change when they are changed over and left", () => {
    writeFileSync(settingsPath, text);
    for (const { wish } of [...forms, ...forms.toReversed()])
      install(clock, { ...options(), ...wish });
    uninstall(clock, options());
    expect(readFileSync(settingsPath, "utf8")).toBe(text);
  });
});

test("the plugin stands alone: no hook of ours beside it, and none comes back while it is on", () => {
  install(clock, { ...options(), binary });
  install(clock, { ...options(), binary, marketplace });
  const text = readFileSync(settingsPath, "utf8");
  expect(text).not.toContain('"hook"');
  expect(parsed(text)).toEqual({
    extraKnownMarketplaces: { continuity: { source: { source: "directory", path: marketplace } } },
    enabledPlugins: { "continuity@continuity": true },
  });
  const again = install(clock, { ...options(), binary, marketplace: null });
  expect(again).toMatchObject({ value: { outcome: "unchanged" } });
  expect(again.ok && again.value.warnings.join()).toContain("the plugin is switched on");
});

test("a plugin that the user switched on by other means is the user's when we leave", () => {
  const text = '{\n  "enabledPlugins": {\n    "continuity@elsewhere": true\n  }\n}\n';
  writeFileSync(settingsPath, text);
  expect(uninstall(clock, options())).toMatchObject({ value: { outcome: "unchanged" } });
  expect(readFileSync(settingsPath, "utf8")).toBe(text);
});

test("somebody else's status line is kept and said; ours is set right when the program moves", () => {
  const text = '{"statusLine":{"type":"command","command":"~/bin/line"}}';
  writeFileSync(settingsPath, text);
  const kept = install(clock, { ...options(), binary, statusLine: true, marketplace: null });
  expect(kept.ok && kept.value.warnings.join()).toContain("/opt/tools/continuity statusline");
  expect(readFileSync(settingsPath, "utf8")).toContain("~/bin/line");
  writeFileSync(settingsPath, "{}");
  for (const path of ["/old place/continuity", binary])
    install(clock, { ...options(), binary: path, statusLine: true, marketplace: null });
  expect(parsed(readFileSync(settingsPath, "utf8"))["statusLine"]).toEqual({
    type: "command",
    command: "/opt/tools/continuity statusline",
  });
});

test("an MCP server of our name that is not ours is left alone, also when we leave", () => {
  const text = '{"mcpServers":{"continuity":{"command":"npx","args":["continuity-mcp"]}}}';
  writeFileSync(settingsPath, text);
  const report = installServer(clock, { ...options(), binary });
  expect(report).toMatchObject({ value: { outcome: "unchanged" } });
  expect(report.ok && report.value.warnings.join()).toContain("not ours");
  uninstall(clock, options());
  expect(readFileSync(settingsPath, "utf8")).toBe(text);
});

test("what a person added to our MCP server stays when the program moves", () => {
  const entry = {
    type: "stdio",
    command: "/old/continuity",
    args: ["mcp", "--read-only"],
    env: { A: "1" },
  };
  writeFileSync(settingsPath, JSON.stringify({ mcpServers: { continuity: entry } }));
  installServer(clock, { ...options(), binary });
  expect(parsed(readFileSync(settingsPath, "utf8"))["mcpServers"]).toEqual({
    continuity: { ...entry, command: binary },
  });
});

test("other changes of the client since then survive: only ours goes", () => {
  writeFileSync(settingsPath, '{\n  "numStartups": 3\n}\n');
  installServer(clock, { ...options(), binary });
  const later = { ...parsed(readFileSync(settingsPath, "utf8")), numStartups: 4 };
  writeFileSync(settingsPath, JSON.stringify(later, null, 2));
  uninstall(clock, options());
  expect(readFileSync(settingsPath, "utf8")).toBe('{\n  "numStartups": 4\n}');
});

test("a read-only file is named and left, a dry run of it shows the difference", () => {
  writeFileSync(settingsPath, "{}", { mode: 0o444 });
  expect(install(clock, { ...options(), binary })).toMatchObject({
    ok: false,
    error: { type: "setup.read-only", path: settingsPath },
  });
  expect(readFileSync(settingsPath, "utf8")).toBe("{}");
  expect(existsSync(join(root, "backups"))).toBe(false);
  const dry = install(clock, { ...options(), binary, dryRun: true });
  expect(dry.ok && dry.value.diff).toContain('+  "enabledPlugins"');
});

test("a settings folder that is missing is made, and its file goes when we leave", () => {
  settingsPath = join(root, "not", "there", "settings.json");
  install(clock, { ...options(), binary });
  expect(existsSync(settingsPath)).toBe(true);
  uninstall(clock, options());
  expect(existsSync(settingsPath)).toBe(false);
});

test.each(["mcpServers", "enabledPlugins", "extraKnownMarketplaces"])(
  "%s that is no object is refused with its place",
  (name) => {
    mkdirSync(root, { recursive: true });
    writeFileSync(settingsPath, `{\n  "${name}": []\n}`);
    const refused =
      name === "mcpServers"
        ? installServer(clock, { ...options(), binary })
        : install(clock, { ...options(), binary, marketplace });
    expect(refused).toMatchObject({
      ok: false,
      error: { type: "setup.unexpected-shape", line: 2 },
    });
    expect(readFileSync(settingsPath, "utf8")).toBe(`{\n  "${name}": []\n}`);
  },
);
