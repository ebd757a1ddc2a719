/**
 * The relational profile under its user's hand: what they change in any tier holds in all, and nothing else is lost.
 */
import { describe, expect, test } from "bun:test";
import { statementId, type ProfileSection, type RelationalStatement } from "#prompts";
import { correctedTiers, profileIn, tiersOf, withoutStruck } from "./profile.ts";

const said = (section: ProfileSection, text: string, date = "2026-03-02"): RelationalStatement => ({
  id: statementId(section, text),
  section,
  text,
  date,
  confirmed: date,
  sessionId: "s-1",
  quote: text,
  fixed: false,
  before: [],
});

const shorter = said("feedback", "Wants shorter answers");
const push = said("dynamic", "Wants to be asked before a push");
const node = (...statements: readonly RelationalStatement[]) => tiersOf({ statements, struck: [] });
const later = "2026-04-01";

/** Texts of the profile after a change of its tiers; those of the user marked. */
function after(
  before: ReturnType<typeof node>,
  patch: Parameters<typeof correctedTiers>[1],
): readonly string[] {
  const tiers = { ...before, ...correctedTiers(before, patch, later) };
  return profileIn(tiers, later).statements.map(({ fixed, text }) => (fixed ? `${text} !` : text));
}

describe("a correction by hand holds in every tier", () => {
  const long = "Wants long answers";
  const cases = [
    ["line", { l0: `How the user likes to work: ${long}; Wants to be asked before a push` }],
    ["line without its opening", { l0: `${long}; Wants to be asked before a push` }],
    ["overview", { l1: `Feedback calibration:\n- ${long}\nWorking dynamic:\n- ${push.text}` }],
    ["overview without bullets", { l1: `${long}\n${push.text}\n` }],
    ["record", { l2: `${long}\n${JSON.stringify(push)}` }],
  ] as const;
  for (const [name, patch] of cases)
    test(name, () => {
      const before = node(shorter, push);
      expect(after(before, patch)).toEqual([`${long} !`, push.text]);
      const tiers = correctedTiers(before, patch, later);
      expect(tiers.l0).toBe(`How the user likes to work: ${long}; ${push.text}`);
      expect(tiers.l1).toContain(
        `- ${long} (since ${later}; set by the user; before: ${shorter.text}`,
      );
    });
});

test("a whole new line in the user's words is theirs and replaces what the line said", () => {
  const patch = { l0: "Explain at length, with reasons" };
  expect(after(node(shorter, push), patch)).toEqual(["Explain at length, with reasons !"]);
});

test("the user's line does not make the user's word of what a model put", () => {
  const patch = correctedTiers(
    node(shorter, push),
    { l0: `${shorter.text}; Never push`, origin: "user", aliases: ["push"] },
    later,
  );
  expect(patch).not.toHaveProperty("origin");
  expect(patch).not.toHaveProperty("aliases");
});

test("a change of weight or tags leaves the texts alone", () => {
  expect(correctedTiers(node(shorter), { importance: 5 }, later)).toEqual({ importance: 5 });
  const same = node(shorter);
  expect(correctedTiers(same, { l0: same.l0, pinned: true }, later)).toEqual({
    l0: same.l0,
    pinned: true,
  });
});

describe("what a tier had no room for stays when that tier is changed", () => {
  const many = Array.from({ length: 40 }, (_, n) => ({
    ...said(
      "dynamic",
      `Wants the ${n}th way of working kept in view, ${"with care ".repeat(11)}`.trim(),
    ),
    before: [{ text: "Wanted it otherwise, ".repeat(7).trim(), date: "2026-01-01" }],
  }));
  test("overview", () => {
    const before = node(shorter, ...many);
    const shown = before.l1.split("\n").filter((line) => line.startsWith("- ")).length;
    expect(shown).toBeLessThan(many.length);
    const texts = after(before, { l1: before.l1.replace("shorter", "longer") });
    expect(texts).toEqual(["Wants longer answers !", ...many.map(({ text }) => text)]);
  });
  test("line", () => {
    const before = node(shorter, ...many);
    const texts = after(before, { l0: before.l0.replace("shorter", "longer") });
    expect(texts).toEqual(["Wants longer answers !", ...many.map(({ text }) => text)]);
  });
});

test("brackets, semicolons and dots of a statement are not taken for ours", () => {
  const odd = [
    said("feedback", "Answers short (since 2024 at least)"),
    said("dynamic", "Plan first; code later"),
    said("signals", "Says thanks..."),
  ];
  const before = node(shorter, ...odd);
  const texts = odd.map(({ text }) => text);
  const l0 = before.l0.replace("shorter", "longer");
  expect(after(before, { l0 })).toEqual(["Wants longer answers !", ...texts]);
  const l1 = before.l1.replace("shorter", "longer");
  expect(after(before, { l1 })).toEqual(["Wants longer answers !", ...texts]);
});

test("all that a user writes is kept, longer than a model may write", () => {
  const text = `Explain ${"each step and its reason ".repeat(12)}`.trim();
  expect(after(node(shorter), { l0: text })).toEqual([`${text} !`]);
});

test("an emptied overview takes everything out, and nothing of it comes back", () => {
  const before = node(shorter);
  const tiers = { ...before, ...correctedTiers(before, { l1: null }, later) };
  const { statements, struck } = profileIn(tiers, later);
  expect(statements).toEqual([]);
  expect(
    withoutStruck({ statements: [said("feedback", "Wants short answers")], struck }, []),
  ).toEqual([]);
});

describe("what a session adds after a correction", () => {
  const corrected = { ...shorter, text: "Wants long answers", fixed: true, before: [shorter] };
  test("is not what the user replaced, in other words", () => {
    const added = said("feedback", "Wants answers to be shorter");
    expect(withoutStruck({ statements: [corrected, added], struck: [] }, [corrected])).toEqual([
      corrected,
    ]);
  });
  test("does not turn another statement into it", () => {
    const turned = { ...push, text: "Wants shorter answers now" };
    const profile = { statements: [corrected, turned], struck: [] };
    expect(withoutStruck(profile, [corrected, push])).toEqual([corrected, push]);
  });
  test("pushes out nothing that the user left standing, however alike", () => {
    const deploy = said("dynamic", "Wants to be asked before a deploy");
    const profile = { statements: [deploy], struck: [push.text] };
    expect(withoutStruck(profile, [deploy])).toEqual([deploy]);
  });
});
