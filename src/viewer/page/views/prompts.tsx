/** The first screen: every prompt with what was sent to Claude for it, by session, and a prompt to try. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { InjectionHeadJson } from "#api";
import { answerOf, api, reconnects } from "../state/connection.ts";
import { isNarrow, isWide } from "../state/display.ts";
import { changes, exchanges, stampNow } from "../state/live.ts";
import { createGrown, type Grown } from "../state/paged.ts";
import { projectHere, setScope } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { adjust, go, href, promptHref, route, sessionHref } from "../state/router.ts";
import { type PromptRow, rowsOf } from "../parts/arrange.ts";
import { Button, Empty, Failed, later, Tool, Waiting } from "../parts/basics.tsx";
import { choosing, type RowHandle, useAfterFrame, useChosen } from "../parts/memory-list.tsx";
import { Chip, Filter, Filters } from "../parts/filters.tsx";
import { Top } from "../parts/frame.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { HeadText, PromptPage, PromptPane, SessionLine, useJudging } from "./prompt-pane.tsx";
import { tried, TryField, TryResult } from "./try-prompt.tsx";
import { systemClock } from "#kit";
import { useKeys } from "../state/keys.ts";
import { beside, dayName, dayOf, isDay, short, startOf } from "../parts/format.ts";

const FirstVisit = later(async () => (await import("./setup.tsx")).SetupParts);

export const Prompts = () =>
  route.value.rest === "" ? <PromptList /> : <PromptPage id={Number(route.value.rest)} />;

const outcomes = {
  given: "Sent to Claude",
  silent: "Nothing sent",
  late: "Too late",
  failed: "Not delivered",
  wrong: "Marked wrong",
  missing: "Marked incomplete",
};

/** `queryHere` gives the filters of the address and the scope. */
function queryHere(): Readonly<Record<string, string>> {
  const { query } = route.value;
  const project = projectHere();
  const named = ["kind", "session", "uri"].map((name) => [name, query.get(name) ?? ""]);
  return {
    ...Object.fromEntries(named.filter(([, value]) => value !== "")),
    ...(project === null ? {} : { project }),
    ...(query.has("day") ? spanOfDay(dayHere()) : {}),
  };
}

/** The list as it was left: whoever comes back sees it at once. */
let kept: { readonly key: string; readonly list: Grown<InjectionHeadJson> } | null = null;

function listFor(key: string, query: Readonly<Record<string, string>>): Grown<InjectionHeadJson> {
  if (kept?.key === key) return kept.list;
  const list = createGrown<InjectionHeadJson>((offset, limit) =>
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
  const isFiltered = key !== "{}";
  return (
    <>
      <Top title="Prompts" count={list.total.value}>
        <Filter name="kind" label="All outcomes" options={outcomes} />
      </Top>
      <TryField />
      {tried.value.trim() !== "" ? (
        <TryResult />
      ) : (
        <>
          {(list.total.value !== 0 || isFiltered) && <DayFigures />}
          {("session" in query || "uri" in query) && (
            <Filters>
              <Chip title="Show all" onClick={() => adjust({ session: null, uri: null })}>
                {"uri" in query ? "One memory" : "One session"}
              </Chip>
            </Filters>
          )}
          <Split list={list} listKey={key} isFiltered={isFiltered} />
        </>
      )}
    </>
  );
}

interface SplitProps {
  readonly list: Grown<InjectionHeadJson>;
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
    find: (uri) => rows.findIndex((row) => row.uri === uri),
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
          if (row === undefined) return;
          const { id, session_id: session } = row.head;
          go(row.kind === "session" ? sessionHref(session) : promptHref(id));
        }}
        row={(index, isCurrent) => {
          const row = rows[index];
          const choose = choosing(() => (current.value = index));
          return row && <Row row={row} isCurrent={isCurrent} onChoose={choose} />;
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

interface RowProps extends RowHandle {
  readonly row: PromptRow;
}

const Row = ({ row: { kind, head }, isCurrent, onChoose }: RowProps) =>
  kind === "session" ? (
    <SessionLine head={head} />
  ) : (
    <a
      class={isCurrent ? "row prompt-row current" : "row prompt-row"}
      href={promptHref(head.id)}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onChoose ?? undefined}
    >
      <HeadText head={head} />
    </a>
  );

const noFilter = { kind: null, project: null, session: null, uri: null, day: null };

/** Nothing that passes the filters, no prompt so far, or nothing at all yet. */
function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const any = useResource("any memory", () => api.memories.$get({ query: { limit: "1" } }));
  if (isFiltered)
    return (
      <Empty icon="inject" title="No prompts match">
        <Button
          onClick={() => {
            adjust(noFilter);
            setScope(null);
          }}
        >
          Show all prompts
        </Button>
      </Empty>
    );
  return any.value?.total === 0 ? (
    <div class="scroll page-scroll">
      <FirstVisit />
    </div>
  ) : (
    <Empty icon="inject" title="No prompts yet">
      Run <code>claude</code> in any project, or try a prompt above.
    </Empty>
  );
}

// One day in a line: what was learnt, replaced and sent on it, each figure leading to what it counts.

const today = (): string => dayOf(systemClock.nowMs());

/** The day that the address names; today where it names none. */
function dayHere(): string {
  const asked = route.value.query.get("day") ?? "";
  return isDay(asked) && asked < today() ? asked : today();
}

const nameOfDay = (day: string): string =>
  day === today() ? "Today" : day === beside(today(), -1) ? "Yesterday" : dayName(startOf(day));

/** From midnight to midnight, as the API takes a span. */
const spanOfDay = (day: string) => ({
  since: `${startOf(day)}`,
  until: `${startOf(beside(day, 1))}`,
});

function DayFigures() {
  const day = dayHere();
  const isToday = day === today();
  // An entry of the history each: going back goes a day back.
  const show = (wanted: string): void =>
    go(href("", { kind: route.peek().query.get("kind"), day: wanted < today() ? wanted : null }));
  const before = (): void => show(beside(day, -1));
  const after = (): void => show(beside(day, 1));
  const learned = href("memories", { from: day, to: day, list: "learnt" });
  useKeys({ "[": before, "]": after, l: () => go(learned) });
  const key = `${day} ${exchanges.value}`;
  const load = () => api.today.$get({ query: spanOfDay(day) });
  const { value } = useResource(key, load, { keeps: true });
  const project = projectHere();
  // Figures of the chosen project and of no project; without a choice, all.
  const rows = (value?.projects ?? []).filter(
    (one) => project === null || one.project === project || one.project === null,
  );
  const figures = [
    ["learned", "learnt", learned],
    ["replaced", "replaced", href("memories", { from: day, to: day, status: "superseded" })],
    ["sent", "given", href("", { kind: "given", day })],
    ["nothing sent", "silent", href("", { kind: "silent", day })],
    ["model tokens", "tokens", href("settings/statistics")],
  ] as const;
  return (
    <div class="day line wrap" role="group" aria-label="Figures of the day">
      <Tool icon="left" label="The day before" keys="[" onClick={before} />
      <strong class="day-name">{nameOfDay(day)}</strong>
      <Tool icon="right" label="The day after" keys="]" disabled={isToday} onClick={after} />
      {!isToday && (
        <a class="button" href={href("")}>
          Back to today
        </a>
      )}
      <ul class="day-figures small num">
        {figures.map(([name, field, to]) => {
          const figure = rows.reduce((sum, row) => sum + row[field], 0);
          return field === "tokens" && figure === 0 ? null : (
            <Figure key={name} name={name} figure={figure} to={to} />
          );
        })}
      </ul>
    </div>
  );
}

/** A figure is a way only where there is something at its end. */
const Figure = ({ name, figure, to }: { name: string; figure: number; to: string }) => (
  <li>
    {figure === 0 ? (
      <span class="faint">0 {name}</span>
    ) : (
      <a href={to}>
        <strong>{short(figure)}</strong> {name}
      </a>
    )}
  </li>
);
