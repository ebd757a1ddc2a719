/** The first screen: every prompt with what was sent to Claude for it, by session, and a prompt to try. */
import { computed } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { InjectionHeadJson } from "#api";
import { answerOf, api, reconnects } from "../state/connection.ts";
import { changes, exchanges, stampNow } from "../state/live.ts";
import { createGrown, createKept, type Grown, type Rows } from "../state/paged.ts";
import { projectHere, setScope } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { adjust, go, href, promptHref, route, sessionHref } from "../state/router.ts";
import { type PromptRow, rowsOf } from "../parts/arrange.ts";
import { Button, Empty, Tool } from "../parts/basics.tsx";
import { Chip, Filter, Filters } from "../parts/filters.tsx";
import { Top } from "../parts/frame.tsx";
import { type RowHandle, SplitList } from "../parts/split-list.tsx";
import { HeadText, PromptPage, PromptPane, SessionLine, useJudging } from "./prompt-pane.tsx";
import { SetupParts } from "./setup.tsx";
import { tried, TryField, TryResult } from "./try-prompt.tsx";
import { systemClock } from "#kit";
import { useKeys } from "../state/keys.ts";
import { beside, dayName, dayOf, isDay, short, startOf } from "../parts/format.ts";

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

interface Prompts extends Grown<InjectionHeadJson> {
  readonly rows: Rows<PromptRow>;
}

const kept = createKept<Prompts>(stampNow);

/** Rows before the end at which more is loaded. */
const spareRows = 20;

function promptsOf(query: Readonly<Record<string, string>>): Prompts {
  const list = createGrown<InjectionHeadJson>((offset, limit) =>
    answerOf(api.injections.$get({ query: { ...query, offset: `${offset}`, limit: `${limit}` } })),
  );
  const rows = computed(() => rowsOf(list.items.value));
  return {
    ...list,
    rows: {
      total: computed(() => (list.total.value === null ? null : rows.value.length)),
      failure: list.failure,
      at: (index) => rows.value[index],
      find: (test) => rows.value.findIndex(test),
      want: (_, last) => {
        if (last > rows.peek().length - spareRows) list.more();
      },
      refresh: list.refresh,
    },
  };
}

function PromptList() {
  const query = queryHere();
  const key = JSON.stringify(query);
  const list = useMemo(() => kept.of(key, () => promptsOf(query)), [key]);
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
          <SplitList
            label="Prompts, by session"
            rows={list.rows}
            listKey={key}
            nameOf={({ uri }) => uri}
            hrefOf={({ kind, head: { id, session_id: session } }) =>
              kind === "session" ? sessionHref(session) : promptHref(id)
            }
            skips={({ kind }) => kind === "session"}
            row={(row, handle) => <Row row={row} {...handle} />}
            pane={({ kind, head: { id } }) => kind === "prompt" && <PromptPane key={id} id={id} />}
            empty={<Nothing isFiltered={isFiltered} />}
            useChoice={useChosenPrompt}
          />
        </>
      )}
    </>
  );
}

const useChosenPrompt = (chosen: PromptRow | null): void =>
  useJudging(chosen?.kind === "prompt" ? chosen.head : null);

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
    <div class="scroll">
      <SetupParts />
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
      <ul class="day-figures line wrap small num">
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
