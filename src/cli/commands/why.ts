/** `why`: what was sent to the agent, and why, in words; `--json` has the figures. */
import type { ExplainedJson, InjectionJson, WhyJson } from "#api";
import { causeWords, leftOutWords } from "#domain";
import { counted } from "#kit";
import type { Context } from "../context.ts";
import { type CommandSpec, hasFlag } from "../spec.ts";
import { linesOf, safeLine, safeText, timeOf } from "../text.ts";
import { whoseOf } from "./archive.ts";
import { first } from "./filters.ts";

export const whyCommand: CommandSpec = {
  name: "why",
  group: "main",
  summary: "Show what was sent to Claude for a session's last prompt, and why",
  arguments: [
    { name: "[session]", summary: "session id (default: the last one that was sent something)" },
  ],
  options: [{ flags: "--all", summary: "everything that was sent in the session, whole" }],
  examples: ["continuity why", "continuity why --all", "continuity why 3f2a… --json"],
  json: {
    shape: "one document",
    fields: (of) => first(of("WhyJson"), ["session_id", "injections[].at", "injections[].channel"]),
  },
  run: async (context, input) => {
    const api = await context.api("read");
    const sessionId = input.args[0] ?? "latest";
    const why = await (await api.why[":sessionId"].$get({ param: { sessionId } })).json();
    const isAll = hasFlag(input, "all");
    const last = why.injections.findLast(({ channel }) => channel === "prompt");
    const shown = isAll ? why.injections : [last ?? why.injections.at(-1)];
    const explained: (readonly [InjectionJson, ExplainedJson])[] = [];
    for (const one of context.isJson ? [] : shown) {
      if (one === undefined) continue;
      const asked = { param: { id: `${one.id}` } };
      explained.push([one, await (await api.injections[":id"].$get(asked)).json()]);
    }
    context.show(why, () => rendered(context, why, { explained, isAll }));
  },
};

const undelivered = {
  late: "The hook had given up or was ended before the client had the answer; the session did not get it.",
  failed: "The answer could not be made; `continuity status --log` has the reason.",
} as const;

const linesMax = 40;

interface Shown {
  readonly explained: readonly (readonly [InjectionJson, ExplainedJson])[];
  readonly isAll: boolean;
}

function rendered({ style }: Context, why: WhyJson, { explained, isAll }: Shown): string {
  if (why.injections.length === 0) return "Nothing sent.\n";
  const blocks = explained.map(([{ at, channel, cause, tokens, text }, told]) => {
    if (cause === "late" || cause === "failed")
      return `${style.bold(`${timeOf(at)}  ${channel}  not delivered`)}\n  ${undelivered[cause]}`;
    const kind = channel === "prompt" ? channel : `${channel} (${safeLine(cause)})`;
    return [
      style.bold(`${timeOf(at)}  ${kind}${tokens === 0 ? "" : `  ${counted(tokens, "token")}`}`),
      ...(text === "" ? [] : [indented(safeText(text.trimEnd()))]),
      ...reasonsOf(told, isAll).map((line) => style.dim(`  ${line}`)),
    ].join("\n");
  });
  const id = why.session_id ?? "";
  const lines =
    `${style.dim(`${whoseOf(id)}session ${safeLine(id)}`)}\n${blocks.join("\n\n")}`.split("\n");
  const isMore = lines.length > linesMax || explained.length < why.injections.length;
  if (isAll || !isMore) return linesOf(lines);
  const more = style.dim(
    `${counted(why.injections.length, "entry", "entries")} in all: \`continuity why --all\``,
  );
  return linesOf([...lines.slice(0, linesMax - 1), more]);
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** Candidates that were left out and are shown without `--all`. */
const leftOutMax = 3;

/** The decision on a prompt, and each candidate by its rank. At a start the headings of the text say why. */
function reasonsOf({ decision, considered }: ExplainedJson, isAll: boolean): readonly string[] {
  if (decision === null) return [];
  const { verdict, cause, probability, threshold } = decision;
  const likely = `likely to help: ${percent(probability)}, needed: ${percent(threshold)}`;
  const isWeighed = considered.length > 0 && cause !== "off";
  const outcome = `${verdict === "inject" ? "Sent" : "Nothing sent"}: ${causeWords(cause)}`;
  const ranked = considered.map((one, at) => ({ ...one, rank: at + 1 }));
  const left = ranked.filter(({ taken }) => !taken);
  const hidden = new Set(isAll ? [] : left.slice(leftOutMax));
  const lines = ranked
    .filter((one) => !hidden.has(one))
    .flatMap(({ l0, taken, why, words, rank }) => {
      const named =
        words.length === 0 ? "near in meaning" : `named in your prompt: ${words.join(", ")}`;
      const reason = taken ? `sent: ${named}` : `left out: ${leftOutWords(why)}`;
      const place = `ranked ${rank} of ${considered.length} by search`;
      return [`- ${safeLine(l0 ?? "(no longer there)")}`, `  ${safeLine(reason)}; ${place}`];
    });
  const more = hidden.size === 0 ? [] : [`and ${hidden.size} more that were left out`];
  return [isWeighed ? `${outcome} (${likely})` : outcome, ...lines, ...more];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
