/** One prompt: what was sent to Claude for it and why, each line to be mended where it stands. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { InjectionDetailJson, InjectionHeadJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { leaveEdit } from "../state/commands.ts";
import { feedback, judge } from "../state/judge.ts";
import { useKeys } from "../state/keys.ts";
import { href, sessionHref, turnHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { agentName, Key } from "../parts/badges.tsx";
import { Explained } from "../parts/explained.tsx";
import { causeWords, fullTime, occasionOf } from "../parts/format.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { HeadText, outcomeOf } from "./prompt-line.tsx";

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
