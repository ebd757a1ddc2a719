/** A text that was sent to Claude, or would be: why, line by line, and what else was weighed for it. */
import { useSignal } from "@preact/signals";
import type { ConsideredJson, ExplainedJson } from "#api";
import { memoryHref } from "../state/router.ts";
import { causeWords, leafName, plural } from "./format.ts";
import { SentLines } from "./sent-lines.tsx";
import { Line } from "./text.tsx";

type Decision = NonNullable<ExplainedJson["decision"]>;

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
  <div class="explained">
    {told.decision !== null && isLost !== true && (
      <Verdict decision={told.decision} tokens={told.tokens} isTrial={isTrial === true} />
    )}
    {told.lines.length > 0 && <SentLines lines={told.lines} isWrong={isWrong} />}
    {told.decision !== null && <Considered considered={told.considered} />}
  </div>
);

const percent = (value: number): string => `${Math.round(value * 100)}\u00a0%`;
const width = (value: number): string => `${Math.min(100, value * 100)}%`;

interface VerdictProps {
  readonly decision: Decision;
  readonly tokens: number;
  readonly isTrial: boolean;
}

function Verdict({ decision, tokens, isTrial }: VerdictProps) {
  const { verdict, cause, probability, threshold } = decision;
  const isSent = verdict === "inject";
  return (
    <section class="verdict">
      <p>
        {isSent ? (
          <>
            <strong class="good-text">{isTrial ? "Would be sent" : "Sent to Claude"}</strong>:{" "}
            {plural(tokens, "token")}
          </>
        ) : (
          <>
            <strong>Nothing sent</strong>: {causeWords(cause)}
          </>
        )}
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

/** Candidates that are shown at first. */
const shownMax = 8;

function Considered({ considered }: { considered: readonly ConsideredJson[] }) {
  const isWhole = useSignal(false);
  if (considered.length === 0) return null;
  const rest = isWhole.value ? 0 : considered.length - shownMax;
  return (
    <section class="tier">
      <h3 class="tier-head">
        Considered <span class="faint num">{considered.length}</span>
      </h3>
      <ul class="candidates">
        {considered.slice(0, rest > 0 ? shownMax : undefined).map((one) => (
          <Candidate key={one.uri} one={one} />
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" class="link small" onClick={() => (isWhole.value = true)}>
          {plural(rest, "more candidate")}
        </button>
      )}
    </section>
  );
}

const Candidate = ({ one }: { one: ConsideredJson }) => (
  <li class={one.taken ? "taken small" : "small"}>
    {one.l0 === null ? (
      <span class="cut faint">{leafName(one.uri)} (no longer there)</span>
    ) : (
      <a class="cut" href={memoryHref(one.uri)} title={one.l0}>
        <Line text={one.l0} />
      </a>
    )}
    <span class="tiny faint">{one.taken ? "sent" : (whyWords[one.why] ?? one.why)}</span>
    <span class="tiny num">{percent(one.score ?? 0)}</span>
  </li>
);

const whyWords: Readonly<Partial<Record<string, string>>> = {
  near: "good enough, not needed",
  "not-wanted": "the prompt did not need it",
  seen: "already sent in this session",
  same: "repeats one above",
  far: "less likely",
};
