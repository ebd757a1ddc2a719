/** A text that Claude was given, or would be: why, line by line, and what else was weighed for it. */
import type { ConsideredJson, ExplainedJson } from "#api";
import { memoryHref } from "../state/router.ts";
import { causeWords, leafName, plural } from "./format.ts";
import { Line } from "./text.tsx";

type Decision = NonNullable<ExplainedJson["decision"]>;

/** Candidates that are shown at first. */
const shownMax = 8;

interface ExplainedProps {
  readonly told: ExplainedJson;
  /** What the lines are called: what was given, or would be. */
  readonly title?: string;
}

export const Explained = ({ told, title = "What Claude got" }: ExplainedProps) => (
  <div class="explained">
    {told.decision !== null && <Verdict decision={told.decision} tokens={told.tokens} />}
    {told.lines.length > 0 && <Lines told={told} title={title} />}
    {told.decision !== null && <Considered considered={told.considered} />}
  </div>
);

const percent = (value: number): string => `${Math.round(value * 100)}\u00a0%`;
const width = (value: number): string => `${Math.min(100, value * 100)}%`;

function Verdict({ decision, tokens }: { decision: Decision; tokens: number }) {
  const { verdict, cause, probability, threshold } = decision;
  const isGiven = verdict === "inject";
  return (
    <section class="verdict">
      <p>
        <strong class={isGiven ? "good-text" : ""}>{isGiven ? "Given" : "Silent"}</strong>
        {isGiven ? `: ${plural(tokens, "token")}` : `: ${causeWords(cause)}`}
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
    {limit !== null && limit > 0 && <i style={{ insetInlineStart: width(limit) }} />}
  </span>
);

const Lines = ({ told, title }: Required<ExplainedProps>) => (
  <section class="tier">
    <h3 class="tier-head">
      {title} <span class="faint num">{plural(told.tokens, "token")}</span>
    </h3>
    <ol class="given-lines">
      {told.lines.map(({ text, uri }, at) => (
        <li key={at} class={text.startsWith("## ") ? "given-heading" : uri === null ? "soft" : ""}>
          {uri === null ? (
            <Line text={text.replace(/^## /, "")} />
          ) : (
            <a href={memoryHref(uri)}>
              <Line text={text} />
            </a>
          )}
        </li>
      ))}
    </ol>
  </section>
);

/** Bars are told by the likeliest of them: what counts is how far the others stay behind. */
function Considered({ considered }: { considered: readonly ConsideredJson[] }) {
  if (considered.length === 0) return null;
  const rest = considered.slice(shownMax);
  const best = Math.max(0.01, ...considered.map(({ score }) => score ?? 0));
  return (
    <section class="tier">
      <h3 class="tier-head">
        Considered <span class="faint num">{considered.length}</span>
      </h3>
      <Candidates candidates={considered.slice(0, shownMax)} best={best} />
      {rest.length > 0 && (
        <details class="turn-text">
          <summary>{plural(rest.length, "more candidate")}</summary>
          <Candidates candidates={rest} best={best} />
        </details>
      )}
    </section>
  );
}

interface CandidatesProps {
  readonly candidates: readonly ConsideredJson[];
  readonly best: number;
}

const Candidates = ({ candidates, best }: CandidatesProps) => (
  <ul class="candidates">
    {candidates.map((one) => (
      <li key={one.uri} class={one.taken ? "taken" : ""}>
        <span class="candidate-text">
          {one.l0 === null ? (
            <span class="faint">{leafName(one.uri)} (no longer there)</span>
          ) : (
            <a href={memoryHref(one.uri)}>
              <Line text={one.l0} />
            </a>
          )}
        </span>
        <Likelihood value={(one.score ?? 0) / best} limit={null} />
        <span class="small num">{percent(one.score ?? 0)}</span>
        <span class="tiny faint candidate-why">
          {one.taken ? "given" : (whyWords[one.why] ?? one.why)}
        </span>
      </li>
    ))}
  </ul>
);

const whyWords: Readonly<Partial<Record<string, string>>> = {
  near: "good enough, had the prompt needed it",
  "not-wanted": "the prompt did not need it",
  seen: "already in this session",
  same: "repeats one above",
  far: "less likely than those above",
};
