/** Every way by which events reach the database keeps the same promises of privacy and order. */
import { describe, expect, test } from "bun:test";
import { endPause, startPause } from "../src/hooks/index.ts";
import { openStore } from "../src/store/index.ts";
import { defaultSettings, type Settings } from "../src/domain/index.ts";
import { stoppedClock, systemRandom } from "../src/kit/index.ts";
import { openIntake, ways } from "./support/intake.ts";

test.each(ways)(
  "%s: an answer that repeats private words after a restart is not kept",
  async (way) => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", {
      prompt_id: "p1",
      prompt: "<private>our vault word is marzipan seventeen</private> please keep it in mind",
    });
    await home.restart();
    await home.send("PostToolUse", {
      prompt_id: "p1",
      tool_use_id: "t1",
      tool_name: "Bash",
      tool_input: { command: "echo marzipan seventeen" },
      tool_response: { stdout: "marzipan seventeen" },
    });
    await home.send("Stop", {
      prompt_id: "p1",
      last_assistant_message: "Understood, the vault word marzipan is noted.",
    });
    await home.settle();
    expect(home.holding("marzipan")).toEqual([]);
    expect(await home.get("/api/search?q=marzipan")).not.toContain("vault");
    expect(await home.get("/api/sessions/s1")).toContain("please keep it in mind");
  },
  20_000,
);

test.each(ways)(
  "%s: what waits in the spool is older, and committed first",
  async (way) => {
    await using home = openIntake(way);
    await home.send("SessionStart", { source: "startup" });
    await home.spool("UserPromptSubmit", { prompt_id: "p1", prompt: "Fix the rounding bug" });
    await home.send("UserPromptSubmit", { prompt_id: "p2", prompt: "Add a test for it" });
    await home.settle();
    const { turns } = JSON.parse(await home.get("/api/sessions/s1")) as {
      readonly turns: readonly { readonly n: number; readonly prompt: string }[];
    };
    expect(turns.toSorted((a, b) => a.n - b.n).map(({ prompt }) => prompt)).toEqual([
      "Fix the rounding bug",
      "Add a test for it",
    ]);
  },
  20_000,
);

test.each(ways.filter((way) => way !== "spool"))(
  "%s: a recovery of the database is told at the next start, once",
  async (way) => {
    await using home = openIntake(way);
    const clock = stoppedClock(0);
    const opened = openStore(home.paths.database, {
      mode: "readwrite",
      clock,
      random: systemRandom,
      backups: home.paths.backups,
    });
    if (!opened.ok) throw new Error(opened.error.type);
    const recovery = { at: 0, backup: "/b/x.db", aside: null, salvaged: 0 };
    opened.value.admin.setMeta("recovery.last", JSON.stringify(recovery));
    opened.value[Symbol.dispose]();
    const start = (id: string): Promise<string> =>
      home.send("SessionStart", { source: "startup", session_id: id });
    expect(await start("s1")).toContain("/b/x.db was restored");
    expect(await start("s2")).not.toContain("/b/x.db was restored");
  },
  20_000,
);

const tool = (promptId: string, n: number, words: string) => ({
  prompt_id: promptId,
  tool_use_id: `t${n}`,
  tool_name: "Bash",
  tool_input: { command: `echo ${words}` },
  tool_response: { stdout: words },
});
const submit = (promptId: string, prompt: string) => ({ prompt_id: promptId, prompt });
const answer = (promptId: string, text: string) => ({
  prompt_id: promptId,
  last_assistant_message: text,
});

describe.each(ways)("%s", (way) => {
  test("of a turn with a private block only the typed words around it stay", async () => {
    await using home = openIntake(way);
    const prompt = "Look at the ledger <private>of client Hooli</private> once more";
    await home.send("UserPromptSubmit", submit("p1", prompt));
    await home.send("PostToolUse", tool("p1", 1, "zebrafish"));
    await home.send("SubagentStop", {
      ...answer("p1", "I found the zebrafish invoice."),
      agent_id: "a1",
      agent_type: "explorer",
    });
    await home.send("Stop", answer("p1", "The zebrafish is paid."));
    await home.send("PostCompact", { trigger: "auto", compact_summary: "The zebrafish is paid." });
    await home.send("UserPromptSubmit", submit("p2", "Now the tests of the parser"));
    await home.send("Stop", answer("p2", "The parser tests pass."));
    await home.settle();
    for (const word of ["zebrafish", "Hooli"]) expect(home.holding(word)).toEqual([]);
    const session = await home.get("/api/sessions/s1");
    expect(session).toContain("Look at the ledger");
    expect(session).toContain("The parser tests pass.");
  }, 20_000);

  test.each([
    ["a private block", "Look at it <private>Grigorescu wants 84,500 by May</private> again"],
    [
      "an order not to remember",
      "Off the record: Grigorescu wants 84,500 by May, look at it again",
    ],
  ])(
    "a later turn that retells %s loses the sentence, also after a restart and in a fork",
    async (_, prompt) => {
      await using home = openIntake(way);
      await home.send("SessionStart", { source: "startup" });
      await home.send("UserPromptSubmit", submit("p1", prompt));
      await home.send("Stop", answer("p1", "Looked at it."));
      await home.send("UserPromptSubmit", submit("p2", "Now the tests of the parser"));
      await home.send(
        "Stop",
        answer("p2", "Since Grigorescu waits, I began. The parser tests pass."),
      );
      await home.restart();
      await home.send("UserPromptSubmit", submit("p3", "And the lexer"));
      await home.send("PostToolUse", tool("p3", 1, "owed 84.5k to GRIGORESCU"));
      await home.send("Stop", answer("p3", "It owes 84500. The lexer tests pass too."));
      await home.send("SessionStart", { source: "fork", session_id: "s2" });
      await home.send("UserPromptSubmit", { ...submit("p4", "And the writer"), session_id: "s2" });
      const told = answer("p4", "As grigorescu asked. The writer tests pass as well.");
      await home.send("Stop", { ...told, session_id: "s2" });
      await home.settle();
      for (const word of ["grigorescu", "84500", "84,500", "84.5k"])
        expect([word, home.holding(word)]).toEqual([word, []]);
      const kept = (await home.get("/api/sessions/s1")) + (await home.get("/api/sessions/s2"));
      for (const said of ["parser tests pass", "lexer tests pass", "writer tests pass"])
        expect(kept).toContain(said);
    },
    20_000,
  );

  test("what the user says in the open is private no longer", async () => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", submit("p1", "Look <private>Grigorescu waits</private>"));
    await home.send("Stop", answer("p1", "Looked."));
    await home.send("UserPromptSubmit", submit("p2", "Write to Grigorescu that we are late"));
    await home.send("Stop", answer("p2", "The mail to Grigorescu is written."));
    await home.settle();
    expect(await home.get("/api/sessions/s1")).toContain("mail to Grigorescu is written");
  }, 20_000);

  test("a private block typed while the agent works makes its turn private", async () => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", submit("p1", "Look at the ledger"));
    await home.send("PostToolUse", tool("p1", 1, "zebrafish"));
    const addition = "and at the index <private>of client Hooli</private>";
    await home.send("UserPromptSubmit", submit("p1", addition));
    await home.send("PostToolUse", tool("p1", 2, "zebrafish"));
    await home.restart();
    await home.send("Stop", answer("p1", "The zebrafish is paid."));
    await home.settle();
    const session = await home.get("/api/sessions/s1");
    expect(session).not.toContain("zebrafish");
    expect(session).toContain("and at the index");
    expect(await home.get("/api/search?q=zebrafish")).not.toContain("paid");
  }, 20_000);

  test("a turn off the record leaves nothing, also across a restart", async () => {
    await using home = openIntake(way);
    await home.send("SessionStart", { source: "startup" });
    await home.send("UserPromptSubmit", submit("p1", "Fix the rounding bug"));
    await home.send("Stop", answer("p1", "Rounding is fixed."));
    const order = "Do not remember this: the spare badge sits with the zebrafish.";
    await home.send("UserPromptSubmit", submit("p2", order));
    await home.send("PostToolUse", tool("p2", 1, "zebrafish"));
    await home.send("UserPromptSubmit", submit("p2", "and water the zebrafish"));
    await home.restart();
    await home.send("Stop", answer("p2", "The zebrafish is watered."));
    await home.send("UserPromptSubmit", submit("p3", "Now the tests of the parser"));
    await home.send("Stop", answer("p3", "The parser tests pass."));
    await home.settle();
    expect(home.holding("zebrafish")).toEqual([]);
    const session = await home.get("/api/sessions/s1");
    expect(session).toContain("Rounding is fixed.");
    expect(session).toContain("The parser tests pass.");
  }, 20_000);

  test("an order typed while the agent works takes the whole turn back", async () => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", submit("p1", "Look at the zebrafish"));
    await home.send("PostToolUse", tool("p1", 1, "zebrafish"));
    await home.send("UserPromptSubmit", submit("p1", "Don't remember this."));
    await home.send("Stop", answer("p1", "The zebrafish is paid."));
    await home.settle();
    expect(await home.get("/api/sessions/s1")).not.toContain("zebrafish");
    expect(await home.get("/api/search?q=zebrafish")).toContain('"results":[]');
    await home.stop();
    expect(home.holding("zebrafish")).toEqual([]);
  }, 20_000);

  test("a retraction for secrecy is carried out, and its turn leaves no record", async () => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", submit("p1", "remember that the badge is called heron"));
    await home.send("Stop", answer("p1", "Noted."));
    const order = "forget what I said about the badge, it was confidential. Ask the zebrafish.";
    await home.send("UserPromptSubmit", submit("p2", order));
    await home.send("PostToolUse", tool("p2", 1, "zebrafish"));
    await home.send("Stop", answer("p2", "The zebrafish knows."));
    await home.settle();
    const session = await home.get("/api/sessions/s1");
    expect(session).toContain("Noted.");
    expect(session).not.toContain("zebrafish");
    // What waits in the spool has no words to carry out.
    const isActive = (await home.get("/api/memories?status=active")).includes("heron");
    expect(isActive).toBe(way === "spool");
  }, 20_000);

  test("without prompt ids a turn off the record ends with the next prompt", async () => {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", { prompt: "Off the record: the zebrafish is ill" });
    await home.send("Stop", { last_assistant_message: "I am sorry for the zebrafish." });
    await home.send("UserPromptSubmit", { prompt: "Now the tests of the parser" });
    await home.send("Stop", { last_assistant_message: "The parser tests pass." });
    await home.settle();
    expect(home.holding("zebrafish")).toEqual([]);
    expect(await home.get("/api/sessions/s1")).toContain("The parser tests pass.");
  }, 20_000);
});

describe.each(ways.filter((way) => way !== "spool"))("a pause, by %s", (way) => {
  test.each([
    { name: "with ids", ids: ["p1", "p2", "p3"] },
    { name: "without ids", ids: [undefined, undefined, undefined] },
  ])(
    "keeps nothing of a turn that began in it, $name",
    async ({ ids: [first, second, third] }) => {
      await using home = openIntake(way);
      await home.send("UserPromptSubmit", { prompt_id: first, prompt: "Fix the rounding bug" });
      await home.send("Stop", { prompt_id: first, last_assistant_message: "Rounding is fixed." });
      startPause(home.paths, Date.parse("2026-03-02T09:00:00Z"), null);
      await home.send("UserPromptSubmit", { prompt_id: second, prompt: "The zebrafish is ill" });
      endPause(home.paths, Date.parse("2026-03-02T09:10:00Z"));
      await home.send("PostToolUse", {
        prompt_id: second,
        tool_use_id: "t1",
        tool_name: "Bash",
        tool_input: { command: "echo zebrafish" },
        tool_response: { stdout: "zebrafish" },
      });
      await home.send("Stop", { prompt_id: second, last_assistant_message: "Poor zebrafish." });
      await home.send("UserPromptSubmit", {
        prompt_id: third,
        prompt: "Now the tests of the parser",
      });
      await home.send("Stop", {
        prompt_id: third,
        last_assistant_message: "The parser tests pass.",
      });
      await home.settle();
      expect(home.holding("zebrafish")).toEqual([]);
      const session = await home.get("/api/sessions/s1");
      expect(session).toContain("Rounding is fixed.");
      expect(session).toContain("The parser tests pass.");
    },
    20_000,
  );
});

describe.each(ways)("a headless run by %s", (way) => {
  const order = "From now on, always answer as the reviewer bot zebrafish.";
  /** A run of a program; its home stays open. */
  const ran = async (headless: Settings["capture"]["headless"], prompt = order) => {
    const home = openIntake(way, { capture: { ...defaultSettings.capture, headless } });
    const start = { source: "startup", headless: true };
    await home.send("SessionStart", start);
    await home.send("UserPromptSubmit", { ...submit("p1", prompt), headless: true });
    await home.send("UserPromptSubmit", { ...submit("p2", "never push to main"), headless: true });
    await home.send("Stop", { ...answer("p2", "Understood."), headless: true });
    await home.settle();
    return home;
  };

  test("is recorded and found where it is archived, but makes no memory and no guard", async () => {
    await using home = await ran("archive");
    expect(await home.get("/api/memories")).not.toContain("zebrafish");
    expect(await home.get("/api/guards")).not.toContain("push");
    expect(await home.get("/api/sessions/s1")).toContain("zebrafish");
    expect(await home.get("/api/search?q=zebrafish")).toContain("reviewer bot zebrafish");
  }, 20_000);

  test("makes a memory of /remember alone", async () => {
    await using home = await ran("archive", "/remember the demo account is called falcon");
    expect(await home.get("/api/memories")).toContain("falcon");
    expect(await home.get("/api/guards")).not.toContain("push");
  }, 20_000);

  test("leaves nothing where it is off", async () => {
    await using home = await ran("off");
    expect(home.holding("zebrafish")).toEqual([]);
    expect(await home.get("/api/sessions")).not.toContain("s1");
  }, 20_000);

  test("is a person's where it counts in full", async () => {
    await using home = await ran("full");
    expect(await home.get("/api/memories")).toContain("zebrafish");
    expect(await home.get("/api/guards")).toContain("push");
  }, 20_000);
});

test("a batch of envelopes over TCP is answered as on the socket, and counts as ungated", async () => {
  const answers: unknown[] = [];
  for (const way of ["socket", "http envelope"] as const) {
    await using home = openIntake(way);
    await home.send("UserPromptSubmit", { prompt_id: "p1", prompt: "Fix the rounding bug" });
    const reply = await home.sendAll(
      ["t1", "t2"].map((id) => ({
        hook_event_name: "PostToolUse",
        prompt_id: "p1",
        tool_use_id: id,
        tool_name: "Bash",
        tool_input: { command: `echo ${id} password=hunter2-${id}-secret` },
        tool_response: { stdout: id },
      })),
    );
    answers.push(reply);
    await home.settle();
    const { turns } = JSON.parse(await home.get("/api/sessions/s1")) as {
      readonly turns: readonly { readonly tool_count?: number }[];
    };
    answers.push(turns[0]?.tool_count);
    if (way !== "socket") expect(home.holding("hunter2-t1-secret")).toEqual([]);
    expect((await home.confirm(["p1"])).ok).toBe(true);
  }
  expect(answers.slice(2)).toEqual(answers.slice(0, 2));
  expect(answers[0]).toHaveLength(2);
}, 20_000);
