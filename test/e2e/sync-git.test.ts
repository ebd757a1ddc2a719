/** Two homes over a branch of a git repository, with the built program. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openProgram, type Program } from "../support/program.ts";

setDefaultTimeout(120_000);

const git = (...args: readonly string[]): string => {
  const { stdout, exitCode } = Bun.spawnSync(["git", ...args]);
  expect(exitCode).toBe(0);
  return stdout.toString().trim();
};

const run = async (
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const ran = await program.run(args, { env });
  if (ran.status !== 0) throw new Error(`${args.join(" ")}: ${ran.err}${ran.out}`);
  return ran.out;
};

const holding = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));

const secret = "The Heron account is opened with the phrase violet tractor";

test("said on one machine, known on the other; forgotten there, gone from the files of the first", async () => {
  await using a = openProgram();
  await using b = openProgram();
  const remote = join(a.folder, "remote.git");
  git("init", "--quiet", "--bare", remote);
  const url = `git+file://${remote}#heron/memory`;

  await run(a, ["sync", "init", url, "--name", "laptop"]);
  await run(a, ["remember", secret]);
  await run(a, ["sync", "now"]);
  const { key } = JSON.parse(await run(a, ["sync", "key", "--json"])) as { readonly key: string };
  await run(b, ["sync", "init", url, "--name", "workstation"], { CONTINUITY_SYNC_KEY: key });
  expect(await run(b, ["find", "--all-projects", "Heron account"])).toContain("violet tractor");

  // No branch but the one that was named, and nothing in it but encrypted files.
  expect(git("-C", remote, "branch", "--list", "--format=%(refname:short)")).toBe("heron/memory");
  for (const name of git("-C", remote, "ls-tree", "-r", "--name-only", "heron/memory").split("\n"))
    expect(git("-C", remote, "show", `heron/memory:${name}`)).not.toContain("Heron");

  await run(b, [
    "forget",
    "--yes",
    "mem://user/entities/heron-account-opened-phrase-violet-tractor",
  ]);
  await run(b, ["sync", "now"]);
  await run(a, ["sync", "now"]);
  await a.stopDaemon();
  expect(holding(a.paths.root, "violet tractor")).toEqual([]);
  expect(await run(a, ["sync", "verify"])).toContain("all of them fit");
});

test("a remote that is gone, refuses or asks is told in one line; nothing is lost and it goes on later", async () => {
  await using a = openProgram();
  const remote = join(a.folder, "remote.git");
  git("init", "--quiet", "--bare", remote);
  await run(a, ["sync", "init", `git+file://${remote}`]);
  await run(a, ["remember", "The Heron service listens on port 7071"]);

  renameSync(remote, `${remote}.away`);
  const gone = await a.run(["sync", "now"]);
  expect(gone.status).toBe(1);
  expect(gone.err).toContain("there is no git repository");
  renameSync(`${remote}.away`, remote);
  // As a server that lets read and not write.
  const hook = join(remote, "hooks/pre-receive");
  writeFileSync(hook, "#!/bin/sh\necho 'no more room for you' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  const refused = await a.run(["sync", "now"]);
  expect(refused.status).toBe(1);
  expect(refused.err).toContain("no more room for you");
  chmodSync(hook, 0o644);
  expect(await run(a, ["sync", "now"])).toContain("sent");
  expect(await run(a, ["sync", "status"])).not.toContain("no more room");

  const ssh = join(a.folder, "ssh");
  writeFileSync(ssh, "#!/bin/sh\necho 'Permission denied (publickey).' >&2\nexit 255\n");
  chmodSync(ssh, 0o755);
  await using b = openProgram();
  const asked = await b.run(["sync", "init", "git+ssh://git@host.invalid/x.git"], {
    env: { GIT_SSH_COMMAND: ssh },
  });
  expect(asked.status).toBe(1);
  expect(asked.err).toContain("does not accept the credentials");
  const password = await b.run(["sync", "init", "git+https://ada:hunter2@host.invalid/x.git"]);
  expect(password.err).toContain("may hold no password");
  expect(password.err + b.log()).not.toContain("hunter2");
});
