import { describe, expect, test } from "bun:test";
import { extractionPrompt, type ExtractedCandidate, type ExtractionInput } from "./extraction.ts";
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

/** What a good extractor writes of what people type: the wording is the model's, the matter the user's. */
const honest: readonly (readonly [prompt: string, quote: string, l0: string, category: string])[] =
  [
    [
      "use tabs not spaces in this repo pls",
      "use tabs not spaces",
      "depot: indentation is done with tabs, not spaces.",
      "preferences",
    ],
    [
      "btw the scanner service runs on 7071 now, not 7070",
      "scanner service runs on 7071",
      "The depot scanner service runs on port 7071 (not 7070 any more).",
      "entities",
    ],
    [
      "Imke is our contact in purchasing, she decides about suppliers",
      "Imke is our contact in purchasing",
      "Imke is the contact in purchasing and decides about suppliers.",
      "entities",
    ],
    [
      "ok lets go with sqlite for the label queue, postgres is overkill there",
      "lets go with sqlite for the label queue",
      "The label queue uses SQLite because Postgres is overkill for it.",
      "events",
    ],
    [
      "never mock the printer, the simulator is there for that",
      "never mock the printer",
      "Never mock the printer in depot tests; use the simulator.",
      "preferences",
    ],
    [
      "i dont want you to touch generated/ by hand",
      "i dont want you to touch generated/ by hand",
      "Do not edit generated/ by hand.",
      "preferences",
    ],
    [
      "please answer in german when i write german",
      "answer in german when i write german",
      "Answer in German when the user writes German.",
      "preferences",
    ],
    [
      "no, grams. all weights are grams",
      "all weights are grams",
      "All weights in depot are in grams.",
      "patterns",
    ],
    [
      "we ship on tuesdays and thursdays only",
      "ship on tuesdays and thursdays only",
      "Releases of depot ship only on Tuesdays and Thursdays.",
      "patterns",
    ],
    [
      "the trick is to warm the cache with `make warm` before the load test",
      "warm the cache with `make warm` before the load test",
      "Warm the cache with `make warm` before a load test.",
      "patterns",
    ],
    [
      "our retry limit should be 4, the gateway bans us after 5 failures",
      "retry limit should be 4",
      "The retry limit is 4 because the gateway bans after 5 failures.",
      "events",
    ],
    [
      "I'm Tomas, I do ops here",
      "I'm Tomas, I do ops here",
      "The developer is Tomas; he does ops.",
      "profile",
    ],
    [
      "prod bucket is s3://depot-labels-eu",
      "prod bucket is s3://depot-labels-eu",
      "The production bucket of depot is s3://depot-labels-eu.",
      "entities",
    ],
    [
      "write commit messages in the imperative, max 60 chars",
      "commit messages in the imperative, max 60 chars",
      "Commit messages are imperative and at most 60 characters.",
      "preferences",
    ],
    [
      "stop adding comments that repeat the code",
      "stop adding comments that repeat the code",
      "Do not add comments that repeat the code.",
      "preferences",
    ],
    [
      "use python 3.13 from now on, 3.11 is gone from the runners",
      "use python 3.13 from now on",
      "Use Python 3.13; the runners no longer have 3.11.",
      "events",
    ],
    [
      "wir nehmen ab jetzt pnpm statt npm",
      "wir nehmen ab jetzt pnpm statt npm",
      "depot: ab jetzt pnpm statt npm.",
      "preferences",
    ],
    [
      "从现在开始用 pnpm，不要用 npm",
      "从现在开始用 pnpm",
      "从现在开始用 pnpm，不用 npm",
      "preferences",
    ],
    [
      "the vpn has to be up or the supplier api returns 403",
      "vpn has to be up or the supplier api returns 403",
      "The supplier API returns 403 unless the VPN is up.",
      "cases",
    ],
    [
      "Ravi owns the label printers, ask him before changing drivers",
      "ask him before changing drivers",
      "Ask Ravi before changing label printer drivers; he owns the printers.",
      "patterns",
    ],
    [
      "show me diffs before you commit anything",
      "show me diffs before you commit anything",
      "Show diffs before committing anything.",
      "preferences",
    ],
    [
      "feature branches are named depot/<ticket>",
      "feature branches are named depot/<ticket>",
      "Feature branches are named depot/<ticket>.",
      "patterns",
    ],
    [
      "yesterday's outage was the expired cert on the gateway",
      "yesterday's outage was the expired cert on the gateway",
      "The outage of 2026-03-01 was caused by an expired certificate on the gateway.",
      "cases",
    ],
    [
      "dont use lodash, we have our own utils in src/lib",
      "dont use lodash",
      "Do not use lodash; own utilities are in src/lib.",
      "preferences",
    ],
    [
      "timezone for all reports is Europe/Vienna",
      "timezone for all reports is Europe/Vienna",
      "All depot reports use the time zone Europe/Vienna.",
      "entities",
    ],
    [
      "keep it brief, i read on my phone",
      "keep it brief, i read on my phone",
      "Keep answers brief: the user reads on a phone.",
      "preferences",
    ],
    [
      "can you make the timeout 30s, 10 is too short for their api",
      "make the timeout 30s",
      "The supplier API timeout is 30s because 10s was too short.",
      "events",
    ],
    [
      "Dana from legal has to approve every new tracker",
      "Dana from legal has to approve every new tracker",
      "Dana (legal) must approve every new tracker.",
      "patterns",
    ],
    [
      "i hate mocks. real db in tests please",
      "real db in tests please",
      "Tests run against a real db; the user dislikes mocks.",
      "preferences",
    ],
    [
      "remember the admin panel lives at /ops not /admin",
      "the admin panel lives at /ops not /admin",
      "The admin panel of depot is at /ops, not /admin.",
      "entities",
    ],
    [
      "don't open PRs without a linked ticket",
      "don't open PRs without a linked ticket",
      "Do not open PRs without a linked ticket.",
      "preferences",
    ],
    [
      "we tried graphql in 2024, nobody maintained the schema so we are back to rest",
      "we tried graphql in 2024",
      "GraphQL was tried in 2024 and dropped because nobody maintained the schema; depot is back to REST.",
      "events",
    ],
    [
      "pandas is out, polars in",
      "pandas is out, polars in",
      "depot replaced pandas with polars.",
      "events",
    ],
    [
      "the flaky test is the clock one, it breaks at midnight utc",
      "the flaky test is the clock one",
      "The flaky clock test breaks at midnight UTC.",
      "cases",
    ],
    ["call me Tom", "call me Tom", "The user wants to be called Tom.", "profile"],
    [
      "i work at Halden Freight, in the routing team",
      "i work at Halden Freight",
      "The user works at Halden Freight in the routing team.",
      "profile",
    ],
    ["rule: one migration per PR", "one migration per PR", "One migration per PR.", "preferences"],
    [
      "log lines must be json, loki chokes otherwise",
      "log lines must be json",
      "Log lines must be JSON because Loki chokes otherwise.",
      "patterns",
    ],
    [
      "its not redis, its valkey since april",
      "its valkey since april",
      "depot uses Valkey instead of Redis since April.",
      "entities",
    ],
    [
      "for css we stick to modules, no tailwind",
      "for css we stick to modules, no tailwind",
      "CSS modules are used for styling, no Tailwind.",
      "preferences",
    ],
    [
      "ping Mo when the nightly fails",
      "ping Mo when the nightly fails",
      "Ping Mo when the nightly build fails.",
      "preferences",
    ],
    ["max 80 columns", "max 80 columns", "Lines are at most 80 columns wide.", "preferences"],
    [
      "the license server sometimes takes 2 minutes, thats normal",
      "license server sometimes takes 2 minutes",
      "The license server sometimes takes 2 minutes to answer; that is normal.",
      "cases",
    ],
    [
      "je préfère des réponses courtes",
      "je préfère des réponses courtes",
      "L'utilisateur préfère des réponses courtes.",
      "preferences",
    ],
  ];

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
