/** Every prompt and what Claude was given for it: a list, and one of them with its reasons beside it. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { InjectionDetailJson, InjectionHeadJson } from "#api";
import { useAfterFrame } from "../state/after-frame.ts";
import { answerOf, api } from "../state/api.ts";
import { reconnects } from "../state/connection.ts";
import { feedback, judge } from "../state/judge.ts";
import { useKeys } from "../state/keys.ts";
import { createKeptRows } from "../state/kept-rows.ts";
import { changes, stampNow } from "../state/live.ts";
import { createPaged, type Rows } from "../state/paged.ts";
import { adjust, givenHref, go, href, route, sessionHref, turnHref } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { agentName, Key, ProjectName } from "../parts/badges.tsx";
import { useChosen } from "../parts/choice.ts";
import { Explained, Likelihood } from "../parts/explained.tsx";
import { Filters, ProjectFilter } from "../parts/filters.tsx";
import { ago, causeWords, fullTime, plural } from "../parts/format.ts";
import { isNarrow, isWide } from "../parts/screen.ts";
import { Segments } from "../parts/segments.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line, Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";

const kinds = [
  { value: "all", title: "All" },
  { value: "given", title: "Given" },
  { value: "silent", title: "Silent" },
  { value: "wrong", title: "Wrong" },
  { value: "missing", title: "Missing" },
] as const;

type Query = Readonly<Partial<Record<"session" | "uri" | "project" | "kind", string>>>;
/** A row needs a name by which it is found again. */
type Row = InjectionHeadJson & { readonly uri: string };

export const Given = () => (route.value.rest === "" ? <GivenList /> : <GivenPage />);

const load = async (query: Query, offset: number, limit: number) => {
  const page = { offset: `${offset}`, limit: `${limit}` };
  const answer = await answerOf(
    api.injections.$get({ query: { ...query, ...page } as Record<string, string> }),
  );
  if (!answer.ok) return answer;
  const items = answer.value.items.map((one): Row => ({ ...one, uri: `${one.id}` }));
  return { ok: true, value: { ...answer.value, items } } as const;
};

const kept = createKeptRows<Row>(stampNow);

function GivenList() {
  const { query } = route.value;
  const kind = kinds.find(({ value }) => value === query.get("kind"))?.value ?? "all";
  const asked: Query = Object.fromEntries(
    (["session", "uri", "project"] as const).flatMap((name) => {
      const value = name === "project" ? projectHere() : query.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
  const filter: Query = { ...asked, ...(kind === "all" ? {} : { kind }) };
  const listKey = JSON.stringify(filter);
  const rows = useMemo(
    () =>
      kept.of(listKey, () =>
        createPaged<Row>({ load: (offset, limit) => load(filter, offset, limit) }),
      ),
    [listKey],
  );
  useLayoutEffect(() => rows.refresh(), [rows, `${changes.value}.${reconnects.value}`]);
  return (
    <>
      <Top title="Prompts" count={rows.total.value}>
        <Segments
          label="What came of it"
          value={kind}
          options={kinds}
          onChange={(value) => adjust({ kind: value === "all" ? null : value })}
        />
      </Top>
      <Filters>
        <ProjectFilter />
        {(asked.session !== undefined || asked.uri !== undefined) && (
          <button type="button" class="button" onClick={() => adjust({ session: null, uri: null })}>
            {asked.uri === undefined ? "One session" : "One memory"} ×
            <span class="unseen">Show all</span>
          </button>
        )}
      </Filters>
      <Split rows={rows} listKey={listKey} isFiltered={listKey !== "{}"} />
    </>
  );
}

interface SplitProps {
  readonly rows: Rows<Row>;
  readonly listKey: string;
  readonly isFiltered: boolean;
}

function Split({ rows, listKey, isFiltered }: SplitProps) {
  const current = useSignal(-1);
  const total = rows.total.value;
  const { row: chosen, moved } = useChosen(current, {
    at: rows.at,
    find: (uri) => rows.find((one) => one.uri === uri),
    count: total ?? 0,
    listKey,
    isDone: () => false,
  });
  useLayoutEffect(() => {
    if (current.value < 0 && (total ?? 0) > 0 && isWide.value) current.value = 0;
  }, [listKey, total, isWide.value]);
  useJudging(chosen);
  const beside = useAfterFrame(chosen);
  const failure = rows.failure.value;
  if (failure !== null && total === null) return <Failed failure={failure} retry={rows.refresh} />;
  if (total === null) return <Waiting lines={10} />;
  if (total === 0) return <Nothing isFiltered={isFiltered} />;
  const choose = (index: number) => (event: MouseEvent) => {
    if (!isWide.peek() || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    current.value = index;
  };
  return (
    <div class="split">
      <VirtualList
        label="Prompts and what was given"
        count={total}
        rowHeight={isNarrow.value ? 70 : 56}
        current={current}
        moved={moved}
        onRange={rows.want}
        onOpen={(at) => {
          const row = rows.at(at);
          if (row !== undefined) go(givenHref(row.id));
        }}
        row={(at, isCurrent) => {
          const row = rows.at(at);
          return row === undefined ? null : (
            <GivenRow head={row} isCurrent={isCurrent} onClick={choose(at)} />
          );
        }}
      />
      {isWide.value && (
        <aside class="pane" aria-label="Selected prompt">
          {beside !== null && <GivenPane id={beside.id} />}
        </aside>
      )}
    </div>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon="inject" title={isFiltered ? "No prompts match these filters" : "No prompts yet"}>
    {isFiltered ? (
      <button
        type="button"
        class="button"
        onClick={() => adjust({ kind: null, project: null, session: null, uri: null })}
      >
        Clear filters
      </button>
    ) : (
      <>
        Run <code>claude</code> in any project. <a href={href("preview")}>Try a prompt here</a> to
        see what Claude would get.
      </>
    )}
  </Empty>
);

interface GivenRowProps {
  readonly head: InjectionHeadJson;
  readonly isCurrent: boolean;
  readonly onClick?: (event: MouseEvent) => void;
}

const GivenRow = ({ head, isCurrent, onClick }: GivenRowProps) => (
  <a
    class={`row session-row given-row${isCurrent ? " current" : ""}`}
    href={givenHref(head.id)}
    tabIndex={isCurrent ? 0 : -1}
    aria-current={isCurrent ? "true" : undefined}
    onClick={onClick}
  >
    <HeadText head={head} />
  </a>
);

const HeadText = ({ head }: { head: InjectionHeadJson }) => (
  <>
    <span class={head.tokens > 0 ? "given-dot on" : "given-dot"} />
    <span class="found-main">
      <span class="row-text">
        <Title head={head} />
      </span>
      <span class="tiny faint cut">
        {outcomeOf(head)}
        {head.project !== null && (
          <>
            {" · "}
            <ProjectName project={head.project} />
          </>
        )}
      </span>
    </span>
    <Said head={head} />
    {head.probability !== null && <Likelihood value={head.probability} limit={head.threshold} />}
    <time class="row-time num" title={fullTime(head.at)}>
      {ago(head.at)}
    </time>
  </>
);

/** What was given without a prompt, in words; null at a prompt. */
function occasionOf({ channel, cause }: InjectionHeadJson): string | null {
  if (channel === "start") return `Session start: ${cause}`;
  if (channel === "subagent") return `Subagent: ${cause}`;
  if (channel === "hint") return `Hint to save: ${cause}`;
  if (channel === "tool") return cause === "file" ? "A file was opened" : "A tool failed";
  return null;
}

const Title = ({ head }: { head: InjectionHeadJson }) =>
  occasionOf(head) !== null ? (
    <span class="soft">{occasionOf(head)}</span>
  ) : head.prompt === null || head.prompt === "" ? (
    <span class="soft">A prompt that was not kept</span>
  ) : (
    <Line text={head.prompt} />
  );

const outcomeOf = ({ tokens, cause }: InjectionHeadJson): string =>
  tokens > 0 ? plural(tokens, "token") : causeWords(cause);

const Said = ({ head }: { head: InjectionHeadJson }) => {
  const said = feedback(head);
  return (
    <>
      {head.used === true && <span class="badge plain-badge">used later</span>}
      {said !== null && <span class="badge status-pending">{said}</span>}
    </>
  );
};

function GivenPage() {
  const id = Number(route.value.rest);
  return (
    <>
      <Top title="Prompt" />
      <div class="scroll page-scroll">
        <GivenPane id={id} whole />
      </div>
    </>
  );
}

function useJudging(head: InjectionHeadJson | null): void {
  const say = (word: "wrong" | "missing") => (): void => {
    if (head !== null) void judge(head, word);
  };
  useKeys({ w: say("wrong"), m: say("missing") });
}

const useInjection = (id: number) =>
  useResource(`${id}`, () => answerOf(api.injections[":id"].$get({ param: { id: `${id}` } })));

function GivenPane({ id, whole = false }: { id: number; whole?: boolean }) {
  const found = useInjection(id);
  const { value, failure } = found.state.value;
  if (failure !== null && value === null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting />;
  const { injection: head } = value;
  return (
    <article class={whole ? "memory whole" : "memory"} key={id}>
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
        {occasionOf(head) !== null ? (
          <h2 class="memory-title">{occasionOf(head)}</h2>
        ) : (
          <h2 class="memory-title given-prompt">
            <Span text={value.prompt ?? "A prompt that was not kept"} />
          </h2>
        )}
        <Verdicts head={head} />
      </header>
      <Told told={value} />
    </article>
  );
}

/** The keys of the page; beside a list they belong to the list. */
function Judging({ head }: { head: InjectionHeadJson }) {
  useJudging(head);
  return null;
}

const Told = ({ told }: { told: InjectionDetailJson }) =>
  told.lines.length === 0 && told.decision === null ? (
    <p class="soft">Nothing was given: {causeWords(told.injection.cause)}.</p>
  ) : (
    <Explained told={told} />
  );

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

/** Injections of one session or one memory inside another page, each opening in place. */
export function GivenIn({ query }: { query: { session: string } | { uri: string } }) {
  const key = JSON.stringify(query);
  const found = useResource(key, () => load(query, 0, inPageMax));
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={4} />;
  if (value.total === 0)
    return (
      <Empty icon="inject" title="Nothing on record">
        What is given is kept for 90 days.
      </Empty>
    );
  return (
    <>
      <ol class="given-in">
        {value.items.map((head) => (
          <li key={head.id}>
            <Opening head={head} />
          </li>
        ))}
      </ol>
      {value.total > value.items.length && (
        <p class="small">
          <a href={href("given", query)}>Show all {value.total}</a>
        </p>
      )}
    </>
  );
}

const inPageMax = 100;

function Opening({ head }: { head: InjectionHeadJson }) {
  const isOpen = useSignal(false);
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary class="row given-row">
        <HeadText head={head} />
      </summary>
      {isOpen.value && <GivenPane id={head.id} />}
    </details>
  );
}
