/** The first screen: every prompt with what was sent to Claude for it, by session, and a prompt to try. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { answerOf, api } from "../state/api.ts";
import { reconnects } from "../state/connection.ts";
import { isNarrow, isWide } from "../state/display.ts";
import { changes, exchanges, stampNow } from "../state/live.ts";
import { createGrown, type Grown } from "../state/paged.ts";
import { projectHere } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { adjust, go, promptHref, route, sessionHref } from "../state/router.ts";
import { byUri, type PromptHead, type PromptRow, rowsOf } from "../parts/arrange.ts";
import { Empty, Failed, later, Waiting } from "../parts/basics.tsx";
import { useAfterFrame, useChosen } from "../parts/choice.ts";
import { Filter, Filters } from "../parts/filters.tsx";
import { beside as besideDay, startOf } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { DayFigures, dayHere } from "./day-figures.tsx";
import { HeadText, PromptPage, PromptPane, SessionLine, useJudging } from "./prompt-pane.tsx";
import { tried, TryField } from "./try-prompt.tsx";

export const Prompts = () =>
  route.value.rest === "" ? <PromptList /> : <PromptPage id={Number(route.value.rest)} />;

const outcomes: Readonly<Record<string, string>> = {
  given: "Sent to Claude",
  silent: "Nothing sent",
  late: "Too late",
  failed: "Not delivered",
  wrong: "Marked wrong",
  missing: "Marked incomplete",
};

/** What the address and the scope narrow the list by. */
function queryHere(): Readonly<Record<string, string>> {
  const { query } = route.value;
  const project = projectHere();
  const day = query.has("day") ? dayHere() : null;
  return {
    ...Object.fromEntries(
      ["kind", "session", "uri"].flatMap((name) => {
        const value = query.get(name);
        return value === null || value === "" ? [] : [[name, value]];
      }),
    ),
    ...(project === null ? {} : { project }),
    ...(day === null ? {} : { since: `${startOf(day)}`, until: `${startOf(besideDay(day, 1))}` }),
  };
}

interface Kept {
  readonly key: string;
  readonly list: Grown<PromptHead>;
}

/** The list as it was left: whoever comes back sees it at once. */
let kept: Kept | null = null;

function listFor(key: string, query: Readonly<Record<string, string>>): Grown<PromptHead> {
  if (kept?.key === key) return kept.list;
  const list = createGrown<PromptHead>((offset, limit) =>
    answerOf(api.injections.$get({ query: { ...query, offset: `${offset}`, limit: `${limit}` } })),
  );
  kept = { key, list };
  return list;
}

function PromptList() {
  const query = queryHere();
  const key = JSON.stringify(query);
  const list = useMemo(() => listFor(`${key} ${stampNow()}`, query), [key]);
  useLayoutEffect(
    () => list.refresh(),
    [list, `${changes.value}.${exchanges.value}.${reconnects.value}`],
  );
  const { query: named } = route.value;
  return (
    <>
      <Top title="Prompts" count={list.total.value}>
        <Filter
          name="kind"
          label="All outcomes"
          options={Object.keys(outcomes)}
          titleOf={(kind) => outcomes[kind] ?? kind}
        />
      </Top>
      <TryField />
      {tried.value.trim() === "" ? (
        <>
          {(list.total.value !== 0 || key !== "{}") && <DayFigures />}
          {(named.has("session") || named.has("uri")) && (
            <Filters>
              <button
                type="button"
                class="button"
                onClick={() => adjust({ session: null, uri: null })}
              >
                {named.has("uri") ? "One memory" : "One session"} ×
                <span class="unseen">Show all</span>
              </button>
            </Filters>
          )}
          <Split list={list} listKey={key} isFiltered={key !== "{}"} />
        </>
      ) : (
        <TryResult />
      )}
    </>
  );
}

interface SplitProps {
  readonly list: Grown<PromptHead>;
  readonly listKey: string;
  readonly isFiltered: boolean;
}

/** Rows before the end at which more is loaded. */
const spareRows = 20;

function Split({ list, listKey, isFiltered }: SplitProps) {
  const current = useSignal(-1);
  const heads = list.items.value;
  const rows = useMemo(() => rowsOf(heads), [heads]);
  const total = list.total.value;
  const { row: chosen, moved } = useChosen<PromptRow>(current, {
    at: (index) => rows[index],
    find: byUri(rows),
    count: rows.length,
    listKey,
    isDone: () => false,
  });
  useLayoutEffect(() => {
    if (current.value < 0 && rows.length > 0 && isWide.value) current.value = 1;
  }, [listKey, rows.length, isWide.value]);
  useJudging(chosen?.kind === "prompt" ? chosen.head : null);
  const beside = useAfterFrame(chosen);
  const failure = list.failure.value;
  if (failure !== null && total === null) return <Failed failure={failure} retry={list.refresh} />;
  if (total === null) return <Waiting lines={10} />;
  if (total === 0) return <Nothing isFiltered={isFiltered} />;
  return (
    <div class="split">
      <VirtualList
        label="Prompts, by session"
        count={rows.length}
        rowHeight={isNarrow.value ? 60 : 52}
        current={current}
        moved={moved}
        skips={(index) => rows[index]?.kind === "session"}
        onRange={(_, last) => {
          if (last > rows.length - spareRows) list.more();
        }}
        onOpen={(index) => {
          const row = rows[index];
          if (row !== undefined) go(hrefOf(row));
        }}
        row={(index, isCurrent) => {
          const row = rows[index];
          return row === undefined ? null : (
            <Row row={row} isCurrent={isCurrent} onChoose={() => (current.value = index)} />
          );
        }}
      />
      {isWide.value && (
        <aside class="pane" aria-label="Selected prompt">
          {beside?.kind === "prompt" && <PromptPane key={beside.head.id} id={beside.head.id} />}
        </aside>
      )}
    </div>
  );
}

const hrefOf = ({ kind, head }: PromptRow): string =>
  kind === "session" ? sessionHref(head.session_id) : promptHref(head.id);

interface RowProps {
  readonly row: PromptRow;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

const Row = ({ row, isCurrent, onChoose }: RowProps) =>
  row.kind === "session" ? (
    <SessionLine head={row.head} />
  ) : (
    <a
      class={isCurrent ? "row prompt-row current" : "row prompt-row"}
      href={hrefOf(row)}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent ? "true" : undefined}
      onClick={(event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
        if (!isWide.peek() || !isPlain) return;
        event.preventDefault();
        onChoose();
      }}
    >
      <HeadText head={row.head} />
    </a>
  );

const TryResult = later(async () => (await import("./try-prompt.tsx")).TryResult);
const FirstVisit = later(async () => (await import("./setup.tsx")).SetupParts);

/** Nothing that passes the filters, no prompt so far, or nothing at all yet. */
function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const found = useResource("any memory", () =>
    answerOf(api.memories.$get({ query: { limit: "1" } })),
  );
  if (isFiltered)
    return (
      <Empty icon="inject" title="No prompts match">
        <button
          type="button"
          class="button"
          onClick={() => adjust({ kind: null, project: null, session: null, uri: null, day: null })}
        >
          Show all prompts
        </button>
      </Empty>
    );
  return found.state.value.value?.total === 0 ? (
    <div class="scroll page-scroll">
      <FirstVisit />
    </div>
  ) : (
    <Empty icon="inject" title="No prompts yet">
      Run <code>claude</code> in any project, or try a prompt above.
    </Empty>
  );
}
