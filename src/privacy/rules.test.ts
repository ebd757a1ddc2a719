import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { tellingWords } from "./assignments.ts";
import { createGate } from "./gate.ts";
import ruleset from "./gitleaks-rules.json";
import { loadGate, mayHoldSecret } from "./light.ts";
import { entropyOf } from "./spans.ts";
import { tokenRules } from "./tokens.ts";

const gate = createGate({ redact: [] });

/**
 * `plain` gives an expression that fast-check can turn round: without look-arounds, flags and
 * alternatives that mean "edge".
 */
const plain = (source: string): string =>
  source
    .replace(/^\(\?:\(\?<!\[A-Za-z0-9\]\)\|\(\?<=.*?\)\)/, "")
    .replaceAll(/\(\?!\\w\)|\(\?!\[a-zA-Z0-9\+\/\]\)|\\b/g, "")
    .replaceAll(/\(\?-?i:/g, "(?:")
    .replaceAll(/\(\?<?=[^()]*(?:\([^()]*\))?[^()]*\)/g, "")
    .replaceAll("(?:^|", "(?:")
    .replaceAll("(?:$|", "(?:");

const samplesOf = (source: string): readonly string[] =>
  fc.sample(fc.stringMatching(new RegExp(`^(?:${plain(source)})$`)), { numRuns: 12, seed: 11 });

const random = (sample: string): boolean => entropyOf(sample) > 4.2 && /\d/.test(sample);

/** Needs a word elsewhere in the text; asserted apart. */
const withContext: Readonly<Record<string, string>> = {
  "facebook-access-token": "facebook ",
};

test.each(ruleset.rules.map((rule) => [rule.id, rule.source] as const))(
  "gitleaks' rule %s finds what it was made for, and the prefilter knows",
  (id, source) => {
    const samples = samplesOf(source).filter(random);
    for (const sample of samples) {
      const text = `${withContext[id] ?? ""}x ${sample}, y`;
      const found = gate.clean(text).redactions > 0;
      if (found) expect([sample, mayHoldSecret(text)]).toEqual([sample, true]);
    }
    const found = samples.filter(
      (sample) => gate.clean(`${withContext[id] ?? ""}x ${sample}, y`).redactions > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(samples.length / 2);
  },
);

test("every kind of token of our own is found, and the prefilter knows", () => {
  for (const { kind, pattern } of tokenRules) {
    const before = pattern.source.startsWith("(?<=") ? "123456789" : "x ";
    for (const sample of samplesOf(pattern.source).filter(random)) {
      const text = `${before}${sample}, y`;
      expect([kind, sample, mayHoldSecret(text)]).toEqual([kind, sample, true]);
    }
  }
});

test("every telling word of an assignment is known to the prefilter", () => {
  for (const word of tellingWords) {
    const text = `a_${word.replace(/\W.*$/, "")}=hunter2abc99XYZ`;
    if (gate.clean(text).redactions > 0) expect([word, mayHoldSecret(text)]).toEqual([word, true]);
  }
});

test("the prefilter lets ordinary prompts pass without the ruleset", () => {
  for (const text of [
    "Please fix the failing test in src/index.ts and run it again",
    "rename slot to desk in the English pattern, then highlight the path",
    "",
  ])
    expect(mayHoldSecret(text)).toBe(false);
});

test("a gate loaded on demand is the same gate", async () => {
  const loaded = await loadGate();
  expect(loaded.clean("DB_PASSWORD=hunter2")).toEqual(gate.clean("DB_PASSWORD=hunter2"));
  expect(loaded.isSecretPath(".env")).toBe(true);
});

test("a value below its label is hidden, whatever leads up to the label on its line", () => {
  const said = "note this: S3 Secret Access Key\nwJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzKEY123";
  expect(gate.clean(said).text).not.toContain("wJalr");
  const plain = "note this: the staging hosts\nferry-01.harbour.example";
  expect(gate.clean(plain).text).toBe(plain);
});
