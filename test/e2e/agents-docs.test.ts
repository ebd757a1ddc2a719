/** The commands that the agents' pages show, each run as it stands in a home where the agent has sessions. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openProgram } from "../support/program.ts";

setDefaultTimeout(120_000);

const recorded = "test/support/agents/sessions";

/** Sessions as each agent would have stored them below a home. */
function withSessions(home: string): void {
  const codex = join(home, ".codex/sessions");
  const gemini = join(home, ".gemini/tmp/acme-api/chats");
  const copilot = join(home, ".copilot/session-state/one");
  const opencode = join(home, ".local/share/opencode");
  for (const folder of [codex, gemini, copilot, opencode]) mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, ".config/opencode"), { recursive: true });
  mkdirSync(join(home, ".claude"), { recursive: true });
  for (const name of readdirSync(join(recorded, "codex")))
    cpSync(join(recorded, "codex", name), join(codex, `rollout-${name}`));
  cpSync(join(recorded, "gemini"), gemini, { recursive: true });
  cpSync(join(recorded, "copilot", "two-turns-resume.events.jsonl"), join(copilot, "events.jsonl"));
  using db = new Database(join(opencode, "opencode.db"));
  db.run(readFileSync(join(recorded, "opencode", "schema.sql"), "utf8"));
}

test.each(readdirSync("docs/agents").toSorted())(
  "docs/agents/%s: its commands run",
  async (page) => {
    const text = readFileSync(`docs/agents/${page}`, "utf8");
    const shown = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, body = ""]) =>
      body.trim().split("\n"),
    );
    expect(shown.length).toBeGreaterThan(1);
    const inline = [...text.matchAll(/`continuity (uninstall[^`]*)`/g)].map(
      ([, line = ""]) => line,
    );
    await using program = openProgram();
    withSessions(program.folder);
    for (const line of [...shown.map((one) => one.replace(/^continuity /, "")), ...inline]) {
      const ran = await program.run(line.split(" "));
      expect({ line, status: ran.status, err: ran.status === 0 ? "" : ran.err }).toEqual({
        line,
        status: 0,
        err: "",
      });
    }
  },
);
