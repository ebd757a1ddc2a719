import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { emptyCheckpoint, shortIdOf, type Store } from "#domain";
import { checkDatabase } from "./snapshot.ts";
import { cause, draft, noonMs, tempStore } from "../../test/support/store.ts";

const secret = "the door code of the Lisbon office is quokka nineteen";
const anywhere = { projects: null };

/** Puts the secret wherever a text can go, among enough of everything else that pages fill and split. */
function fill(store: Store): number {
  const node = store.nodes.insert(
    draft({
      uri: "mem://user/entities/quokka-nineteen",
      l0: `Noted: ${secret}`,
      l1: `Overview, ${secret}`,
      l2: `${secret} `.repeat(300),
      evidence: [{ sessionId: "s", turn: 1, line: 1, quote: `Remember that ${secret}` }],
      sourceSession: "s",
    }),
    cause(),
  );
  const successor = store.nodes.insert(draft(), cause());
  store.nodes.relate(successor.id, node.id, "related", noonMs);
  store.vectors.put(node.id, "m", Float32Array.from([1, 2]));
  store.nodes.update(node.id, { l1: `Edited: ${secret}!` }, cause({ action: "edit" }));
  // Another memory once said it, and has a history of that.
  const once = store.nodes.insert(draft({ uri: "mem://user/entities/once", l0: secret }), cause());
  store.nodes.update(once.id, { l0: "The office has a concierge" }, cause({ action: "edit" }));
  store.sessions.upsert({
    sessionId: "s",
    project: "p",
    atMs: noonMs,
    firstPrompt: `Remember that ${secret}`,
    title: "Remember that the door code of the Lisbon…",
  });
  const turn = store.sessions.openTurn({
    sessionId: "s",
    promptId: "p1",
    prompt: `Please remember that ${secret.toUpperCase()}!`,
    atMs: noonMs,
  });
  store.sessions.updateTurn(turn.id, { answer: "Quokka nineteen, noted.", status: "closed" });
  store.sessions.addToolUse({
    sessionId: "s",
    turn: 1,
    toolUseId: "t",
    tool: "Bash",
    target: "echo quokka",
    files: [],
    outcome: "ok",
    text: "quokka nineteen",
    atMs: noonMs,
    agentId: null,
  });
  store.sessions.addCheckpoint({
    sessionId: "s",
    project: "p",
    atMs: noonMs,
    trigger: "stop",
    l0: `Learnt that ${secret}`,
    fields: {
      ...emptyCheckpoint,
      learned: `That ${secret}.`,
      completed: "Painted the wall",
      uncommitted: ["a.ts", secret],
    },
  });
  store.sessions.saveCompactSummary("s", `We noted that ${secret}.`, noonMs);
  store.nodes.insert(
    draft({
      uri: "mem://sessions/s/moments/1",
      category: "sessions",
      l0: "The user shared an access code: quokka",
      l1: `“${secret}”`,
      sourceSession: "s",
    }),
    cause(),
  );
  store.jobs.enqueue({
    key: "done",
    kind: "turn",
    sessionId: "s",
    payload: { candidate: { text: secret.replace("the", "the\n") } },
    runAfterMs: 0,
  });
  const { id } = store.jobs.lease(noonMs, 1)!;
  store.jobs.saveReply(id, `Sure! {"l0": "${secret}"}`);
  store.jobs.complete(id);
  store.exposure.add([
    { sessionId: "s", nodeId: node.id, uri: node.uri, channel: "start", atMs: noonMs },
  ]);
  store.exposure.addInjection({
    sessionId: "s",
    atMs: noonMs,
    channel: "start",
    cause: "startup",
    text: `- ${secret}`,
    tokens: 9,
    reasons: JSON.stringify([node.uri]),
  });
  return node.id;
}

function surround(store: Store): void {
  store.transaction(() => {
    for (let i = 0; i < 400; i += 1) {
      store.nodes.insert(
        draft({ uri: `mem://user/entities/x${i}`, l0: `Thing ${i} ${"lorem ".repeat(40)}` }),
        cause(),
      );
      store.sessions.openTurn({
        sessionId: `other${i % 7}`,
        promptId: null,
        prompt: `Prompt ${i} ${"ipsum ".repeat(30)}`,
        atMs: noonMs,
      });
    }
  });
}

/** The words that must be in no file, in the spellings an index may hold them in. */
const traces = ["quokka", "QUOKKA", "nineteen", "Lisbon", "lisbon", "LISBON"];

const tracesIn = (path: string): readonly string[] =>
  ["", "-wal", "-shm", "-journal"].flatMap((suffix) => {
    if (!existsSync(path + suffix)) return [];
    const bytes = readFileSync(path + suffix);
    return traces.filter((trace) => bytes.includes(trace)).map((trace) => `${suffix}:${trace}`);
  });

test("after forget and purge no byte of it is left in any file of the database", () => {
  using store = tempStore();
  surround(store);
  const id = fill(store);
  surround_again(store);
  expect(tracesIn(store.folder.database).length).toBeGreaterThan(3);
  store.nodes.forget([id], [`Noted: ${secret}`, secret], noonMs);
  store.admin.purge();
  expect(tracesIn(store.folder.database)).toEqual([]);
  expect(checkDatabase(store.folder.database)).toMatchObject({ ok: true });
  store[Symbol.dispose]();
});

/** Rebalances pages after the secret was written, so that stale copies of it lie about. */
function surround_again(store: Store): void {
  store.transaction(() => {
    for (let i = 0; i < 400; i += 1)
      store.nodes.insert(
        draft({ uri: `mem://user/entities/quay${i}`, l0: `Later ${i} ${"dolor ".repeat(40)}` }),
        cause(),
      );
  });
}

test("a change of another memory names it no more, neither in words nor as what it is about", () => {
  using store = tempStore();
  const uri = "mem://user/entities/quokka-nineteen";
  const stays = "mem://user/entities/berth-four";
  const { id } = store.nodes.insert(draft({ uri, l0: secret }), cause());
  const why = {
    reason: `refused; would replace ${uri} ${stays}`,
    about: { what: "replaces", uris: [uri, stays] },
  } as const;
  const waiting = store.nodes.insert(
    draft({ uri: "mem://user/entities/door", l0: "The door has a bell", status: "pending" }),
    { ...cause(), ...why },
  );
  store.nodes.forget([id], [secret], noonMs);
  expect(store.history.latest(waiting.id)).toMatchObject({
    reason: `refused; would replace [forgotten] ${stays}`,
    about: { what: "replaces", uris: [stays] },
  });
  store.admin.purge();
  expect(tracesIn(store.folder.database)).toEqual([]);
});

test("forgetting takes the node and what repeats it, and nothing else", () => {
  using store = tempStore();
  const id = fill(store);
  store.sessions.openTurn({ sessionId: "s", promptId: "p2", prompt: "Which door?", atMs: noonMs });
  store.nodes.forget([id], [secret], noonMs);
  expect(store.nodes.byId(id)).toBeNull();
  expect(store.nodes.revisions(id)).toEqual([]);
  expect(store.nodes.links(store.nodes.byUri("mem://user/entities/billing")!.id)).toEqual([]);
  expect(store.nodes.list({ archive: true }, "uri", { limit: 9 })).toEqual([]);
  expect(store.sessions.byId("s")).toMatchObject({ title: null, firstPrompt: null, project: "p" });
  expect(store.sessions.turn("s", 1)).toMatchObject({
    prompt: null,
    answer: null,
    status: "closed",
  });
  expect(store.sessions.turn("s", 2)).toMatchObject({ prompt: "Which door?" });
  expect(store.sessions.toolUses("s", null)).toEqual([]);
  expect(store.sessions.compactSummary("s")).toBeNull();
  expect(store.sessions.currentCheckpoint("s")).toMatchObject({
    l0: "",
    learned: "",
    completed: "Painted the wall",
    uncommitted: ["a.ts"],
  });
  expect(store.exposure.injections(null, 9)).toMatchObject([
    { sessionId: "s", atMs: noonMs, channel: "start", tokens: 9, text: "[forgotten]" },
  ]);
  expect(store.exposure.seen("s")).toEqual(new Set([id]));
  for (const kind of ["memory", "moment", "prompt", "checkpoint"] as const)
    expect(store.lexical.match(kind, ["quokka", "Lisbon"], anywhere, 5)).toEqual([]);
  expect(store.nodes.count({})).toBe(2);
  const once = store.nodes.byUri("mem://user/entities/once");
  expect(store.nodes.revisions(once?.id ?? 0).map(({ l0 }) => l0)).toEqual([
    "The office has a concierge",
  ]);
  expect(store.jobs.counts().done).toBe(1);
});

const injected = (store: Store, text: string, reasons: unknown, atMs = noonMs): void =>
  store.exposure.addInjection({
    sessionId: "s",
    atMs,
    channel: "prompt",
    cause: "wanted",
    text,
    tokens: 40,
    reasons: JSON.stringify(reasons),
  });

test("what was given stays on record: only the lines and the URI of the forgotten memory go", () => {
  using store = tempStore();
  const node = store.nodes.insert(
    draft({ uri: "mem://user/entities/quokka-nineteen", l0: secret }),
    cause(),
  );
  const other = store.nodes.insert(
    draft({ uri: "mem://user/entities/cook", l0: "The cook is called Ana" }),
    cause(),
  );
  const head = '<memory for="prompt">\nFrom earlier sessions';
  const kept = `- The cook is called Ana (1 Sep, ${shortIdOf(other.id)})`;
  const reasons = {
    decision: { verdict: "inject" },
    memories: [
      { uri: node.uri, taken: true },
      { uri: other.uri, taken: true },
    ],
  };
  // A whole repeat, a sentence with the short id alone, a cut quotation, and one that was only considered.
  injected(store, `${head}\n- ${secret} (1 Sep)\n${kept}\n</memory>`, reasons);
  injected(store, `${head}\n- quokka (1 Sep, ${shortIdOf(node.id)})\n${kept}`, reasons);
  injected(store, `${head}\n1 Sep: "the door code of the Lisbon off…"\n${kept}`, reasons);
  injected(store, kept, { memories: [{ uri: node.uri, taken: false }] }, noonMs + 1);
  injected(store, kept, { memories: [{ uri: other.uri, taken: true }] }, noonMs + 2);
  store.exposure.add([
    { sessionId: "s", nodeId: node.id, uri: node.uri, channel: "prompt", atMs: noonMs },
  ]);
  expect(store.nodes.forget([node.id], [secret], noonMs)).toEqual({ redacted: 4 });
  const rows = store.exposure.injections("s", 9).toReversed();
  expect(rows.map(({ text }) => text)).toEqual([
    `${head}\n[forgotten]\n${kept}\n</memory>`,
    `${head}\n[forgotten]\n${kept}`,
    `${head}\n[forgotten]\n${kept}`,
    kept,
    kept,
  ]);
  expect(rows[3]?.reasons).toBe('{"memories":[{"uri":"[forgotten]","taken":false}]}');

  expect(rows.every(({ tokens, cause: why }) => tokens === 40 && why === "wanted")).toBe(true);
  expect(JSON.parse(rows[0]?.reasons ?? "")).toEqual({
    decision: { verdict: "inject" },
    memories: [
      { uri: "[forgotten]", taken: true },
      { uri: other.uri, taken: true },
    ],
  });
  expect(store.exposure.shownCount("s")).toBe(1);
});

test("an injection that has nothing to do with it stays as it is", () => {
  using store = tempStore();
  const id = fill(store);
  store.exposure.addInjection({
    sessionId: "other",
    atMs: noonMs,
    channel: "prompt",
    cause: "wanted",
    text: "- The cook is called Ana",
    tokens: 7,
    reasons: "[]",
  });
  expect(store.nodes.forget([id], [secret], noonMs)).toEqual({ redacted: 1 });
  expect(store.exposure.injections("other", 9)).toMatchObject([
    { text: "- The cook is called Ana", reasons: "[]" },
  ]);
});

test("a job that waits with the text in its payload is put aside", () => {
  using store = tempStore();
  store.jobs.enqueue({
    key: "a",
    kind: "turn",
    sessionId: null,
    payload: { text: secret },
    runAfterMs: 0,
  });
  store.jobs.enqueue({
    key: "b",
    kind: "turn",
    sessionId: null,
    payload: { turn: 1 },
    runAfterMs: 0,
  });
  store.nodes.forget([], [secret], noonMs);
  expect(store.jobs.lease(noonMs, 1)?.key).toBe("b");
  expect(store.jobs.counts().skipped).toBe(1);
});

test("forgetting is all or nothing", () => {
  using store = tempStore();
  const id = fill(store);
  expect(() =>
    store.transaction(() => {
      store.nodes.forget([id], [secret], noonMs);
      throw new Error("power cut");
    }),
  ).toThrow();
  expect(store.nodes.byId(id)).not.toBeNull();
  expect(store.nodes.isForgotten(secret)).toBe(false);
});

test("what was forgotten is recognised in another dress, and can be lifted", () => {
  using store = tempStore();
  expect(store.nodes.isForgotten(secret)).toBe(false);
  const id = store.nodes.insert(draft({ l0: "Uses pnpm, never npm." }), cause()).id;
  store.nodes.forget([id], ["I always use pnpm"], noonMs);
  expect(store.nodes.isForgotten("uses PNPM — never npm")).toBe(true);
  expect(store.nodes.isForgotten("I always  use pnpm!")).toBe(true);
  expect(store.nodes.isForgotten("Uses pnpm, never yarn")).toBe(false);
  expect(store.nodes.isForgotten("…")).toBe(false);
  store.nodes.unforget("Uses pnpm. Never npm");
  expect(store.nodes.isForgotten("Uses pnpm, never npm.")).toBe(false);
});

test("who says a text again says its sentences again", () => {
  using store = tempStore();
  const l0 = "Staging listens on 6432. Its owner is Priya.";
  const id = store.nodes.insert(draft({ l0 }), cause()).id;
  store.nodes.forget([id], ["Its owner is Priya."], noonMs);
  expect(store.nodes.isForgotten("its owner is Priya")).toBe(true);
  store.nodes.unforget(l0);
  expect(store.nodes.isForgotten(l0)).toBe(false);
  expect(store.nodes.isForgotten("its owner is Priya")).toBe(false);
});

test("a directory that forgetting leaves empty goes, since its name is words too; the roots stay", () => {
  using store = tempStore();
  const a = store.nodes.insert(
    draft({ uri: "mem://user/entities/office/lisbon/code" }),
    cause(),
  ).id;
  store.nodes.insert(draft({ uri: "mem://user/entities/office/porto" }), cause());
  store.nodes.forget([a], [], noonMs);
  expect(store.nodes.byUri("mem://user/entities/office/lisbon")).toBeNull();
  expect(store.nodes.byUri("mem://user/entities/office")).not.toBeNull();
  const b = store.nodes.byUri("mem://user/entities/office/porto")!.id;
  store.nodes.forget([b], [], noonMs);
  expect(store.nodes.byUri("mem://user/entities/office")).toBeNull();
  expect(store.nodes.byUri("mem://user/entities")).not.toBeNull();
});
