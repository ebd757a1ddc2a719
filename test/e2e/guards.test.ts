/** Guards through the built program: from what a person forbids to what the client is answered, and back. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { openProgram, type Program } from "../support/program.ts";

/** As the client sends it before a command (recorded, the ids made up). */
const before = (cwd: string, command: string): string =>
  JSON.stringify({
    session_id: "11111111-2222-4333-8444-555555555555",
    transcript_path: "/home/dev/.claude/projects/-home-dev-acme-api/1.jsonl",
    cwd,
    prompt_id: "16ee0e5d-f8ca-4717-93c7-d3dd3866f3f3",
    permission_mode: "bypassPermissions",
    effort: { level: "medium" },
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command, description: "x" },
    tool_use_id: "toolu_fakeosalfl2f0gh",
  });

async function asked(program: Program, cwd: string, command: string): Promise<string> {
  const ran = await program.run(["hook", "guard"], { input: before(cwd, command), cwd });
  expect(ran).toMatchObject({ status: 0, err: "" });
  return ran.out;
}

const say = async (program: Program, cwd: string, session: string, prompt: string) =>
  program.hook("submit", { session_id: session, cwd, prompt, prompt_id: `${session}-1` });

test("what is forbidden is offered, acts once it is approved, without a daemon too, and is forgotten whole", async () => {
  await using program = openProgram();
  const cwd = program.project("shop");

  const { guards: file } = program.paths;
  await program.up();
  const words = "from now on never push yourself in this repo";
  let told = await say(program, cwd, "s-1", words);
  // On a busy machine a prompt may be spooled or late; the offer then comes with one that is answered.
  for (let n = 2; n < 9 && told === ""; n += 1) {
    await program.flush();
    told = await say(program, cwd, `s-${n}`, "ok");
  }
  expect(told).toContain("You have said not to push.");
  expect(existsSync(file)).toBe(false);
  expect(await asked(program, cwd, "git push")).toBe("");

  const run = (...args: readonly string[]) => program.run(args, { cwd });
  expect(await run("guards", "approve", "1")).toMatchObject({ status: 0 });
  expect(await asked(program, cwd, "cd x && git push")).toContain('"permissionDecision":"ask"');
  expect(await asked(program, cwd, "git status")).toBe("");
  // Said in this project, and not in that one.
  expect(await asked(program, program.folder, "git push")).toBe("");

  await program.stopDaemon();
  expect(await asked(program, cwd, "git push")).toContain("never push yourself");

  // A damaged file blocks nothing; the next daemon writes it anew.
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, 40));
  expect(await asked(program, cwd, "git push")).toBe("");
  expect(program.log()).toContain("guard.file");
  await program.up();
  expect(readFileSync(file, "utf8")).toBe(whole);

  const { out } = await run("list", "--json");
  const [memory] = out.trim().split("\n");
  const { uri } = JSON.parse(memory ?? "") as { readonly uri: string };
  expect(await run("forget", "--yes", uri)).toMatchObject({ status: 0 });
  expect(existsSync(file)).toBe(false);
  expect(await asked(program, cwd, "git push")).toBe("");
  expect((await run("guards")).out).toBe("No guards.\n");
});
