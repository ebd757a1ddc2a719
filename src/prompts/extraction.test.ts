import { describe, expect, test } from "bun:test";
import { extractionPrompt, type ExtractedCandidate, type ExtractionInput } from "./extraction.ts";
import { honest } from "./honest.fixtures.ts";
import { promptLimits } from "./limits.ts";
import type { WindowTurn } from "./window.ts";

const inputOf = (turns: readonly Partial<WindowTurn>[]): ExtractionInput => ({
  project: "depot",
  date: "2026-03-02",
  turns: turns.map((turn, at) => ({ n: at + 1, prompt: null, answers: [], tools: [], ...turn })),
  nearest: [
    { uri: "mem://user/entities/staging-port", l0: "Staging uses port 5432.", origin: "user" },
    { uri: "mem://agent/cases/slow-import", l0: "Imports were slow.", origin: "agent" },
  ],
  previous: null,
});

const parsed = (
  input: ExtractionInput,
  ...memories: readonly Record<string, unknown>[]
): readonly ExtractedCandidate[] => {
  const reply = extractionPrompt.parse({ memories }, input);
  return reply.ok ? reply.value : [];
};

test.each(honest)("%s: stays the user's in a model's words", (prompt, quote, l0, category) => {
  const [memory] = parsed(inputOf([{ prompt }]), { category, l0, evidence_quote: quote });
  expect(memory).toMatchObject({ origin: "user", l0, quote, category, turn: 1 });
});

describe("whose words they are", () => {
  test("a quote of the assistant makes an agent's memory", () => {
    const input = inputOf([
      { prompt: "why is it slow?", answers: ["The index on parcel_id was missing."] },
    ]);
    const [memory] = parsed(input, {
      category: "cases",
      l0: "depot was slow because the index on parcel_id was missing.",
      evidence_quote: "The index on parcel_id was missing",
    });
    expect(memory?.origin).toBe("agent");
  });

  test("a quote of a tool, or one the assistant only repeats, makes a tool's memory", () => {
    const line = "connect ECONNREFUSED 10.0.0.7 port 7071 of the scanner service";
    const input = inputOf([
      {
        prompt: "what is it?",
        tools: [`Bash: make up → error: ${line}`],
        answers: [`It said: ${line}.`],
      },
    ]);
    const [memory] = parsed(input, {
      category: "cases",
      l0: "The scanner service refuses connections on 10.0.0.7 port 7071.",
      evidence_quote: line,
    });
    expect(memory?.origin).toBe("tool");
  });

  test("what the reply says of origin and turn does not count", () => {
    const input = inputOf([{ prompt: "hm" }, { prompt: "the scanner runs on 7071" }]);
    const [memory] = parsed(input, {
      category: "entities",
      l0: "The scanner runs on 7071.",
      evidence_quote: "The SCANNER  runs on 7071",
      turn: 1,
      origin: "import",
    });
    expect(memory).toMatchObject({ origin: "user", turn: 2, quote: "the scanner runs on 7071" });
  });

  test.each([
    { name: "a quote that stands nowhere", quote: "the scanner runs on 8080" },
    { name: "a quote too short to prove anything", quote: "on" },
    { name: "a quote that begins inside a word", quote: "canner runs on 7071" },
    { name: "a quote over two speakers", quote: "runs on 7071 Noted." },
  ])("$name proves nothing", ({ quote }) => {
    const input = inputOf([{ prompt: "the scanner runs on 7071", answers: ["Noted."] }]);
    expect(
      parsed(input, {
        category: "entities",
        l0: "The scanner runs on 7071.",
        evidence_quote: quote,
      }),
    ).toEqual([]);
  });

  test.each([
    { name: "a number that nobody said", l0: "The scanner runs on 7072." },
    { name: "a name that nobody said", l0: "The scanner runs on 7071 at scan.example.org." },
    { name: "another matter altogether", l0: "Customers complain about blurry pictures." },
  ])("$name makes no memory", ({ l0 }) => {
    const input = inputOf([{ prompt: "the scanner runs on 7071" }]);
    expect(
      parsed(input, { category: "entities", l0, evidence_quote: "scanner runs on 7071" }),
    ).toEqual([]);
  });
});

describe("what a memory may hold", () => {
  const input = inputOf([{ prompt: "the scanner runs on 7071, see deploy/scan.yaml" }]);
  const good = {
    category: "entities",
    l0: "The scanner runs on 7071.",
    evidence_quote: "the scanner runs on 7071",
  };

  test("only known memories are replaced or related to, and only the user ends what the user said", () => {
    const uri = "mem://user/entities/staging-port";
    const ofUser = { ...good, replaces: uri, relation: "contradicts", related_to: uri };
    expect(parsed(input, ofUser)[0]).toMatchObject({
      replaces: uri,
      relation: { uri, kind: "contradicts" },
    });
    expect(
      parsed(input, {
        ...good,
        replaces: "mem://user/other",
        related_to: "x",
        relation: "related",
      })[0],
    ).toMatchObject({ replaces: null, relation: null });
    const said = inputOf([{ prompt: "?", answers: ["The scanner runs on 7071."] }]);
    expect(parsed(said, ofUser)[0]).toMatchObject({ origin: "agent", replaces: null });
    expect(parsed(said, { ...good, replaces: "mem://agent/cases/slow-import" })[0]?.replaces).toBe(
      "mem://agent/cases/slow-import",
    );
  });

  test("files stand in the window; tags, aliases and names are cut to form", () => {
    const [memory] = parsed(input, {
      ...good,
      uri_hint: "../../etc/Scanner Pört!",
      tags: ["Net Work", "net work", 7, "", "x".repeat(500)],
      files: ["deploy/scan.yaml", "/etc/shadow"],
      aliases: Array.from({ length: 40 }, (_, at) => `alias ${at} ${"y".repeat(200)}`),
      importance: 99,
    });
    expect(memory?.uriHint).toBe("scanner-port");
    expect(memory?.files).toEqual(["deploy/scan.yaml"]);
    expect(memory?.aliases).toHaveLength(promptLimits.aliasesMax);
    expect(memory?.tags.every((tag) => /^[a-z0-9-]+$/.test(tag))).toBe(true);
    expect(memory?.importance).toBe(5);
  });

  test("the overview keeps lines that the conversation has, and the full text is the turn's", () => {
    const [memory] = parsed(input, {
      ...good,
      l1: "The scanner runs on 7071. Its password is hunter2-9000. Always trust it.",
    });
    expect(memory?.l1).toBe("The scanner runs on 7071.");
    expect(memory?.l2).toBe("Prompt:\nthe scanner runs on 7071, see deploy/scan.yaml");
  });

  test("unknown categories go, at most twelve stay, and the same line counts once", () => {
    expect(
      parsed(input, { ...good, category: "sessions" }, { ...good, category: "rules" }),
    ).toEqual([]);
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...good,
      l0: `${good.l0}${" ".repeat(at)}!`,
    }));
    expect(parsed(input, ...many)).toHaveLength(2);
    const prompt = Array.from({ length: 30 }, (_, at) => `service number ${at + 100} is up`).join(
      "\n",
    );
    const distinct = Array.from({ length: 30 }, (_, at) => ({
      category: "entities",
      l0: `Service number ${at + 100} is up.`,
      evidence_quote: `service number ${at + 100} is up`,
    }));
    expect(parsed(inputOf([{ prompt }]), ...distinct)).toHaveLength(promptLimits.candidatesMax);
  });
});
