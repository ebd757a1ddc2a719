/** Runs all detectors, gitleaks' rules among them: from a text to the stretches that must go. */
import { detectAssignments, detectStructures } from "./assignments.ts";
import { detectAwsPairs, detectTokens } from "./tokens.ts";
import { detectBelow, detectLists } from "./lists.ts";
import { detectCommands } from "./commands.ts";
import { detectEncoded, detectJwts, detectKubernetesSecrets } from "./encoded.ts";
import { detectHeaders, detectUrls } from "./urls.ts";
import { detectLogins, detectProse } from "./prose.ts";
import { detectPayment, detectWallets } from "./payment.ts";
import { detectPrivateKeys } from "./private-keys.ts";
import { detectPlain } from "./plain.ts";
import { detectSpoken } from "./spoken.ts";
import {
  type Detector,
  entropyOf,
  haystack,
  type Haystack,
  hits,
  holds,
  matchAt,
  mayHold,
  type Span,
} from "./spans.ts";
import { detectTables } from "./tables.ts";
import { detectWords } from "./words.ts";
import ruleset from "./gitleaks-rules.json";

/** `custom`: the user's own patterns; `allow`: their words that are none. The result may overlap; see mergeSpans. */
export function createSecretFinder(
  custom: Detector,
  allow: readonly string[] = [],
): (text: string) => readonly Span[] {
  const isAllowed = (value: string): boolean => allow.some((word) => word.includes(value));
  const detectors: readonly Detector[] = [
    custom,
    detectPrivateKeys,
    detectTokens,
    detectJwts,
    detectUrls,
    detectHeaders,
    detectCommands,
    detectWallets,
    detectPayment,
    detectStructures,
    detectTables,
    detectBelow,
    detectEncoded([detectTokens, detectJwts, detectUrls]),
    detectAwsPairs,
    detectKubernetesSecrets,
    createGitleaks(),
    detectAssignments,
    detectSpoken,
    detectPlain,
    detectProse,
    detectLists,
    detectLogins,
    detectWords,
  ];
  return (text) => {
    const hay = haystack(text);
    return detectors
      .flatMap((detect) => detect(hay))
      .filter(({ start, end, kind }) => {
        const value = text.slice(start, end);
        return kind === "custom" || (!isPublic(value) && !isAllowed(value));
      });
  };
}

/** Keys that are made to be published: Stripe's, SSH's public ones, and those in documentation. */
const isPublic = (value: string): boolean =>
  /^pk_(?:live|test)_\w+$|^AAAA(?:B3NzaC1yc2E|C3NzaC1lZDI1NTE5|E2VjZHNhLXNoYTI)/u.test(value) ||
  documented.has(value);

const documented: ReadonlySet<string> = new Set([
  "AKIAIOSFODNN7EXAMPLE",
  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
]);

// Runs gitleaks' rules (gitleaks-rules.json): each only where one of its literals stands.

type Row = (typeof ruleset.rules)[number];

interface Rule {
  /**
   * `anchors`: literals, one of which stands in every match; `sticky`: every match begins with one.
   * `named`: of the form `name … separator … (value)`.
   */
  readonly row: Row;
  readonly pattern: () => RegExp;
}

/** A detector that compiles a pattern when its literal is first seen. */
function createGitleaks(): Detector {
  const rules = ruleset.rules.map(toRule);
  return (hay) => {
    const spans: Span[] = [];
    for (const rule of rules)
      if (rule.row.anchors.some((anchor) => mayHold(hay, anchor)))
        spans.push(...(rule.row.sticky ? atAnchors : everywhere)(hay, rule));
    return spans;
  };
}

function toRule(row: Row): Rule {
  let compiled: RegExp | null = null;
  return {
    row,
    pattern: () => (compiled ??= new RegExp(row.source, `${row.flags}d${row.sticky ? "y" : "g"}`)),
  };
}

function atAnchors(hay: Haystack, rule: Rule): readonly Span[] {
  const spans: Span[] = [];
  for (const anchor of rule.row.anchors) {
    if (!mayHold(hay, anchor)) continue;
    let reached = 0; // As a global search would: matches of one beginning do not overlap.
    for (const at of hits(hay, [anchor])) {
      const match = at < reached ? null : matchAt(rule.pattern(), hay.text, at);
      if (match === null) continue;
      reached = at + match[0].length;
      const span = spanOf(match, rule.row);
      if (span !== null) spans.push(span);
    }
  }
  return spans;
}

function everywhere(hay: Haystack, rule: Rule): readonly Span[] {
  if (!rule.row.anchors.some((anchor) => holds(hay, anchor))) return [];
  return [...hay.text.matchAll(rule.pattern())]
    .map((match) => spanOf(match, rule.row))
    .filter((span) => span !== null);
}

/** The secret is the rule's group, else the first group that took part, else the whole match. */
function spanOf(match: RegExpExecArray, rule: Row): Span | null {
  const taken = match.findIndex((group, index) => index > 0 && group !== undefined && group !== "");
  const index = rule.group > 0 ? rule.group : Math.max(taken, 0);
  const secret = match[index] ?? match[0];
  const [start, end] = match.indices?.[index] ?? [match.index, match.index + match[0].length];
  if (entropyOf(secret) < rule.entropyMin) return null;
  // A word after a product's name is talk ("linkedin: authentication"), not a key.
  if (rule.named && !/\d/.test(secret)) return null;
  return { start, end, kind: rule.id };
}
