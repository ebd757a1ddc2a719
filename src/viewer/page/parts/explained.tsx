/** A text that was sent to Claude, or would be: why, each line with what mends it, and what else was weighed. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ConsideredJson, ExplainedJson } from "#api";
import { causeWords, leftOutWords } from "#domain";
import { editing, pendingForget, subject, togglePin } from "../state/actions.ts";
import { api } from "../state/connection.ts";
import { useKeys } from "../state/keys.ts";
import { seen } from "../state/overlay.ts";
import { useResource } from "../state/resource.ts";
import { memoryHref, sessionHref } from "../state/router.ts";
import { StatusBadge } from "./badges.tsx";
import { Answered, Tier, Tool } from "./basics.tsx";
import { EditForm } from "./edit-form.tsx";
import { leafName, plural } from "./format.ts";
import { Line } from "./text.tsx";

interface ExplainedProps {
  readonly told: ExplainedJson;
  /** Would it be sent, instead of having been? */
  readonly isTrial?: boolean;
  /** It was meant to be sent and did not arrive. */
  readonly isLost?: boolean;
  /** A person said that it was wrong. */
  readonly isWrong?: boolean;
}

export const Explained = ({ told, isTrial, isLost, isWrong = false }: ExplainedProps) => (
  <div class="stack">
    {told.decision !== null && isLost !== true && (
      <Verdict decision={told.decision} tokens={told.tokens} isTrial={isTrial === true} />
    )}
    {told.lines.length > 0 && <SentLines lines={told.lines} isWrong={isWrong} />}
    {told.decision !== null && told.considered.length > 0 && (
      <Considered considered={told.considered} />
    )}
  </div>
);

const percent = (value: number): string => `${Math.round(value * 100)}\u00a0%`;
const width = (value: number): string => `${Math.min(100, value * 100)}%`;

interface VerdictProps {
  readonly decision: NonNullable<ExplainedJson["decision"]>;
  readonly tokens: number;
  readonly isTrial: boolean;
}

function Verdict({ decision, tokens, isTrial }: VerdictProps) {
  const { verdict, cause, probability, threshold } = decision;
  const isSent = verdict === "inject";
  const outcome = isSent ? (isTrial ? "Would be sent" : "Sent to Claude") : "Nothing sent";
  return (
    <section class="verdict">
      <p>
        <strong class={isSent ? "good" : ""}>{outcome}</strong>:{" "}
        {isSent ? plural(tokens, "token") : causeWords(cause)}
      </p>
      <Likelihood value={probability} limit={threshold} />
      <p class="small faint num">
        Likely to help: {percent(probability)}
        {threshold > 0 && ` · needed: ${percent(threshold)}`}
      </p>
    </section>
  );
}

/** A likelihood as a bar, with what it has to reach as a mark. */
export const Likelihood = ({ value, limit }: { value: number; limit: number | null }) => (
  <span
    class={`likelihood${limit !== null && value >= limit ? " reached" : ""}`}
    aria-hidden="true"
  >
    <span style={{ width: width(value) }} />
    {limit !== null && limit > 0 && <i style={{ left: width(limit) }} />}
  </span>
);

type SentLine = ExplainedJson["lines"][number];

/** Lines that a key leads to. */
const keyedMax = 9;

/** Lines that were sent, each with what mends it: correct, pin, forget. A number goes to a line. */
function SentLines({ lines, isWrong }: { lines: readonly SentLine[]; isWrong: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const told = lines.filter(isMemory);
  const goTo = (n: number) => (): void =>
    list.current?.querySelectorAll<HTMLElement>(".sent-text")[n]?.focus();
  useKeys(
    Object.fromEntries(told.slice(0, keyedMax).map((_, n) => [`${n + 1}`, goTo(n)] as const)),
  );
  return (
    <section class="stack tight">
      {isWrong && told.length > 0 && (
        <p class="notice warn">Which line was wrong? Correct it or forget it here.</p>
      )}
      <ol class={isWrong ? "sent-lines wrong" : "sent-lines"} ref={list}>
        {lines.map((line, at) =>
          isMemory(line) ? (
            <MemoryLine key={at} line={line} uri={line.uri} />
          ) : (
            <OtherLine key={at} line={line} />
          ),
        )}
      </ol>
    </section>
  );
}

/** False for headings, summaries of sessions and what was forgotten since. */
const isMemory = (line: SentLine): line is SentLine & { readonly uri: string } =>
  line.uri !== null && line.status !== null;

function OtherLine({ line: { text, uri } }: { line: SentLine }) {
  const session = /^mem:\/\/sessions\/([^/]+)\/summary$/.exec(uri ?? "")?.[1];
  const line = <Line text={text.replace(/^## /, "")} />;
  return (
    <li class={text.startsWith("## ") ? "sent-heading" : "soft"}>
      {session === undefined ? line : <a href={sessionHref(session)}>{line}</a>}
    </li>
  );
}

function MemoryLine({ line, uri }: { line: SentLine; uri: string }) {
  const memory = seen({ uri, l0: line.text, pinned: line.pinned });
  const pin = memory.pinned ? "Unpin" : "Pin";
  return (
    <li class="sent-line" data-uri={uri}>
      <div class="sent-row line">
        <a
          class="sent-text grow"
          href={memoryHref(uri)}
          onFocus={() => (subject.value = memory)}
          onBlur={() => {
            if (subject.peek()?.uri === uri) subject.value = null;
          }}
        >
          <Line text={line.text} /> <StatusBadge status={line.status} />
        </a>
        <span class="sent-tools">
          <Tool icon="edit" label="Correct" keys="e" onClick={() => (editing.value = uri)} />
          <Tool
            class={memory.pinned ? "on" : ""}
            icon="pin"
            label={pin}
            keys="p"
            onClick={() => void togglePin(memory)}
          />
          <Tool
            icon="trash"
            label="Forget"
            keys="#"
            onClick={() => (pendingForget.value = memory)}
          />
        </span>
      </div>
      {editing.value === uri && <LineForm uri={uri} />}
    </li>
  );
}

/** The form for a memory that stands in a line: it is asked for when the form is. */
function LineForm({ uri }: { uri: string }) {
  const found = useResource(uri, () => api.nodes.$get({ query: { uri } }));
  return (
    <Answered of={found}>
      {(memory) => <EditForm memory={seen(memory)} onDone={() => (editing.value = null)} />}
    </Answered>
  );
}

/** Candidates that are shown at first. */
const shownMax = 8;

function Considered({ considered }: { considered: readonly ConsideredJson[] }) {
  const isWhole = useSignal(false);
  const ordered = considered.toSorted(
    (a, b) => Number(b.taken) - Number(a.taken) || (b.score ?? 0) - (a.score ?? 0),
  );
  const rest = isWhole.value ? 0 : considered.length - shownMax;
  return (
    <Tier title="Considered" aside={<span class="faint num">{considered.length}</span>}>
      <ul class="candidates">
        {ordered.slice(0, rest > 0 ? shownMax : undefined).map((one) => (
          <Candidate key={one.uri} one={one} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" class="link small" onClick={() => (isWhole.value = true)}>
          {plural(rest, "more candidate")}
        </button>
      )}
    </Tier>
  );
}

const Candidate = ({ one }: { one: ConsideredJson }) => (
  <li class={one.taken ? "taken small" : "small"}>
    {one.l0 === null ? (
      <span class="cut faint">{leafName(one.uri)} (no longer there)</span>
    ) : (
      <a class={one.taken ? "cut" : "cut soft"} href={memoryHref(one.uri)} title={one.l0}>
        <Line text={one.l0} /> <StatusBadge status={one.status} />
      </a>
    )}
    <span class="tiny faint">{one.taken ? "sent" : leftOutWords(one.why)}</span>
    <span class="tiny num">{percent(one.score ?? 0)}</span>
  </li>
);
