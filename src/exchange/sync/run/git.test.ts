/** The git carrier against real bare repositories. */
import { afterAll, expect, test, setDefaultTimeout } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CarrierFailure, type Carrier } from "./carrier.ts";
import { checkCarrier, checkLife } from "../../../../test/support/sync/carriers.ts";
import { openGit } from "./git.ts";

// Real git on a machine that may be busy.
setDefaultTimeout(60_000);

const root = mkdtempSync(join(tmpdir(), "continuity-git-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const access = { PATH: process.env["PATH"] ?? "", HOME: root };
let count = 0;

function run(...args: readonly string[]): string {
  const { stdout, exitCode } = Bun.spawnSync(["git", ...args], { env: access });
  expect(exitCode).toBe(0);
  return stdout.toString().trim();
}

function remote(): string {
  const path = join(root, `remote-${(count += 1)}.git`);
  run("init", "--quiet", "--bare", path);
  return path;
}

/** Each in a home of its own. */
const open = (url: string, more: Readonly<Record<string, string>> = {}): Promise<Carrier> =>
  openGit({ url, folder: join(root, `home-${(count += 1)}`), access: { ...access, ...more } });

const one = new Uint8Array([1]);

const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CarrierFailure)) throw new Error(`no clear failure: ${String(error)}`);
  expect(error.message).not.toContain("\n");
  expect(error.next).not.toBe("");
  return error.message;
};

test("a branch carries", async () => {
  const path = remote();
  await checkCarrier(() => open(`git+file://${path}`));
  expect(run("-C", path, "branch", "--list", "--format=%(refname:short)")).toBe("continuity");
});

test("a life of devices over a branch ends in the same", () => {
  const path = remote();
  return checkLife(() => open(`git+file://${path}#memory`), 1, 10);
});

test("pushes at the same time all arrive", async () => {
  const path = remote();
  const carriers = await Promise.all([1, 2, 3].map(() => open(`git+file://${path}`)));
  const names = carriers.map((_, n) => `log/a${n}/00000001.age`);
  const made = await Promise.all(carriers.map((each, n) => each.put(names[n] ?? "", one)));
  expect(made).toEqual(["created", "created", "created"]);
  expect(await (await open(`git+file://${path}`)).list("log/", "")).toEqual(names);
});

test("gone, not known, refused, no git, a password: one line with the next step", async () => {
  const path = remote();
  const carrier = await open(`git+file://${path}`);
  await carrier.put("log/aa/00000001.age", one);
  renameSync(path, `${path}.away`);
  expect(await failure(carrier.put("log/aa/00000002.age", one))).toContain("no git repository");
  renameSync(`${path}.away`, path);
  expect(await carrier.put("log/aa/00000002.age", one)).toBe("created");
  const stranger = await open("git+https://host.invalid/x.git");
  expect(await failure(stranger.list("", ""))).toContain("host.invalid");
  const ssh = join(root, "ssh");
  writeFileSync(ssh, "#!/bin/sh\necho 'Permission denied (publickey).' >&2\nexit 255\n", {
    mode: 0o755,
  });
  const refused = await open("git+ssh://git@host.invalid/x.git", { GIT_SSH_COMMAND: ssh });
  expect(await failure(refused.list("", ""))).toContain("does not accept the credentials");
  expect(await failure(open(`git+file://${path}`, { PATH: root }))).toContain("not installed");
  const said = await failure(open("git+https://ada:hunter@host.invalid/x.git"));
  expect(said).not.toContain("hunter");
  const token = await failure(open("git+https://ghp_1234567890abcdefghij@host.invalid/x.git"));
  expect(token).toContain("may hold no password");
  expect(token).not.toContain("ghp_");
  expect(await failure(open(`git+file://${path}#--force`))).toContain("no name of a branch");
});

test("a remote that takes no more: one line, nothing lost, and it goes on when there is room", async () => {
  const path = remote();
  const carrier = await open(`git+file://${path}`);
  await carrier.put("log/aa/00000001.age", one);
  run("-C", path, "config", "receive.maxInputSize", "1000");
  const large = crypto.getRandomValues(new Uint8Array(20_000));
  expect(await failure(carrier.put("log/aa/00000002.age", large))).toContain("is full");
  expect(await carrier.list("log/", "")).toEqual(["log/aa/00000001.age"]);
  run("-C", path, "config", "--unset", "receive.maxInputSize");
  expect(await carrier.put("log/aa/00000002.age", large)).toBe("created");
  expect(await carrier.get("log/aa/00000002.age")).toEqual(large);
});

test("a branch that holds something else gets nothing on top of it", async () => {
  const path = remote();
  const work = join(root, `work-${count}`);
  run("init", "--quiet", "--initial-branch=main", work);
  writeFileSync(join(work, "README"), "a project\n");
  run("-C", work, "add", "README");
  const who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"];
  run("-C", work, ...who, "commit", "--quiet", "-m", "begin");
  run("-C", work, "push", "--quiet", path, "main");
  const before = run("-C", path, "rev-parse", "main");
  const carrier = await open(`git+file://${path}#main`);
  expect(await failure(carrier.put("space.json", one))).toContain("holds something else");
  expect(run("-C", path, "rev-parse", "main")).toBe(before);
  // Another branch of the same repository is free.
  const own = await open(`git+file://${path}`);
  expect(await own.put("space.json", one)).toBe("created");
  expect(run("-C", path, "rev-parse", "main")).toBe(before);
});

test("a lock that a killed git left behind is told of, and goes with its age", async () => {
  const path = remote();
  const ask = { url: `git+file://${path}`, folder: join(root, `home-${(count += 1)}`), access };
  const carrier = await openGit(ask);
  await carrier.put("log/aa/00000001.age", one);
  const [cache = ""] = readdirSync(ask.folder);
  const lock = join(ask.folder, cache, "refs/continuity/tip.lock");
  const other = await open(ask.url);
  await other.put("log/aa/00000002.age", one);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, "");
  const late = await openGit(ask);
  expect(await failure(late.list("log/", ""))).toContain("another sync works");
  utimesSync(lock, 1, 1);
  const later = await openGit(ask);
  expect(await later.list("log/", "")).toHaveLength(2);
});

test("killed in mid-push: nothing half, and it goes on later", async () => {
  const path = remote();
  const [reached, release] = [join(root, "reached"), join(root, "release")];
  Bun.spawnSync(["mkfifo", reached, release]);
  const hook = join(path, "hooks", "pre-receive");
  mkdirSync(join(path, "hooks"), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\necho here > ${reached}\ncat ${release}\nexit 1\n`, {
    mode: 0o755,
  });
  const ask = JSON.stringify({ url: `git+file://${path}`, folder: join(root, "killed"), access });
  const code = `const { openGit } = await import(${JSON.stringify(join(import.meta.dir, "git.ts"))});
    await (await openGit(${ask})).put("log/aa/00000001.age", new Uint8Array([1]));`;
  const child = Bun.spawn([process.execPath, "-e", code], { stderr: "ignore" });
  await Bun.spawn(["cat", reached]).exited;
  child.kill("SIGKILL");
  await child.exited;
  rmSync(hook);
  const carrier = await openGit(JSON.parse(ask) as Parameters<typeof openGit>[0]);
  expect(await carrier.get("log/aa/00000001.age")).toBeNull();
  expect(await carrier.put("log/aa/00000001.age", one)).toBe("created");
  await Bun.spawn(["sh", "-c", `echo > ${release}`]).exited;
});

test("a branch that was set back shows what it holds now, and grows from there", async () => {
  const path = remote();
  const url = `git+file://${path}`;
  const names = [1, 2].map((n) => `log/aa/0000000${n}.age`);
  const carrier = await open(url);
  for (const name of names) await carrier.put(name, one);
  run("-C", path, "update-ref", "refs/heads/continuity", "refs/heads/continuity~1");
  expect(await carrier.list("log/", "")).toEqual(names.slice(0, 1));
  expect(await carrier.put(names[1] ?? "", one)).toBe("created");
});
