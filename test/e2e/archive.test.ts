/** The archive of transcripts with the built program: what it keeps, what it never keeps, and how it comes back. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { eventually, openProgram, type Program } from "../support/program.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const awsKey = ["AKIA", "IOSFODNN7", "EXAMPLQ"].join("");

/** A session as the client leaves it: hooks for each turn, and a transcript beside them. */
async function ended(
  program: Program,
  id: string,
  turns: readonly (readonly [prompt: string, answer: string])[],
) {
  const folder = join(program.folder, "transcripts");
  mkdirSync(folder, { recursive: true });
  const transcript_path = join(folder, `${id}.jsonl`);
  const cwd = program.project("shop");
  const common = { session_id: id, transcript_path, cwd };
  const lines: unknown[] = [];
  for (const [n, [prompt, answer]] of turns.entries()) {
    const prompt_id = `${id}-p${n}`;
    await program.hook("submit", {
      ...common,
      hook_event_name: "UserPromptSubmit",
      prompt,
      prompt_id,
    });
    await program.hook("stop", {
      ...common,
      hook_event_name: "Stop",
      prompt_id,
      stop_hook_active: false,
      last_assistant_message: answer,
    });
    const line = { sessionId: id, cwd, timestamp: "2026-03-01T10:00:00.000Z" };
    lines.push({
      ...line,
      type: "user",
      uuid: `${prompt_id}-u`,
      parentUuid: null,
      promptId: prompt_id,
      message: { role: "user", content: prompt },
    });
    lines.push({ ...line, type: "last-prompt", lastPrompt: prompt });
    lines.push({
      ...line,
      type: "assistant",
      uuid: `${prompt_id}-a`,
      parentUuid: `${prompt_id}-u`,
      message: { role: "assistant", content: [{ type: "text", text: answer }] },
    });
  }
  writeFileSync(transcript_path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await program.hook("end", { ...common, hook_event_name: "SessionEnd", reason: "exit" });
  return transcript_path;
}

/** As if the sessions had ended an hour ago. */
async function settle(program: Program): Promise<void> {
  await program.flush();
  await program.stopDaemon();
  using db = new Database(program.paths.database);
  db.run("UPDATE sessions SET last_event_at = last_event_at - 3600000");
}

/** Runs the archive as the daemon starts it. */
async function archive(program: Program): Promise<void> {
  await settle(program);
  expect(await program.run(["upkeep-task", "archive"])).toMatchObject({ status: 0, err: "" });
}

const read = (program: Program, id: string): string =>
  gunzipSync(readFileSync(join(program.paths.archive, `${id}.jsonl.gz`))).toString();

test("an ended session is kept through the gate, and comes back after the client has deleted it", async () => {
  await using program = openProgram();
  const path = await ended(program, "11111111-aaaa", [
    ["fix the port of the plotter", `It listens on 9107 now, with key ${awsKey}`],
    ["<private>my diagnosis is gout</private>", "I am sorry to hear about the gout"],
    [
      "and <private>my doctor is called Ferdinand Vogelsang</private> restart it",
      "Restarted; give Ferdinand Vogelsang my best",
    ],
    ["and the nozzle?", "Ask Vogelsang about it. The nozzle is new."],
  ]);
  await archive(program);
  const text = read(program, "11111111-aaaa");
  expect(text).toContain("It listens on 9107 now");
  expect(text).toContain("restart it");
  expect(text).toContain("[redacted:private] The nozzle is new.");
  for (const never of ["IOSFODNN7", "gout", "Ferdinand", "Vogelsang", "<private>", "last-prompt"])
    expect(text).not.toContain(never);
  const file = join(program.paths.archive, "11111111-aaaa.jsonl.gz");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const listed = await program.run(["archive"]);
  expect(listed.out).toMatch(/11111111-aaaa +2026-.* fix the port of the plotter/);
  const occupied = await program.run(["archive", "restore", "11111111"]);
  expect(occupied).toMatchObject({ status: 1, out: "" });
  expect(occupied.err).toContain("already exists and was left unchanged");
  rmSync(path);
  expect(await program.run(["archive", "restore", "11111111"])).toMatchObject({
    status: 0,
    out: `restored to ${path}\n`,
  });
  expect(readFileSync(path, "utf8")).toBe(text);
  expect((await program.run(["archive", "restore", "11111111-aaaa", "--to", "-"])).out).toBe(text);
  expect((await program.run(["archive", "restore", "22"])).err).toMatch(
    /^error: no transcript of 22 is archived; /,
  );
}, 90_000);

test("forget takes its text out of the archive, and it does not come back with the next one", async () => {
  await using program = openProgram();
  const path = await ended(program, "22222222-bbbb", [
    ["remember that the kiln burns at 900 degrees", "Noted: the kiln burns at 900 degrees."],
    ["and the quay crane?", "It lifts 40 tons"],
  ]);
  await archive(program);
  expect(read(program, "22222222-bbbb")).toContain("kiln burns at 900");
  const found = await program.run(["find", "--all-projects", "--json", "kiln"]);
  const uri = /mem:\/\/[^"]+kiln[^"]*/.exec(found.out)?.[0] ?? "";
  expect(await program.run(["forget", uri, "--yes"])).toMatchObject({ status: 0 });
  await eventually(
    "the archive without it",
    () => !read(program, "22222222-bbbb").includes("kiln burns at 900"),
  );
  expect(read(program, "22222222-bbbb")).toContain("It lifts 40 tons");
  // The client's own transcript still says it: archived anew, it must not.
  rmSync(join(program.paths.archive, "22222222-bbbb.jsonl.gz"));
  expect(readFileSync(path, "utf8")).toContain("kiln burns");
  await archive(program);
  expect(read(program, "22222222-bbbb")).not.toContain("kiln burns at 900");
  expect(read(program, "22222222-bbbb")).toContain("It lifts 40 tons");
}, 90_000);

test("projects that are switched off, and a switched-off archive, leave nothing", async () => {
  await using program = openProgram();
  await ended(program, "33333333-cccc", [["hello there", "Hello"]]);
  await program.flush();
  writeFileSync(join(program.folder, "shop", ".continuityignore"), "");
  await archive(program);
  const names = (): readonly string[] =>
    existsSync(program.paths.archive) ? readdirSync(program.paths.archive) : [];
  expect(names()).toEqual([]);
  rmSync(join(program.folder, "shop", ".continuityignore"));
  writeFileSync(program.paths.config, "[capture]\narchive = false\n", { mode: 0o600 });
  await settle(program);
  {
    using db = new Database(program.paths.database);
    const hourAgo = `${Date.now() - 3_600_000}`;
    db.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('upkeep.first', ?)", [hourAgo]);
  }
  await program.up();
  await eventually("the archive's turn", () => / task=archive /.test(program.log()), 30_000);
  expect(names()).toEqual([]);
  expect(program.log()).toContain('note="switched off"');
}, 90_000);
