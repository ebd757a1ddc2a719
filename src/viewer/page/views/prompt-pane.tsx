/** One prompt: what was sent to Claude for it and why, each line to be mended where it stands. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { InjectionDetailJson, InjectionHeadJson } from "#api";
import { leaveEdit } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { feedback, judge } from "../state/judge.ts";
import { useKeys } from "../state/keys.ts";
import { useResource } from "../state/resource.ts";
import { href, sessionHref, turnHref } from "../state/router.ts";
import { agentName, Key, ProjectName } from "../parts/badges.tsx";
import { Empty, Failed, Waiting } from "../parts/basics.tsx";
import { Explained, Likelihood } from "../parts/explained.tsx";
import { ago, causeWords, fullTime, occasionOf, plural } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Line, Span } from "../parts/text.tsx";

export const PromptPage = ({ id }: { id: number }) => (
  <>
    <Top title="Prompt" />
    <div class="scroll page-scroll">
      <PromptPane key={id} id={id} whole />
    </div>
  </>
);

/** `w` and `m` say something of the prompt; beside a list they belong to the list. */
export function useJudging(head: InjectionHeadJson | null): void {
  const say = (word: "wrong" | "missing") => (): void => {
    if (head !== null) void judge(head, word);
  };
  useKeys({ w: say("wrong"), m: say("missing") });
}

function Judging({ head }: { head: InjectionHeadJson }) {
  useJudging(head);
  return null;
}

export function PromptPane({ id, whole = false }: { id: number; whole?: boolean }) {
  const found = useResource(`${id}`, () =>
    answerOf(api.injections[":id"].$get({ param: { id: `${id}` } })),
  );
  const { value, failure } = found.state.value;
  // The form of a line belongs to this prompt, also where another one tells the same memory.
  useLayoutEffect(() => leaveEdit, []);
  if (failure !== null && value === null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting />;
  const { injection: head } = value;
  const occasion = occasionOf(head.channel, head.cause);
  return (
    <article class={whole ? "memory whole" : "memory"}>
      {whole && <Judging head={head} />}
      <header class="memory-head">
        <div class="small faint head-line">
          <a href={sessionHref(head.session_id)}>
            <Span text={head.session_title ?? `session ${head.session_id.slice(0, 8)}`} />
          </a>
          {head.turn !== null && (
            <a href={turnHref(head.session_id, head.turn)}>turn {head.turn}</a>
          )}
          <span>{agentName(head.session_id)}</span>
          <time>{fullTime(head.at)}</time>
        </div>
        <h2 class={occasion === null ? "memory-title prompt-text" : "memory-title"}>
          {occasion ?? <Span text={value.prompt ?? "A prompt that was not kept"} />}
        </h2>
      </header>
      <Told told={value} />
      <Verdicts head={head} />
    </article>
  );
}

const Told = ({ told }: { told: InjectionDetailJson }) => {
  const { injection: head, lines, decision } = told;
  const isLost = outcomeOf(head) === "lost";
  return (
    <>
      {isLost && (
        <p class="notice warn">
          Not sent: {causeWords(head.cause)}.
          {lines.length > 0 && " Below is what was meant for it."}
        </p>
      )}
      {lines.length === 0 && decision === null ? (
        !isLost && <p class="soft">Nothing sent: {causeWords(head.cause)}.</p>
      ) : (
        <Explained told={told} isLost={isLost} isWrong={feedback(head) === "wrong"} />
      )}
    </>
  );
};

const words = [
  { word: "wrong", title: "This was wrong", keys: "w" },
  { word: "missing", title: "Something was missing", keys: "m" },
] as const;

const Verdicts = ({ head }: { head: InjectionHeadJson }) => (
  <div class="form-actions">
    {words.map(({ word, title, keys }) => (
      <button
        key={word}
        type="button"
        class="button"
        aria-pressed={feedback(head) === word}
        onClick={() => void judge(head, word)}
      >
        {title} <Key keys={keys} />
      </button>
    ))}
  </div>
);

const inPageMax = 100;

/** Prompts of one session or with one memory inside another page, each opening in place. */
export function PromptsOf({ query }: { query: { session: string } | { uri: string } }) {
  const asked = { ...query, limit: `${inPageMax}` } as Record<string, string>;
  const found = useResource(JSON.stringify(query), () =>
    answerOf(api.injections.$get({ query: asked })),
  );
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={4} />;
  if (value.total === 0)
    return (
      <Empty icon="inject" title="Nothing on record">
        What is sent to Claude is kept for 90 days.
      </Empty>
    );
  return (
    <>
      <ol class="prompts-of">
        {value.items.map((head) => (
          <li key={head.id}>
            <Opening head={head} />
          </li>
        ))}
      </ol>
      {value.total > value.items.length && (
        <p class="small">
          <a href={href("", query)}>Show all {value.total}</a>
        </p>
      )}
    </>
  );
}

function Opening({ head }: { head: InjectionHeadJson }) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary class="row prompt-row">
        <HeadText head={head} />
      </summary>
      {isOpen.value && <PromptPane id={head.id} />}
    </details>
  );
}

const isLost = ({ cause }: InjectionHeadJson): boolean => cause === "late" || cause === "failed";

/** Was it sent, was nothing sent, or did it not arrive? */
const outcomeOf = (head: InjectionHeadJson): "sent" | "lost" | "nothing" =>
  isLost(head) ? "lost" : head.tokens > 0 ? "sent" : "nothing";

const outcomeWords = (head: InjectionHeadJson): string =>
  outcomeOf(head) === "sent"
    ? `Sent to Claude: ${plural(head.tokens, "token")}`
    : outcomeOf(head) === "lost"
      ? `Not sent: ${causeWords(head.cause)}`
      : `Nothing sent: ${causeWords(head.cause)}`;

const PromptTitle = ({ head }: { head: InjectionHeadJson }) => {
  const occasion = occasionOf(head.channel, head.cause);
  return occasion !== null ? (
    <span class="soft">{occasion}</span>
  ) : head.prompt === null || head.prompt === "" ? (
    <span class="soft">A prompt that was not kept</span>
  ) : (
    <Line text={head.prompt} />
  );
};

export const HeadText = ({ head }: { head: InjectionHeadJson }) => {
  const said = feedback(head);
  return (
    <>
      <span class={`outcome ${outcomeOf(head)}`} />
      <span class="row-main">
        <span class="row-text">
          <PromptTitle head={head} />
        </span>
        <span class="tiny faint cut">{outcomeWords(head)}</span>
      </span>
      {head.used === true && <span class="badge plain-badge">used later</span>}
      {said !== null && <span class="badge status-pending">{said}</span>}
      {head.probability !== null && <Likelihood value={head.probability} limit={head.threshold} />}
      <time class="row-time num" title={fullTime(head.at)}>
        {ago(head.at)}
      </time>
    </>
  );
};

/** Names the session above its prompts, and leads to it. */
export const SessionLine = ({ head }: { head: InjectionHeadJson }) => (
  <a class="session-line" href={sessionHref(head.session_id)} tabIndex={-1}>
    <strong class="cut">
      <Line text={head.session_title ?? `Session ${head.session_id.slice(0, 8)}`} />
    </strong>
    <span class="tiny faint cut">
      {head.project !== null && (
        <>
          <ProjectName project={head.project} /> ·{" "}
        </>
      )}
      {agentName(head.session_id)}
    </span>
  </a>
);
