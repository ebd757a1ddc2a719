/**
 * Proves the harness of the end-to-end tests, and that the client runs what `install` writes: here a shell script in
 * the place of the program, so that a failure elsewhere is the program's.
 */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#kit";
import { install, settingsPathFor } from "#clients";
import { startFakeAnthropic, type Script } from "../support/fake-anthropic.ts";
import {
  type ClientResult,
  hookOutputs,
  installClient,
  runClient,
} from "../support/real-client.ts";

const client = installClient();
const root = mkdtempSync(join(tmpdir(), "continuity harness "));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Place {
  readonly home: string;
  readonly project: string;
  /** One line per hook: its arguments and its input. */
  readonly log: string;
}

/** A home with our hooks in its settings, and a project. */
function stage(name: string, hookBody: string): Place {
  const place = {
    home: join(root, name, "home"),
    project: join(root, name, "project"),
    log: join(root, name, "hooks.log"),
  };
  mkdirSync(place.home, { recursive: true });
  mkdirSync(place.project);
  const binary = join(root, name, "continuity");
  writeFileSync(
    binary,
    `#!/bin/sh\nprintf '%s\\n' "$1 $2 $(cat)" >> '${place.log}'\n${hookBody}\n`,
  );
  chmodSync(binary, 0o755);
  const settingsPath = settingsPathFor({ HOME: place.home }, null);
  const backups = join(place.home, "backups");
  const options = { settingsPath, backups, binary, dryRun: false };
  expect(install(systemClock, options).ok).toBe(true);
  return place;
}

async function session(
  place: Place,
  script: Script,
  run: { readonly prompts: readonly string[]; readonly timeoutMs?: number },
): Promise<ClientResult & { readonly api: ReturnType<typeof startFakeAnthropic> }> {
  const api = startFakeAnthropic({ script });
  const { home, project } = place;
  const result = await runClient(client.path ?? "", { home, project, apiUrl: api.url, ...run });
  await api.stop();
  return { ...result, api };
}

const firedIn = (place: Place): readonly string[] =>
  readFileSync(place.log, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ").slice(0, 2).join(" "));

const answer = `case "$2" in
  start) printf '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"from start"}}';;
  submit) printf '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"from submit"}}';;
esac`;
const bash = (command: string) => ({ name: "Bash", input: { command, description: "Run it" } });

test.skipIf(client.path === null)(
  "the client fires the hooks that install wrote, and the API sees what they inject",
  async () => {
    const place = stage("inject", answer);
    const { api, ...result } = await session(
      place,
      {
        main: [
          { thinking: "hm", text: "I'll look.", tools: [bash("echo seen")] },
          { tools: [bash("exit 3")] },
          "All done.",
          "You're welcome.",
        ],
      },
      { prompts: ["look around", "/compact", "thanks"] },
    );

    expect(result).toMatchObject({ exitCode: 0, timedOut: false });
    expect(result.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(firedIn(place)).toEqual([
      "hook start",
      "hook submit",
      "hook guard",
      "hook tool",
      "hook guard",
      "hook tool",
      "hook stop",
      "hook compact",
      "hook subagent",
      "hook start",
      "hook compact",
      "hook submit",
      "hook stop",
      "hook end",
    ]);
    const main = api.of("main");
    expect(main.map(({ text }) => text.includes("from start"))).toEqual([true, true, true, true]);
    expect(main[0]?.text).toContain("from submit");
    expect(main[1]?.text).toContain("seen");
    expect(api.of("compact")).toHaveLength(1);
    expect(hookOutputs(result, "UserPromptSubmit")).toHaveLength(2);
  },
  120_000,
);

test.skipIf(client.path === null)(
  "a client that hangs is killed with all that it started",
  async () => {
    const place = stage("hang", "");
    const ticks = join(root, "hang", "ticks");
    const command = `for i in $(seq 300); do echo tick >> '${ticks}'; sleep 0.1; done`;
    const script = { main: [{ tools: [bash(command)] }] };
    const result = await session(place, script, { prompts: ["hang"], timeoutMs: 5_000 });
    expect(result).toMatchObject({ exitCode: null, timedOut: true });
    const before = readFileSync(ticks, "utf8");
    await Bun.sleep(500);
    expect(readFileSync(ticks, "utf8")).toBe(before);
  },
  60_000,
);
