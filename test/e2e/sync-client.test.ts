/** Two homes that share a folder, each with the real client: said in one, given in the other, forgotten in both. */
import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startFakeAnthropic } from "../support/fake-anthropic.ts";
import { hookOutputs, installClient, runClient } from "../support/real-client.ts";

const binary = resolve(import.meta.dir, "..", "..", "dist", "continuity");
const client = existsSync(binary) ? installClient() : { path: null };
const root = mkdtempSync(join(tmpdir(), "continuity-e2e-"));

interface Machine {
  readonly home: string;
  readonly project: string;
}

const machines = ["laptop", "workstation"].map((name): Machine => {
  const home = join(root, name);
  return { home, project: join(home, "shop") };
});

afterAll(() => {
  for (const { home } of machines) {
    const record = join(home, ".continuity", "daemon.json");
    if (!existsSync(record)) continue;
    const { pid } = JSON.parse(readFileSync(record, "utf8")) as { readonly pid: number };
    spawnSync("kill", [`${pid}`]);
  }
  rmSync(root, { recursive: true, force: true });
});

/** Runs the program as its user would, with nothing of this process's environment. */
function continuity(
  { home, project }: Machine,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): string {
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...more };
  const run = spawnSync(binary, args, { cwd: project, env, encoding: "utf8", timeout: 90_000 });
  if (run.status !== 0) throw new Error(`${args.join(" ")}: ${run.stderr}${run.stdout}`);
  return run.stdout;
}

/** `session` gives what a session's hooks gave the model. */
async function session(machine: Machine, prompt: string): Promise<string> {
  const api = startFakeAnthropic({ script: { main: ["Understood."] } });
  const asked = { ...machine, apiUrl: api.url, prompts: [prompt] };
  const result = await runClient(client.path ?? "", asked);
  await api.stop();
  expect(result).toMatchObject({ exitCode: 0, timedOut: false });
  return [...hookOutputs(result, "SessionStart"), ...hookOutputs(result, "UserPromptSubmit")].join(
    "\n",
  );
}

const filesHolding = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));

test.skipIf(client.path === null)(
  "what the user says in a session on one machine is given on the other; forgotten there, it is gone here",
  async () => {
    const [laptop, workstation] = machines as [Machine, Machine];
    const carrier = join(root, "carrier");
    mkdirSync(carrier);
    for (const machine of machines) {
      mkdirSync(machine.project, { recursive: true });
      spawnSync("git", ["init", "--quiet"], { cwd: machine.project });
      const remote = "https://git.example.org/acme/shop.git";
      spawnSync("git", ["remote", "add", "origin", remote], { cwd: machine.project });
      continuity(machine, ["install"]);
      continuity(machine, ["config", "set", "capture.headless", "full"]);
    }
    continuity(laptop, ["sync", "init", `file://${carrier}`, "--name", "laptop"]);
    const said = JSON.parse(continuity(laptop, ["sync", "key", "--json"])) as { key: string };
    const joining = ["sync", "init", `file://${carrier}`, "--name", "workstation"];
    continuity(workstation, joining, { CONTINUITY_SYNC_KEY: said.key });

    const fact = "the staging database listens on port 5433";
    const first = await session(laptop, `remember that ${fact}, 5432 is only local docker`);
    expect(first.replace(/\{"systemMessage".*/gu, "")).not.toContain("5433");
    continuity(laptop, ["flush", "--timeout", "60s"]);
    for (const machine of machines) continuity(machine, ["sync", "now"]);
    expect(await session(workstation, "which port does the staging database listen on?")).toContain(
      "5433",
    );

    const uris = continuity(workstation, ["list", "--json"])
      .split("\n")
      .filter((line) => line.includes("5433"))
      .map((line) => (JSON.parse(line) as { readonly uri: string }).uri);
    expect(uris).not.toEqual([]);
    continuity(workstation, ["forget", ...uris, "--yes"]);
    for (const machine of [workstation, laptop]) continuity(machine, ["sync", "now"]);
    expect(filesHolding(join(laptop.home, ".continuity"), fact)).toEqual([]);
    expect(await session(laptop, "which port does the staging database listen on?")).not.toContain(
      "5433",
    );
  },
  180_000,
);
