/** An agent takes the running turn off the record: nothing of it stays in the home, whichever way its events came. */
import { expect, test } from "bun:test";
import { isOffTheRecord } from "../src/hooks/index.ts";
import { openIntake, ways, type IntakeHome } from "./support/intake.ts";

const order = "Whatever I say of Zwrbanolk goes with us to the grave.";

const forgetTurn = (home: IntakeHome): Promise<Response> =>
  home.ask("/api/turns/forget", { quote: order, session: "s1", agent: null, home: null });

const bash = (id: string) => ({
  tool_use_id: id,
  tool_name: "Bash",
  tool_input: { command: "echo zwrbanolk" },
  tool_response: { stdout: "error: zwrbanolk" },
});

test.each(ways)(
  "%s: nothing of it is left, then or later, across a restart",
  async (way) => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", { prompt_id: "p1", prompt: "Fix the winch" });
    await home.send("Stop", { prompt_id: "p1", last_assistant_message: "Fixed." });
    await home.send("UserPromptSubmit", {
      prompt_id: "p2",
      prompt: `Remember that the winch is called Zwrbanolk. ${order}`,
    });
    expect((await forgetTurn(home)).status).toBe(200);
    expect(home.holding("Zwrbanolk")).toEqual([]);
    expect(isOffTheRecord(home.paths, "s1", "p2")).toBe(true);
    await home.restart();
    await home.send("PostToolUse", { prompt_id: "p2", ...bash("t2") });
    await home.send("Stop", { prompt_id: "p2", last_assistant_message: "Zwrbanolk is done." });
    await home.send("UserPromptSubmit", { prompt_id: "p3", prompt: "Now the yard" });
    await home.settle();
    for (const word of ["Zwrbanolk", "zwrbanolk"]) expect(home.holding(word)).toEqual([]);
    const session = await home.get("/api/sessions/s1");
    for (const said of ["Fix the winch", "Fixed.", "Now the yard"]) expect(session).toContain(said);
  },
  30_000,
);

test("what waits in the spool is of the turn as well", async () => {
  await using home = openIntake("socket");
  await home.send("UserPromptSubmit", { prompt_id: "p1", prompt: "Rename the winch" });
  await home.spool("UserPromptSubmit", { prompt_id: "p1", prompt: order });
  expect((await forgetTurn(home)).status).toBe(200);
  expect(await home.get("/api/sessions/s1")).not.toContain("winch");
  await home.settle();
  for (const word of ["Zwrbanolk", "zwrbanolk"]) expect(home.holding(word)).toEqual([]);
}, 20_000);

test("after the agent has read something, words that name no keeping take nothing back", async () => {
  await using home = openIntake("socket");
  await home.send("UserPromptSubmit", { prompt_id: "p1", prompt: order });
  await home.spool("PostToolUse", { prompt_id: "p1", ...bash("t1") });
  const answer = await forgetTurn(home);
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("continuity forget mem://sessions/s1/turns/1");
  expect(await home.get("/api/sessions/s1")).toContain("Zwrbanolk");
}, 20_000);

test("without ids of prompts, the turn ends with the next prompt", async () => {
  await using home = openIntake("socket");
  await home.send("UserPromptSubmit", { prompt: order });
  expect((await forgetTurn(home)).status).toBe(200);
  await home.restart();
  await home.send("Stop", { last_assistant_message: "Zwrbanolk is done." });
  await home.send("UserPromptSubmit", { prompt: "Now the yard" });
  await home.send("Stop", { last_assistant_message: "The yard is done." });
  await home.settle();
  expect(home.holding("Zwrbanolk")).toEqual([]);
  expect(home.holding("The yard is done.")).not.toEqual([]);
}, 20_000);
