import { expect, test } from "bun:test";
import { tokensOf } from "#kit";
import { limits } from "../limits.ts";
import { recorded } from "./checkpoint-fixtures.ts";
import type { SaidTurn } from "./checkpoint-fixtures.ts";
import { lastNarratedTurn, narrativesOf } from "./narrative.ts";

const said: readonly SaidTurn[] = [
  {
    prompt: "the image upload fails for large files",
    answer: "I raised the body limit, but the upload still fails at 10 MB.",
    tools: ["Edit src/upload.ts", "Bash bun test upload !! 413 Payload Too Large"],
  },
  {
    prompt: "still failing, maybe nginx?",
    answer:
      "Right: nginx limits the body to 10 MB. I set client_max_body_size to 50 MB and the upload works.",
    tools: ["Edit deploy/nginx.conf", "Bash bun test upload"],
  },
  { prompt: "perfect, thanks", answer: "You're welcome." },
  {
    prompt: "now write the quarterly invoice export as CSV",
    answer:
      "Implemented the invoice export with one row per line item. Remaining: the VAT column for CH.",
    tools: ["Write src/export/invoices.ts", "Bash bun test export"],
  },
];

test("turns about one thing are one narrative; a new aim opens the next", () => {
  const drafts = narrativesOf(recorded(said));
  expect(drafts.map(({ uri }) => uri)).toEqual([
    "mem://sessions/s-1/narrative/1",
    "mem://sessions/s-1/narrative/4",
  ]);
  expect(drafts.map(({ l0 }) => l0)).toEqual([
    "harbour, 2026-03-14: the image upload fails for large files → Set client_max_body_size to 50 MB and the upload works",
    "harbour, 2026-03-14: now write the quarterly invoice export as CSV → Implemented the invoice export with one row per line item",
  ]);
});

test("a narrative tells what was tried, failed, held and is open", () => {
  const [upload, invoices] = narrativesOf(recorded(said));
  expect(upload?.l1).toBe(
    [
      "Tried:",
      "- the image upload fails for large files",
      "- still failing, maybe nginx?",
      "Failed:",
      "- bun test upload: 413 Payload Too Large",
      "- Raised the body limit, but the upload still fails at 10 MB",
      "Held:",
      "- Set client_max_body_size to 50 MB and the upload works",
    ].join("\n"),
  );
  expect(invoices?.l1).toContain("Open:\n- Remaining: the VAT column for CH");
});

test("a narrative is a leaf of the archive without expiry, from the compaction, with its evidence", () => {
  const [upload] = narrativesOf(recorded(said));
  expect(upload).toMatchObject({
    category: "sessions",
    maker: "precompact",
    origin: "agent",
    expiresAt: null,
    project: "github.com/acme/harbour",
    files: ["src/upload.ts", "deploy/nginx.conf"],
    sourceSession: "s-1",
    evidence: [
      { sessionId: "s-1", turn: 1, line: null, quote: "the image upload fails for large files" },
      { sessionId: "s-1", turn: 3, line: null, quote: "perfect, thanks" },
    ],
  });
});

test("the next narratives begin after the last turn of the earlier ones", () => {
  const earlier = narrativesOf(recorded(said)).map(({ evidence = [] }) => ({ evidence }));
  expect(lastNarratedTurn(earlier)).toBe(4);
  expect(lastNarratedTurn([])).toBe(0);
});

test("turns that an earlier compaction narrated are not told again", () => {
  const drafts = narrativesOf({ ...recorded(said), fromTurn: 4 });
  expect(drafts.map(({ uri }) => uri)).toEqual(["mem://sessions/s-1/narrative/4"]);
});

test("telling twice gives the same narratives", () => {
  expect(narrativesOf(recorded(said))).toEqual(narrativesOf(recorded(said)));
});

test("a session of nods and small talk has no narrative", () => {
  const talk = [
    { prompt: "ok", answer: "Good." },
    { prompt: "pizza or sushi for lunch?", answer: "Both!" },
    { prompt: "commit and push", answer: "Done.", tools: ["Bash git commit -am x"] },
  ];
  expect(narrativesOf(recorded(talk))).toEqual([]);
});

test("an interrupted stretch is open", () => {
  const drafts = narrativesOf(
    recorded([
      { prompt: "rewrite the scheduler in Rust", interrupted: true, tools: ["Write src/main.rs"] },
    ]),
  );
  expect(drafts[0]?.l1).toContain("Open:\n- Interrupted before it was finished");
});

test("a long session has at most twenty narratives, each within its budget, and loses no stretch", () => {
  const topics = Array.from({ length: 70 }, (_, n) => ({
    prompt: `implement widget${n} panel${n} for customer${n}`,
    answer: `Implemented widget${n} with ${"many interesting details ".repeat(40)}`,
    tools: [`Write src/widget${n}.ts`],
  }));
  const drafts = narrativesOf(recorded(topics));
  expect(drafts.length).toBe(limits.narrativesMax);
  expect(new Set(drafts.map(({ uri }) => uri)).size).toBe(drafts.length);
  expect(drafts.at(-1)?.evidence?.at(-1)?.turn).toBe(70);
  for (const { l0, l1 } of drafts) {
    expect(tokensOf(l0)).toBeLessThanOrEqual(limits.l0TokensMax);
    expect(tokensOf(l1 ?? "")).toBeLessThanOrEqual(limits.narrativeL1TokensMax);
  }
});
