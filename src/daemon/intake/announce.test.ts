import { describe, expect, test } from "bun:test";
import { openTestWorker, testProject } from "../../../test/support/worker.ts";
import { defaultSettings, type HookEnvelope } from "#domain";
import type { Fault } from "../ports.ts";

const envelope = (prompt: string, id: string, atMs: number): HookEnvelope => ({
  v: 1,
  hook: "submit",
  clientEvent: "UserPromptSubmit",
  key: `key-of-${id}`,
  contentHash: id,
  anonymous: false,
  atMs,
  replayed: true,
  gated: false,
  payload: { session_id: "s-1", cwd: "/home/dev/deskly", prompt, prompt_id: id },
});

describe("that a prompt was not kept on the user's order", () => {
  /** The lines beside a prompt off the record, and beside the next one. */
  const linesOf = (
    via: "socket" | "spool",
    { isOn = true, isHeadless = false }: { isOn?: boolean; isHeadless?: boolean } = {},
  ) => {
    const announce = { ...defaultSettings.announce, remembered: isOn };
    using app = openTestWorker({ settings: { ...defaultSettings, announce } });
    app.worker.accept([envelope("hello", "p-0", app.startMs)], "socket");
    const prompt = envelope("", "p-1", app.startMs);
    const payload = { ...prompt.payload, off_the_record: true, headless: isHeadless };
    const [now] = app.worker.accept([{ ...prompt, payload }], via);
    const [next] = app.worker.accept([envelope("thanks", "p-2", app.startMs + 1)], "socket");
    return [now?.message, next?.message];
  };

  test("is told beside the prompt", () => {
    expect(linesOf("socket")).toEqual(["Not kept, as you asked.", undefined]);
  });

  test("is told with the next prompt where the spool brought it", () => {
    const [now, next] = linesOf("spool");
    expect(now).toBeUndefined();
    expect(next).toContain("was not kept, as you asked");
  });

  test("is told with the next prompt where an agent saw to it", () => {
    using app = openTestWorker();
    app.worker.accept([envelope("hello", "p-1", app.startMs)], "socket");
    const { payload, ...event } = envelope("", "p-1", app.startMs + 1);
    const marks = { off_the_record: true, running_turn: 1 };
    const [now] = app.worker.accept([{ ...event, payload: { ...payload, ...marks } }], "http");
    expect(now?.message).toBeUndefined();
    const [next] = app.worker.accept([envelope("thanks", "p-2", app.startMs + 2)], "socket");
    expect(next?.message).toContain("was not kept, as you asked");
  });

  test("is told to nobody where a program runs the client, or where the setting is off", () => {
    expect(linesOf("socket", { isHeadless: true })[0]).toBeUndefined();
    expect(linesOf("socket", { isOn: false })[0]).toBeUndefined();
  });
});

describe("what was remembered on the user's order", () => {
  const remembered = (prompts: readonly string[], on = true) => {
    const settings = {
      ...defaultSettings,
      announce: { ...defaultSettings.announce, remembered: on },
    };
    using app = openTestWorker({ settings });
    return prompts.map((prompt, at) => {
      const [reply] = app.worker.accept([envelope(prompt, `p-${at}`, app.startMs + at)], "socket");
      return reply?.message;
    });
  };

  test("is told beside the prompt, once, with its short id", () => {
    const [first, next] = remembered(["remember that the demo account is called falcon", "thanks"]);
    expect(first).toMatch(/^Remembered: .*the demo account is called falcon \(#\w+\)$/);
    expect(next).toBeUndefined();
  });

  test("says so of what was known", () => {
    const order = "remember that the demo account is called falcon";
    const [first = "", again = ""] = remembered([order, order]);
    expect(again).toBe(first.replace("Remembered", "Known already"));
  });

  test.each([
    "remember: our API is at https://api.example.com/v2, the key is Phoenix!Rising42",
    "Always call staging at https://stage.example.com with the key Phoenix!Rising42 in demos.",
    "Deploys go out on Tuesdays and the door code is Phoenix!Rising42. Remember that.",
  ])("keeps what is no secret in it, and says so: %s", (order) => {
    const [message = ""] = remembered([order]);
    expect(message).toMatch(/^Remembered: .*\[redacted:[\w-]+\]/);
    expect(message).toContain(
      "looked like a secret and is kept as [redacted]. If it is none, run `",
    );
    expect(message).not.toContain("Phoenix");
  });

  test.each([
    "remember: the admin password is Phoenix!Rising42",
    "The door code is Phoenix!Rising42. Remember that.",
  ])("says that nothing but a secret was in it: %s", (order) => {
    const [message = ""] = remembered([order]);
    expect(message).toContain(
      "the rest says too little, so it was not stored. If it is none, run `",
    );
    expect(message).not.toContain("Phoenix");
    expect(message.split("\n").length).toBe(1);
  });

  test.each([
    ["one line", `remember: ${"shard a lives on host db-1 and belongs to team nine, ".repeat(60)}`],
    ["sentences on a line", `remember: ${"Shard a lives on db-1. ".repeat(280)}`],
    [
      "lines",
      `remember: ${Array.from({ length: 300 }, (_, n) => `shard ${n} lives on db-${n}`).join("\n")}`,
    ],
  ])("says that it was too long: %s", (_, order) => {
    expect(remembered([order])[0]).toContain(
      "that order was too long to be kept whole. Say the rest in parts",
    );
  });

  test("says nothing of length where nothing is lost", () => {
    const [message = ""] = remembered([`remember: ${"Shard a lives on host db-1. ".repeat(60)}`]);
    expect(message).toMatch(/^Remembered: Shard a .*\(#\w+\)$/);
  });

  test("keeps the other order of the prompt", () => {
    const [message] = remembered([
      "The code is Phoenix!Rising42. Remember that the demo account is called falcon.",
    ]);
    expect(message).toMatch(/^Remembered: the demo account is called falcon\. \(#\w+\)$/);
  });

  test.each([
    ["why does the login with Phoenix!Rising42 fail?"],
    ["remember that the demo account is called falcon"],
    ["remember that the tenant is called [redacted:custom]"],
  ])("and not otherwise: %s", (prompt) => {
    expect(remembered([prompt])[0] ?? "").not.toContain("secret");
  });

  test("is one line, however much was ordered and however it is written", () => {
    const prompt =
      "Please remember that the demo account is called falcon. Also remember that staging listens on port 5433.\n\n" +
      "From now on write commit messages in German. Remember: Priya reviews every change of the login.";
    const [message = ""] = remembered([prompt]);
    expect(message).toMatch(/^Remembered: .*falcon.*; .*5433.*; .*German.*; 1 more$/);
  });

  test.each(["was left in the spool", "was answered after its hook had left"])(
    "is told with the next prompt, once, when its own %s",
    (how) => {
      using app = openTestWorker();
      const say = (prompt: string, at: number, via: "socket" | "spool" | "killed") => {
        const event = { ...envelope(prompt, `p-${at}`, app.startMs + at), confirms: true as const };
        const told = app.worker.accept([event], via === "spool" ? via : "socket")[0]?.message;
        if (via === "socket") app.worker.delivered([event.key]);
        return told;
      };
      const order = "remember that the demo account is called falcon. Never push to main yourself.";
      if (how === "was answered after its hook had left") {
        expect(say(order, 1, "killed")).toContain("falcon");
        expect(say("thanks", 2, "socket")).toContain("falcon");
        return;
      }
      expect(say(order, 1, "spool")).toBeUndefined();
      const told = say("thanks", 2, "socket");
      expect(told).toMatch(/^Remembered: .*falcon/u);
      expect(told).toContain("You have said not to push");
      expect(say("carry on", 3, "socket")).toBeUndefined();
      expect(say(order, 1, "spool")).toBeUndefined();
      expect(say("carry on", 4, "socket")).toBeUndefined();
    },
  );

  test("is dropped with an answer that was never confirmed, once what it tells is forgotten", () => {
    using app = openTestWorker();
    const order = envelope("remember that the demo account is called falcon", "p-1", app.startMs);
    const [reply] = app.worker.accept([{ ...order, confirms: true }], "socket");
    expect(reply?.message).toContain("falcon");
    const [id] = app.store.nodes.leafIds(0, 10);
    app.store.nodes.forget([id ?? 0], ["the demo account is called falcon"], app.startMs + 1);
    expect(app.store.admin.getMeta("answers.awaited")).toBeNull();
    const [next] = app.worker.accept([envelope("thanks", "p-2", app.startMs + 2)], "socket");
    expect(next?.message).toBeUndefined();
  });

  test("is not told in another project", () => {
    const projectOf = (cwd: string) => ({ ...testProject, key: cwd });
    using app = openTestWorker({ projectOf });
    const say = (prompt: string, at: number, cwd: string, via: "socket" | "spool") => {
      const event = envelope(prompt, `p-${at}`, app.startMs + at);
      const payload = { ...event.payload, session_id: `s-${cwd}`, cwd };
      return app.worker.accept([{ ...event, payload }], via)[0]?.message;
    };
    say("remember that the demo account is called falcon", 1, "/home/dev/deskly", "spool");
    expect(say("thanks", 2, "/home/dev/other", "socket")).toBeUndefined();
    expect(say("thanks", 3, "/home/dev/deskly", "socket")).toContain("falcon");
  });

  test("is not told where the user does not want it, nor of a prompt that orders nothing", () => {
    expect(remembered(["remember that the demo account is called falcon"], false)).toEqual([
      undefined,
    ]);
    expect(remembered(["which account does the demo use?"])).toEqual([undefined]);
  });
});

describe("the first start of a day", () => {
  const startOf = (session: string, atMs: number, source = "startup"): HookEnvelope => ({
    ...envelope("", session, atMs),
    hook: "start",
    clientEvent: "SessionStart",
    payload: { session_id: session, cwd: "/home/dev/deskly", source },
  });
  const days = (on: boolean) => {
    const settings = { ...defaultSettings, announce: { ...defaultSettings.announce, start: on } };
    using app = openTestWorker({ settings });
    const told = (one: HookEnvelope) => app.worker.accept([one], "socket")[0]?.message;
    const empty = told(startOf("s-0", app.startMs));
    told(envelope("From now on write commit messages in German.", "p-1", app.startMs + 1));
    const later = (hours: number) => app.startMs + hours * 3_600_000;
    return [
      empty,
      told(startOf("s-2", later(1), "compact")),
      told(startOf("s-3", later(1))),
      told(startOf("s-4", later(2))),
      told(startOf("s-5", later(24))),
    ];
  };

  test("says that memory is on where nothing stands yet, once; then what stands here, once a day", () => {
    const line = "Continuity: 1 rule";
    const [first, ...then] = days(true);
    expect(first).toStartWith("Continuity is on.");
    expect(then).toEqual([undefined, undefined, undefined, line]);
  });

  test("says so although past sessions were imported", () => {
    using app = openTestWorker();
    for (const sessionId of ["old-1", "old-2"])
      app.store.sessions.upsert({ ...testProject, sessionId, atMs: app.startMs - 86_400_000 });
    const [told] = app.worker.accept([startOf("s-1", app.startMs)], "socket");
    expect(told?.message).toStartWith("Continuity is on.");
  });

  test("says so with the first prompt where no daemon ran at the start, and then no more", () => {
    using app = openTestWorker();
    app.worker.accept([startOf("s-0", app.startMs)], "spool");
    const say = (id: string) => {
      const prompt = envelope("remember that the mast is oak", id, app.startMs + 1);
      return app.worker.accept([prompt], "socket")[0]?.message;
    };
    expect(say("p-1")).toMatch(/^Continuity is on\..*\nRemembered: the mast is oak/);
    expect(say("p-2")).not.toContain("is on");
    const next = app.worker.accept([startOf("s-9", app.startMs + 2)], "socket");
    expect(next[0]?.message).toBeUndefined();
  });

  test("counts the week that is over, every seventh day, and not a week without a session", () => {
    using app = openTestWorker();
    const told = (day: number) => {
      const at = app.startMs + day * 86_400_000;
      return app.worker.accept([startOf(`s-${day}`, at)], "socket")[0]?.message;
    };
    told(0);
    told(3);
    const order = "From now on write commit messages in German.";
    app.worker.accept([envelope(order, "p-1", app.startMs + 3 * 86_400_000)], "socket");
    expect(told(6)).toBe("Continuity: 1 rule");
    expect(told(7)).toBe("Continuity, 7 days: 4 sessions, 1 memory kept, 1 given back");
    expect(told(8)).toBe("Continuity: 1 rule");
    expect(told(40)).toBe("Continuity: 1 rule");
  });

  test("counts every rule that the start text tells", () => {
    using app = openTestWorker();
    app.remember("never deploy between 16 and 18 o'clock", { category: "patterns" });
    app.worker.accept([startOf("s-1", app.startMs)], "socket");
    const [told] = app.worker.accept([startOf("s-2", app.startMs + 86_400_000)], "socket");
    expect(told?.message).toBe("Continuity: 1 rule");
  });

  test("tells nothing where that is switched off", () => {
    expect(days(false).every((line) => line === undefined)).toBe(true);
  });
});

describe("what is broken", () => {
  const login = { id: "login", line: "claude-cli is not logged in; run `claude auth login`" };
  const limit = { id: "limit", line: "claude-cli has reached its rate limit" };
  const start = (session: string, n: number): HookEnvelope => ({
    ...envelope("", `${session}-${n}`, n),
    hook: "start",
    clientEvent: "SessionStart",
    payload: { session_id: session, cwd: "/home/dev/deskly", source: "startup" },
  });
  const openWith = (faults: readonly (Fault | null)[], on = true) => {
    const left = [...faults];
    const announce = { ...defaultSettings.announce, faults: on, start: false };
    const settings = { ...defaultSettings, announce };
    return openTestWorker({ settings, fault: () => left.shift() ?? null });
  };
  const starts = (faults: readonly (Fault | null)[], session = "s", on = true) => {
    using app = openWith(faults, on);
    return faults.map((_, n) => {
      const [reply] = app.worker.accept([start(`${session}-${n}`, app.startMs + n)], "socket");
      return reply?.message;
    });
  };

  test("is told at a start, once for as long as it is broken, and again when it breaks anew", () => {
    const line = "Continuity: claude-cli is not logged in; run `claude auth login`.";
    expect(starts([login, login, null, login, limit])).toEqual([
      line,
      undefined,
      undefined,
      line,
      "Continuity: claude-cli has reached its rate limit.",
    ]);
  });

  test("is told with the first prompt where a start shows no line", () => {
    expect(starts([login], "gemini")).toEqual([undefined]);
    using app = openWith([login, login]);
    app.worker.accept([start("gemini-1", app.startMs)], "socket");
    const first = envelope("which port?", "p-1", app.startMs + 1);
    const payload = { ...first.payload, session_id: "gemini-1" };
    const [reply] = app.worker.accept([{ ...first, payload }], "socket");
    expect(reply?.message).toStartWith("Continuity: claude-cli is not logged in");
  });

  test("is told to nobody who cannot see it, nor where it is switched off", () => {
    expect(starts([login], "copilot")).toEqual([undefined]);
    expect(starts([login], "s", false)).toEqual([undefined]);
  });
});
