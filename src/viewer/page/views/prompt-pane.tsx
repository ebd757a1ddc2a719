/** One prompt: what was sent to Claude for it and why, each line to be mended where it stands. */
import { signal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { InjectionDetailJson, InjectionHeadJson } from "#api";
import { causeWords } from "#domain";
import { leaveEdit } from "../state/actions.ts";
import { answerOf, api } from "../state/connection.ts";
import { useKeys } from "../state/keys.ts";
import { useResource } from "../state/resource.ts";
import { href, sessionHref, turnHref } from "../state/router.ts";
import { agentName, ProjectName, Time } from "../parts/badges.tsx";
import { Answered, Button, Empty, Key } from "../parts/basics.tsx";
import { Explained, Likelihood } from "../parts/explained.tsx";
import { fullTime, occasionOf, plural } from "../parts/format.ts";
import { Page } from "../parts/frame.tsx";
import { Line, Span } from "../parts/text.tsx";
import { complain, toast } from "../state/toasts.ts";

export const PromptPage = ({ id }: { id: number }) => (
  <Page title="Prompt">
    <PromptPane key={id} id={id} whole />
  </Page>
);

/** `w` and `m` say something of the prompt; beside a list they belong to the list. */
export function useJudging(head: InjectionHeadJson | null): void {
  const say = (word: Verdict) => (): void => {
    if (head !== null && canSay(head, word)) void judge(head, word);
  };
  useKeys({ w: say("wrong"), m: say("missing") });
}

function Judging({ head }: { head: InjectionHeadJson }) {
  useJudging(head);
  return null;
}

export function PromptPane({ id, whole = false }: { id: number; whole?: boolean }) {
  const load = () => api.injections[":id"].$get({ param: { id: `${id}` } });
  const found = useResource(`${id}`, load);
  // The form of a line belongs to this prompt, also where another one tells the same memory.
  useLayoutEffect(() => leaveEdit, []);
  return (
    <Answered of={found}>
      {(told) => (
        <article class={whole ? "memory stack whole" : "memory stack"}>
          {whole && <Judging head={told.injection} />}
          <Head told={told} />
          <Told told={told} />
          <Verdicts head={told.injection} />
        </article>
      )}
    </Answered>
  );
}

const sessionTitle = ({ session_title: title, session_id: id }: InjectionHeadJson): string =>
  title ?? `Session ${id.slice(0, 8)}`;

const Head = ({ told: { injection: head, prompt } }: { told: InjectionDetailJson }) => {
  const occasion = occasionOf(head.channel, head.cause);
  return (
    <header class="stack tight">
      <div class="line wrap small faint">
        <a href={sessionHref(head.session_id)}>
          <Span text={sessionTitle(head)} />
        </a>
        {head.turn !== null && <a href={turnHref(head.session_id, head.turn)}>turn {head.turn}</a>}
        <span>{agentName(head.session_id)}</span>
        <time>{fullTime(head.at)}</time>
      </div>
      {occasion === null ? (
        <h2 class="memory-title prompt-text" tabIndex={0}>
          <Span text={prompt ?? "A prompt that was not kept"} />
        </h2>
      ) : (
        <h2 class="memory-title">{occasion}</h2>
      )}
    </header>
  );
};

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

type Verdict = (typeof words)[number]["word"];

/** False for "wrong" where nothing was sent: something may have been missing there. */
const canSay = (head: InjectionHeadJson, word: Verdict): boolean =>
  word === "missing" || outcomeOf(head) !== "nothing";

const Verdicts = ({ head }: { head: InjectionHeadJson }) => (
  <div class="form-actions line wrap">
    {words
      .filter(({ word }) => canSay(head, word))
      .map(({ word, title, keys }) => (
        <Button
          key={word}
          aria-pressed={feedback(head) === word}
          onClick={() => void judge(head, word)}
        >
          {title} <Key keys={keys} />
        </Button>
      ))}
  </div>
);

const inPageMax = 100;

/** Prompts of one session or with one memory inside another page, each opening in place. */
export function PromptsOf({ query }: { query: { session: string } | { uri: string } }) {
  const asked: Record<string, string> = { ...query, limit: `${inPageMax}` };
  const found = useResource(JSON.stringify(query), () => api.injections.$get({ query: asked }));
  return (
    <Answered of={found}>
      {({ items, total }) =>
        total === 0 ? (
          <Empty icon="inject" title="Nothing on record">
            What is sent to Claude is kept for 90 days.
          </Empty>
        ) : (
          <>
            <ol class="prompts-of">
              {items.map((head) => (
                <li key={head.id}>
                  <Opening head={head} />
                </li>
              ))}
            </ol>
            {total > items.length && (
              <p class="small">
                <a href={href("", query)}>Show all {total}</a>
              </p>
            )}
          </>
        )
      }
    </Answered>
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

/** Was it sent, was nothing sent, or did it not arrive? */
const outcomeOf = ({ cause, tokens }: InjectionHeadJson): keyof typeof outcomes =>
  cause === "late" || cause === "failed" ? "lost" : tokens > 0 ? "sent" : "nothing";

const outcomes = { sent: "Sent to Claude", lost: "Not sent", nothing: "Nothing sent" } as const;
const outcomeTones = { sent: "reached", lost: "warn", nothing: "" } as const;

/** A prompt in one row. */
export const HeadText = ({ head }: { head: InjectionHeadJson }) => {
  const outcome = outcomeOf(head);
  const why = outcome === "sent" ? plural(head.tokens, "token") : causeWords(head.cause);
  const occasion = occasionOf(head.channel, head.cause);
  const said = feedback(head);
  return (
    <>
      <span class={`dot round ${outcomeTones[outcome]}`} />
      <span class="row-main">
        <Line
          text={occasion ?? (head.prompt || "A prompt that was not kept")}
          look={occasion === null && head.prompt ? "row-text" : "row-text soft"}
        />
        <span class="tiny faint cut">
          {outcomes[outcome]}: {why}
        </span>
      </span>
      {head.used === true && <span class="badge plain-badge">used later</span>}
      {said !== null && <span class="badge warn">{said}</span>}
      {head.probability !== null && <Likelihood value={head.probability} limit={head.threshold} />}
      <Time at={head.at} />
    </>
  );
};

/** Names the session above its prompts, and leads to it. */
export const SessionLine = ({ head }: { head: InjectionHeadJson }) => (
  <a class="session-line" href={sessionHref(head.session_id)} tabIndex={-1}>
    <strong class="cut">
      <Line text={sessionTitle(head)} />
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

// A person's word on what Claude was given: shown at once, kept by the daemon, taken back by the same key.

type Word = InjectionHeadJson["feedback"];
type Judged = InjectionHeadJson;

/** The verdicts that were given here, by the injection; lists ask for it before what they were answered. */
const said = signal<ReadonlyMap<number, Word>>(new Map());

const feedback = ({ id, feedback: known }: Judged): Word => {
  const here = said.value.get(id);
  return here === undefined ? known : here;
};

const note = (id: number, word: Word): void => {
  said.value = new Map([...said.peek(), [id, word]]);
};

/** Says it, or takes it back where it was said. */
async function judge(head: Judged, word: NonNullable<Word>): Promise<void> {
  const before = feedback(head);
  const after = before === word ? null : word;
  if (await keep(head.id, before, after))
    toast(after === null ? "Note removed" : notes[after], {
      undo: () => void keep(head.id, after, before),
    });
}

const notes = { wrong: "Noted: this was wrong", missing: "Noted: something was missing" } as const;

async function keep(id: number, before: Word, after: Word): Promise<boolean> {
  note(id, after);
  const answer = await answerOf(
    api.injections[":id"].$post({ param: { id: `${id}` }, json: { feedback: after } }),
  );
  if (!answer.ok) note(id, before);
  complain(answer, "Could not save");
  return answer.ok;
}
