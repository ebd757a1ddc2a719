import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordedIn } from "./recorded.ts";

const prompt = (known: string, users: readonly string[]): string =>
  `Project: deskly.\nKnown:\n${known}\nRecord:\n${users
    .map((text, i) => `[${i + 1}] USER: ${text}\n  AGENT: Done.`)
    .join("\n\n")}`;

test("a reply is found by what its session's user typed, and replaces what it replaced under its number of now", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-recorded-"));
  const reply = { title: "Port", memories: [{ line: "Port 7777", replaces: 3 }], ended: [4] };
  const known = { "3": "staging db · port: Port 6432", "4": "staging db · engine: MySQL" };
  const users = ["staging db moved to 7777", "and commit"];
  writeFileSync(join(folder, "x.jsonl"), `${JSON.stringify({ users, known, reply })}\n`);
  const recorded = recordedIn(folder);
  const now = "1. [deskly, 2026-03-02] staging db · port: The port is 6432";
  expect(recorded(prompt(now, users))).toEqual({
    title: "Port",
    memories: [{ line: "Port 7777", replaces: [1] }],
    ended: [],
    built: [],
  });
  expect(recorded(prompt(now, ["something else", "altogether"]))).toBeNull();
});

test("a number with what still holds is given anew too, and so is what stands by its name now", () => {
  const folder = mkdtempSync(join(tmpdir(), "continuity-recorded-"));
  const still = "for tests alone";
  const reply = { title: "Port", memories: [{ replaces: [{ number: 3, still }] }], ended: [4] };
  const known = { "3": "staging db · port: Port 6432", "4": "staging db · engine: MySQL" };
  const users = ["staging db moved to 7777"];
  writeFileSync(join(folder, "x.jsonl"), `${JSON.stringify({ users, known, reply })}\n`);
  const now =
    "1. [2026-03-02] staging db · port: The port is 6432\n" +
    "Known too, by name: 2. lathe · oil (Filled every…); 5. staging db · engine (MySQL runs…)";
  expect(recordedIn(folder)(prompt(now, users))).toMatchObject({
    memories: [{ replaces: [{ number: 1, still }] }],
    ended: [5],
  });
});
