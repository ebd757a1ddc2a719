/** Runs gitleaks' rules (gitleaks-rules.ts): each only where one of its literals stands. */
import { gitleaksRows } from "./gitleaks-rules.ts";
import type { GitleaksRow } from "./gitleaks-rules.ts";
import { entropyOf, hits, matchAt } from "./spans.ts";
import type { Detector, Haystack, Span } from "./spans.ts";

interface Rule {
  readonly kind: string;
  readonly anchors: readonly string[];
  readonly entropyMin: number;
  readonly group: number;
  /** Of the form `name … separator … (value)`. */
  readonly named: boolean;
  /** Every match begins with an anchor. */
  readonly sticky: boolean;
  readonly pattern: () => RegExp;
}

/** A detector that compiles a pattern when its literal is first seen. */
export function createGitleaks(): Detector {
  const rules = gitleaksRows.map(toRule);
  return (hay) => rules.flatMap((rule) => (rule.sticky ? atAnchors : everywhere)(hay, rule));
}

function toRule(row: GitleaksRow): Rule {
  const [kind, anchors, source, flags, entropyMin, group, traits] = row;
  const sticky = traits.includes("s");
  let compiled: RegExp | null = null;
  return {
    kind,
    anchors: anchors.split("\n"),
    entropyMin,
    group,
    named: traits.includes("n"),
    sticky,
    pattern: () => (compiled ??= new RegExp(source, `${flags}d${sticky ? "y" : "g"}`)),
  };
}

function atAnchors(hay: Haystack, rule: Rule): readonly Span[] {
  const spans: Span[] = [];
  for (const at of hits(hay, rule.anchors)) {
    const match = matchAt(rule.pattern(), hay.text, at);
    const span = match === null ? null : spanOf(match, rule);
    if (span !== null) spans.push(span);
  }
  return spans;
}

function everywhere(hay: Haystack, rule: Rule): readonly Span[] {
  if (!rule.anchors.some((anchor) => hay.lower.includes(anchor))) return [];
  return [...hay.text.matchAll(rule.pattern())]
    .map((match) => spanOf(match, rule))
    .filter((span) => span !== null);
}

/** The secret is the rule's group, else the first group that took part, else the whole match. */
function spanOf(match: RegExpExecArray, rule: Rule): Span | null {
  const taken = match.findIndex((group, index) => index > 0 && group !== undefined && group !== "");
  const index = rule.group > 0 ? rule.group : Math.max(taken, 0);
  const secret = match[index] ?? match[0];
  const [start, end] = match.indices?.[index] ?? [match.index, match.index + match[0].length];
  if (entropyOf(secret) < rule.entropyMin) return null;
  // A word after a product's name is talk ("linkedin: authentication"), not a key.
  if (rule.named && !/\d/.test(secret)) return null;
  return { start, end, kind: rule.kind };
}
