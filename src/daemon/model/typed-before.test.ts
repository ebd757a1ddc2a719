/** An order that is typed again in a later session is shown with the earlier words. */
import { expect, test } from "bun:test";
import { refusedCall } from "#domain";
import { answering, remembered, sessionReply } from "../../../test/support/extracted.ts";
import type { AskedQuestion } from "../../../test/support/scripted-llm.ts";
import { openTestWorker } from "../../../test/support/worker.ts";

type App = ReturnType<typeof openTestWorker>;

/** `refused`: a command that the user refused in the turn. */
async function talk(app: App, id: string, prompt: string, refused = ""): Promise<void> {
  const common = { session_id: id, prompt_id: `${id}-1` };
  app.send("submit", "UserPromptSubmit", { ...common, prompt });
  if (refused !== "") refuse(app, id, refused);
  const last_assistant_message = "The mooring lists are sorted now.";
  app.send("stop", "Stop", { ...common, last_assistant_message, stop_hook_active: false });
  app.send("end", "SessionEnd", { ...common, reason: "other" });
  await app.settle();
  app.clock.advance(86_400_000);
}

function refuse(app: App, sessionId: string, command: string): void {
  const [target = "", said = null] = command.split(" because ");
  const { sessions } = app.store;
  const turn = sessions.turns(sessionId)[0];
  if (turn === undefined) return;
  sessions.addToolUse({
    sessionId,
    turn: turn.n,
    toolUseId: `${sessionId}-refused`,
    tool: "Bash",
    target,
    files: [],
    outcome: "error",
    text: refusedCall(said),
    atMs: turn.startedAt,
    agentId: null,
  });
  sessions.updateTurn(turn.id, { toolCount: 1 });
}

/** Lines that each question shows between the known memories and the record. */
const shownIn = (asked: readonly string[]): readonly string[] =>
  asked.map(
    (prompt) => /From earlier sessions:\n([^]*?)\nRecord:/u.exec(prompt)?.[1]?.trim() ?? "",
  );

function openAsked(reply: (prompt: string) => readonly object[] = () => []) {
  const asked: string[] = [];
  const session = ({ prompt }: AskedQuestion) => {
    asked.push(prompt);
    return sessionReply(reply(prompt) as Parameters<typeof sessionReply>[0]);
  };
  return { app: openTestWorker({ llm: answering({ session }) }), asked };
}

const habit = "Sort the mooring list, then run the tide check and send the harbour master a note.";

test("an order typed in an earlier session stands in the question, and is no rule until its user says so", async () => {
  const rule = (prompt: string) =>
    prompt.includes("From earlier sessions:")
      ? [
          remembered({
            kind: "rule",
            valid: "again: E1",
            quote: "Sort the mooring list",
            line: "After a change: sort the mooring list, run the tide check, write the harbour master",
          }),
        ]
      : [];
  const { app, asked } = openAsked(rule);
  using _ = app;
  await talk(app, "s-1", habit);
  await talk(app, "s-2", "What does the crane cost per day in winter?");
  await talk(
    app,
    "s-3",
    "Sort the mooring list, run the tide check, then a note to the harbour master",
  );
  const [first, second, third] = shownIn(asked);
  expect([first, second]).toEqual(["", ""]);
  expect(third).toMatch(
    /^E1\. like \[1\], \d{4}-\d\d-\d\d: Sort the mooring list, then run the tide check/,
  );
  expect(app.memories().filter(({ tags }) => tags.includes("rule"))).toEqual([]);
  const page = { limit: 9 };
  const waiting = app.store.nodes.list({ projects: null, statuses: ["pending"] }, "uri", page);
  expect(waiting.map(({ tags }) => tags)).toEqual([["rule"]]);
});

test("nothing of a private turn, of a program's session, or of the agent's words is shown", async () => {
  const { app, asked } = openAsked();
  using _ = app;
  await talk(app, "s-1", `<private>${habit}</private> go on with the crane please`);
  await talk(app, "s-2", "go on with the crane please");
  await talk(app, "s-3", habit);
  await talk(app, "s-4", "Say whether those lists are in order now, in the harbour office");
  expect(shownIn(asked).join("")).not.toContain("tide check");
});

test("a short habit among other words is shown, and what only names the same file is not", async () => {
  const { app, asked } = openAsked();
  using _ = app;
  await talk(app, "s-1", "Open a tide ticket and address the small leaks first");
  await talk(app, "s-2", "Paint src/quay/north/crane.ts in the colour of the harbour office");
  await talk(
    app,
    "s-3",
    "Create a list of pumps and open a ticket in the tide board for this leak",
  );
  await talk(app, "s-4", "Why does src/quay/north/crane.ts stop? Grease it daily.");
  const [, , third, fourth] = shownIn(asked);
  expect(third).toContain("Open a tide ticket and address the small leaks first");
  expect(fourth).toBe("");
});

test("two words in common are chance, unless they are most of the order", async () => {
  const { app, asked } = openAsked();
  using _ = app;
  await talk(app, "s-1", "Update the readme with the list of pumps and the crane permission");
  await talk(app, "s-2", "Sort pumps and paint");
  await talk(app, "s-3", "I meant that you update the permission of that pilot");
  await talk(app, "s-4", "Please sort the berths, then paint");
  const [, , third, fourth] = shownIn(asked);
  expect(third).toBe("");
  expect(fourth).toContain("Sort pumps and paint");
});

test("a command that was refused in an earlier session too is shown with why", async () => {
  const { app, asked } = openAsked();
  using _ = app;
  await talk(
    app,
    "s-1",
    "Mend the tide gauge at the north quay",
    "make tide-all -j2 because it takes an hour",
  );
  await talk(app, "s-2", "Paint the crane in the colour of the office", "make crane-all");
  await talk(app, "s-3", "Sort the list of pumps for the harbour", "make tide-all -j2 --loud");
  const [first, second, third] = shownIn(asked);
  expect([first, second]).toEqual(["", ""]);
  expect(third).toMatch(
    /^E1\. like \[1\], \S+: user refused to run make tide-all -j2, saying: it takes an hour$/u,
  );
});
