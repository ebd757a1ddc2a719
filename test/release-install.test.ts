/** `install.sh`, run by /bin/sh against releases that are good, damaged, missing or for somebody else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tarGz } from "../scripts/release/archive.ts";
import { sha256Of } from "../scripts/release/pack.ts";
import { fillTemplate, type ReleaseData } from "../scripts/release/packaging.ts";
import { archiveName, releaseTargets } from "../scripts/release/targets.ts";

const folder = mkdtempSync(join(tmpdir(), "continuity-install-"));
const releases = join(folder, "releases");
const version = "1.2.3";
/** Stands for the program: says its version. */
const programSaying = (text: string, status = 0): Uint8Array =>
  new TextEncoder().encode(`#!/bin/sh\necho "${text}"\nexit ${status}\n`);
const unixTargets = releaseTargets.filter(({ os }) => os !== "windows");
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const file = Bun.file(join(releases, new URL(request.url).pathname));
    return existsSync(file.name ?? "") ? new Response(file) : new Response("", { status: 404 });
  },
});

/** Writes a release whose program for every machine is `program`; its `install.sh`. */
async function publish(name: string, program: Uint8Array, url: string): Promise<string> {
  const archive = tarGz([{ path: "continuity", bytes: program, isExecutable: true }]);
  const artefacts = unixTargets.map((target) => ({
    target: target.name,
    file: archiveName(version, target),
    bytes: archive.length,
    sha256: sha256Of(archive),
  }));
  const into = join(releases, name, "download", `v${version}`);
  for (const { file } of artefacts) await Bun.write(join(into, file), archive);
  const template = await Bun.file(
    join(import.meta.dir, "..", "scripts", "release", "templates", "install.sh"),
  ).text();
  const data: ReleaseData = { version, url: `${url}/${name}`, artefacts };
  const script = join(into, "install.sh");
  writeFileSync(script, fillTemplate(template, data));
  return script;
}

interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The answers of `uname`, by its flag. */
  readonly uname?: Readonly<Record<string, string>>;
}

/** Runs it for a person whose home is `home`. */
async function install(script: string, home: string, options: RunOptions = {}): Promise<Ran> {
  let path = process.env["PATH"] ?? "";
  if (options.uname !== undefined) {
    const fakes = mkdtempSync(join(folder, "fakes-"));
    const cases = Object.entries(options.uname).map(([flag, text]) => `${flag}) echo ${text};;`);
    writeFileSync(join(fakes, "uname"), `#!/bin/sh\ncase $1 in ${cases.join(" ")} esac\n`);
    chmodSync(join(fakes, "uname"), 0o755);
    path = `${fakes}:${path}`;
  }
  const child = Bun.spawn(["/bin/sh", script], {
    env: { PATH: path, HOME: home, ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, out, err };
}

let homes = 0;
const newHome = (): string => {
  homes += 1;
  const home = join(folder, `home ${homes}`); // With a space, as some have.
  mkdirSync(home);
  return home;
};
const placeIn = (home: string): string => join(home, ".local", "bin");

let good = "";
beforeAll(async () => {
  good = await publish("good", programSaying(version), `http://127.0.0.1:${server.port}`);
});
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

test("it puts the program in its place, says where, and leaves nothing else", async () => {
  const home = newHome();
  const ran = await install(good, home);
  expect([ran.status, ran.err]).toEqual([0, ""]);
  expect(ran.out).toContain(`installed ${placeIn(home)}/continuity, version ${version}\n`);
  expect(ran.out).toContain(`put ${placeIn(home)} on your PATH\n`);
  expect(ran.out).toEndWith("next: continuity install\n");
  expect(readdirSync(placeIn(home))).toEqual(["continuity"]);
  expect(statSync(join(placeIn(home), "continuity")).mode & 0o777).toBe(0o755);
  expect(readdirSync(home)).toEqual([".local"]);
});

test("it replaces an older program", async () => {
  const home = newHome();
  mkdirSync(placeIn(home), { recursive: true });
  writeFileSync(join(placeIn(home), "continuity"), "old", { mode: 0o755 });
  expect((await install(good, home)).status).toBe(0);
  expect(readFileSync(join(placeIn(home), "continuity"), "utf8")).toContain(version);
});

test("another folder and another place to load from can be named", async () => {
  const home = newHome();
  const into = join(home, "tools");
  const from = join(releases, "good", "download", `v${version}`);
  for (const address of [pathToFileURL(from).href, from]) {
    const ran = await install(good, home, {
      env: { CONTINUITY_INSTALL_DIR: into, CONTINUITY_INSTALL_FROM: address },
    });
    expect([ran.status, ran.err]).toEqual([0, ""]);
    expect(readdirSync(home)).toEqual(["tools"]);
  }
});

/** With an older program in place: it fails in one line, the old program stays, and nothing lies around. */
async function expectRefusal(
  script: string,
  says: string,
  options: RunOptions = {},
): Promise<void> {
  const home = newHome();
  mkdirSync(placeIn(home), { recursive: true });
  writeFileSync(join(placeIn(home), "continuity"), "old");
  const ran = await install(script, home, options);
  expect(ran.err).toContain(says);
  expect(ran.err).toMatch(/^error: /m);
  expect(ran.status).toBe(1);
  expect(readdirSync(placeIn(home))).toEqual(["continuity"]);
  expect(readFileSync(join(placeIn(home), "continuity"), "utf8")).toBe("old");
}

test("an archive with another checksum is refused", async () => {
  const script = await publish("bad", programSaying(version), `http://127.0.0.1:${server.port}`);
  for (const target of unixTargets) {
    const file = join(releases, "bad", "download", `v${version}`, archiveName(version, target));
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from("!")]));
  }
  await expectRefusal(script, "has another checksum than its release");
});

test("a release that is not there is an error", async () => {
  await expectRefusal(good, "cannot be loaded; nothing was changed", {
    env: { CONTINUITY_INSTALL_FROM: `http://127.0.0.1:${server.port}/none` },
  });
});

test("a program that does not start here is not installed", async () => {
  const url = `http://127.0.0.1:${server.port}`;
  const script = await publish("dead", programSaying("missing libstdc++", 127), url);
  await expectRefusal(script, "does not start here: missing libstdc++");
});

test("a program that says it is another version is not installed", async () => {
  const url = `http://127.0.0.1:${server.port}`;
  await expectRefusal(await publish("other", programSaying("9.9.9"), url), "says it is 9.9.9");
});

test.each([
  { uname: { "-s": "Linux", "-m": "riscv64" }, says: "no release for the processor riscv64" },
  { uname: { "-s": "FreeBSD", "-m": "x86_64" }, says: "no release for the system FreeBSD" },
  { uname: { "-s": "MINGW64_NT-10.0", "-m": "x86_64" }, says: "on Windows use the zip file" },
])("a machine without a release is told so: $says", async ({ uname, says }) => {
  await expectRefusal(good, says, { uname });
});

test.each([
  { uname: { "-s": "Darwin", "-m": "arm64" }, target: "darwin-arm64" },
  { uname: { "-s": "Darwin", "-m": "x86_64" }, target: "darwin-x64" },
  { uname: { "-s": "Linux", "-m": "aarch64" }, target: "linux-arm64" },
])("$target is what $uname gets", async ({ uname, target }) => {
  const ran = await install(good, newHome(), { uname });
  // A machine with musl gets the archive for musl.
  expect(ran.out).toMatch(new RegExp(`^loading continuity-1\\.2\\.3-${target}(-musl)?\\.tar\\.gz`));
});

test("a folder that cannot be made is named, with what to do", async () => {
  const home = newHome();
  writeFileSync(join(home, "file"), "");
  const ran = await install(good, home, {
    env: { CONTINUITY_INSTALL_DIR: join(home, "file", "x") },
  });
  expect(ran.status).toBe(1);
  expect(ran.err).toContain("cannot be made; set CONTINUITY_INSTALL_DIR");
});

test("a script of which only a part arrived does nothing", async () => {
  const home = newHome();
  const text = readFileSync(good, "utf8");
  for (const share of [0.3, 0.6, 0.9, 0.995]) {
    const part = join(folder, "part.sh");
    writeFileSync(part, text.slice(0, Math.floor(text.length * share)));
    await install(part, home);
  }
  expect(readdirSync(home)).toEqual([]);
});

test("it never asks for root", () => {
  expect(readFileSync(good, "utf8")).not.toMatch(/\b(sudo|doas|su)\b/);
});
