/** One day: what was learnt, replaced and given, what waits, and what the last sessions left to do. */
import type { ComponentChildren } from "preact";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ownZone, systemClock } from "#kit";
import type { DayJson, DayMemoryJson, TodayJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { adjust, givenHref, href, memoryHref, route, sessionHref } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { CategoryDot, ProjectName } from "../parts/badges.tsx";
import { beside, dayOf, isDay, startOf } from "../parts/days.ts";
import { count, dayName, plural, short, shortDay } from "../parts/format.ts";
import { HeatMap } from "../parts/heat-map.tsx";
import { Icon } from "../parts/icons.tsx";
import { later } from "../parts/later.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";

const daysPerYear = 364;
const daysPerWeek = 7;

const year = signal<readonly DayJson[]>([]);
/** Figures of a year are counted over everything: neither before the day is there nor at every change. */
const afterMs = 300;
const freshMs = 60_000;
let askedAtMs = -Infinity;

async function askForYear(): Promise<void> {
  if (systemClock.nowMs() - askedAtMs < freshMs) return;
  askedAtMs = systemClock.nowMs();
  const answer = await answerOf(
    api.stats.$get({ query: { days: `${daysPerYear}`, zone: ownZone() } }),
  );
  if (answer.ok) year.value = answer.value.days;
  else askedAtMs = -Infinity;
}

export function Today() {
  const present = dayOf(systemClock.nowMs());
  const asked = route.value.query.get("day") ?? "";
  const day = isDay(asked) && asked < present ? asked : present;
  const choose = (wanted: string): void => adjust({ day: wanted >= present ? null : wanted });
  const move = (by: -1 | 1) => (): void => choose(beside(day, by));
  useKeys({ "[": move(-1), "]": move(1) });
  const span = { since: `${startOf(day)}`, until: `${startOf(beside(day, 1))}` };
  const found = useResource(day, () => answerOf(api.today.$get({ query: span })));
  useEffect(() => {
    const timer = setTimeout(() => void askForYear(), afterMs);
    return () => clearTimeout(timer);
  }, []);
  const { value, failure } = found.state.value;
  const days = year.value;
  return (
    <>
      <Top title={day === present ? "Today" : dayName(startOf(day))}>
        <button type="button" class="tool" title="The day before ([)" onClick={move(-1)}>
          <Icon name="left" />
          <span class="unseen">The day before</span>
        </button>
        <button
          type="button"
          class="tool"
          title="The day after (])"
          disabled={day === present}
          onClick={move(1)}
        >
          <Icon name="right" />
          <span class="unseen">The day after</span>
        </button>
      </Top>
      <div class="scroll page-scroll">
        <Week days={weekUntil(present, days)} day={day} onChoose={choose} />
        {failure !== null && value === null ? (
          <Failed failure={failure} retry={found.reload} />
        ) : value === null ? (
          <Waiting lines={8} />
        ) : (
          <Day today={ofScope(value, projectHere())} />
        )}
        <div class="charts">
          <section class="chart wide-chart">
            <h2 class="chart-head">The last year</h2>
            <HeatMap
              days={days.map((one) => ({ day: one.day, value: learntOn(one) + one.injections }))}
              onChoose={choose}
            />
          </section>
        </div>
      </div>
    </>
  );
}

/** What belongs to a project, or to all of them; null = everything. */
function ofScope(today: TodayJson, project: string | null): TodayJson {
  if (project === null) return today;
  const isOf = (one: { readonly project: string | null }): boolean =>
    one.project === project || one.project === null;
  return {
    projects: today.projects.filter(isOf),
    learnt: today.learnt.filter(isOf),
    replaced: today.replaced.filter(({ now }) => isOf(now)),
    given: today.given.filter(isOf),
    open: today.open.filter(isOf),
  };
}

const learntOn = ({ created }: DayJson): number =>
  Object.values(created).reduce((sum, one) => sum + one, 0);

interface WeekDay {
  readonly day: string;
  readonly learnt: number;
  readonly given: number;
}

/** The week where the reader is: its last day is theirs, whatever the day of the figures is by then. */
function weekUntil(present: string, days: readonly DayJson[]): readonly WeekDay[] {
  if (days.length === 0) return [];
  const known = new Map(days.map((one) => [one.day, one]));
  const week = [present];
  while (week.length < daysPerWeek) week.unshift(beside(week[0] ?? present, -1));
  return week.map((day) => {
    const figures = known.get(day);
    return {
      day,
      learnt: figures === undefined ? 0 : learntOn(figures),
      given: figures?.injections ?? 0,
    };
  });
}

interface WeekProps {
  readonly days: readonly WeekDay[];
  readonly day: string;
  readonly onChoose: (day: string) => void;
}

const Week = ({ days, day, onChoose }: WeekProps) => (
  <div class="week" role="group" aria-label="The last week">
    {days.map((one) => (
      <button
        key={one.day}
        type="button"
        class="week-day"
        aria-pressed={one.day === day}
        onClick={() => onChoose(one.day)}
      >
        <span class="tiny">{shortDay(one.day)}</span>
        <span class="num">
          <strong>{count(one.learnt)}</strong> new
        </span>
        <span class="tiny faint num">{count(one.given)} given</span>
      </button>
    ))}
  </div>
);

const sumOf = (
  { projects }: TodayJson,
  of: (one: TodayJson["projects"][number]) => number,
): number => projects.reduce((sum, one) => sum + of(one), 0);

function Day({ today }: { today: TodayJson }) {
  const waiting = sumOf(today, (one) => one.waiting);
  const given = sumOf(today, (one) => one.given);
  // Four empty lists say no more than one line does.
  if (today.projects.length === 0 && today.open.length === 0) return <Quiet />;
  return (
    <>
      <dl class="day-figures">
        <Figure name="Learned" value={sumOf(today, (one) => one.learnt)} />
        <Figure name="Replaced" value={sumOf(today, (one) => one.replaced)} />
        <Figure name="Given" value={given} to={href("given", { kind: "given" })} />
        <Figure name="Silent" value={sumOf(today, (one) => one.silent)} />
        <Figure name="Waiting" value={waiting} to={href("review")} />
        <Figure name="Model tokens" value={sumOf(today, (one) => one.tokens)} to={href("stats")} />
      </dl>
      <div class="charts day-lists">
        <List title="Open ends" none="Nothing was left open in the last 7 days." items={today.open}>
          {(end) => (
            <a class="day-line" href={sessionHref(end.session_id)}>
              <Icon name="flag" />
              <span>
                <Line text={end.next_steps} />
                <Where project={end.project} />
              </span>
            </a>
          )}
        </List>
        <List title="Learned" none="Nothing was learned." items={today.learnt}>
          {(memory) => <Memory memory={memory} />}
        </List>
        <List title="Replaced" none="Nothing was replaced." items={today.replaced}>
          {({ old, now }) => (
            <>
              <del class="small faint">
                <Line text={old.l0} />
              </del>
              <Memory memory={now} />
            </>
          )}
        </List>
        <List title="Given to Claude" none="Nothing was given." items={today.given}>
          {(head) => (
            <a class="day-line" href={givenHref(head.id)}>
              <Icon name="inject" />
              <span>
                {head.prompt === null ? "Session start" : <Line text={head.prompt} />}
                <Where project={head.project} />
              </span>
            </a>
          )}
        </List>
        <Projects today={today} />
      </div>
    </>
  );
}

const Figure = ({ name, value, to }: { name: string; value: number; to?: string }) => (
  <div>
    <dt class="small faint">{name}</dt>
    <dd class="num">{to === undefined ? short(value) : <a href={to}>{short(value)}</a>}</dd>
  </div>
);

const Memory = ({ memory }: { memory: DayMemoryJson }) => (
  <a class="day-line" href={memoryHref(memory.uri)}>
    <CategoryDot category={memory.category} />
    <span>
      <Line text={memory.l0} />
      <Where project={memory.project} />
    </span>
  </a>
);

const Where = ({ project }: { project: string | null }) =>
  project === null ? null : (
    <span class="tiny faint day-where">
      <ProjectName project={project} />
    </span>
  );

/** Lines that a list shows before it is opened. */
const linesMax = 8;

interface ListProps<Item> {
  readonly title: string;
  readonly none: string;
  readonly items: readonly Item[];
  readonly children: (item: Item) => ComponentChildren;
}

function List<Item>({ title, none, items, children }: ListProps<Item>) {
  const line = (item: Item, at: number) => <li key={at}>{children(item)}</li>;
  const rest = items.slice(linesMax);
  return (
    <section class="chart">
      <h2 class="chart-head">{title}</h2>
      {items.length === 0 ? (
        <p class="small faint">{none}</p>
      ) : (
        <ul class="day-list">{items.slice(0, linesMax).map(line)}</ul>
      )}
      {rest.length > 0 && (
        <details class="turn-text">
          <summary>{plural(rest.length, "more", "more")}</summary>
          <ul class="day-list">{rest.map(line)}</ul>
        </details>
      )}
    </section>
  );
}

const FirstVisit = later(async () => (await import("./setup.tsx")).SetupParts);

/** Nothing on this day: or nothing at all yet. */
function Quiet() {
  const found = useResource("is there anything", () => answerOf(api.projects.$get()));
  const all = useResource("any memory", () =>
    answerOf(api.memories.$get({ query: { limit: "1" } })),
  );
  const isNew = found.state.value.value?.items.length === 0 && all.state.value.value?.total === 0;
  return isNew ? (
    <div class="wide-chart">
      <Empty icon="spark" title="Nothing is stored yet">
        This page fills as you work. Here is what to expect, and how to begin with what there is.
      </Empty>
      <FirstVisit />
    </div>
  ) : (
    <Empty icon="feed" title="A quiet day">
      <a href={href("feed")}>Open the live feed</a>
    </Empty>
  );
}

const Projects = ({ today }: { today: TodayJson }) =>
  today.projects.length === 0 ? null : (
    <section class="chart wide-chart">
      <h2 class="chart-head">By project</h2>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="By project">
        <table class="table">
          <thead>
            <tr>
              {["Project", "Learned", "Replaced", "Given", "Silent", "Waiting", "Tokens"].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {today.projects.map((one) => (
              <tr key={one.project ?? ""}>
                <th scope="row">
                  {one.project === null ? "everywhere" : <ProjectName project={one.project} />}
                </th>
                {[one.learnt, one.replaced, one.given, one.silent, one.waiting, one.tokens].map(
                  (value, at) => (
                    <td key={at} class="num">
                      {short(value)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
