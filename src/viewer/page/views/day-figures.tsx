/** One day in a line: what was learnt, replaced and sent on it, each figure leading to what it counts. */
import type { TodayJson } from "#api";
import { systemClock } from "#kit";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { exchanges } from "../state/live.ts";
import { projectHere } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { go, href, route } from "../state/router.ts";
import { beside, dayName, dayOf, isDay, short, startOf } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";

const today = (): string => dayOf(systemClock.nowMs());

/** The day that the address names; today where it names none. */
export function dayHere(): string {
  const asked = route.value.query.get("day") ?? "";
  return isDay(asked) && asked < today() ? asked : today();
}

export function DayFigures() {
  const day = dayHere();
  const isToday = day === today();
  // An entry of the history each: going back goes a day back.
  const show = (wanted: string): void =>
    go(href("", { kind: route.peek().query.get("kind"), day: wanted < today() ? wanted : null }));
  const before = (): void => show(beside(day, -1));
  const after = (): void => show(beside(day, 1));
  useKeys({ "[": before, "]": after });
  const span = { since: `${startOf(day)}`, until: `${startOf(beside(day, 1))}` };
  const found = useResource(
    `${day} ${exchanges.value}`,
    () => answerOf(api.today.$get({ query: span })),
    {
      keeps: true,
    },
  );
  const figures = figuresOf(found.state.value.value, projectHere());
  const ofDay = { from: day, to: day };
  return (
    <div class="day" role="group" aria-label="Figures of the day">
      <button type="button" class="tool" title="The day before ([)" onClick={before}>
        <Icon name="left" />
        <span class="unseen">The day before</span>
      </button>
      <strong class="day-name">{isToday ? "Today" : dayName(startOf(day))}</strong>
      <button
        type="button"
        class="tool"
        title="The day after (])"
        disabled={isToday}
        onClick={after}
      >
        <Icon name="right" />
        <span class="unseen">The day after</span>
      </button>
      {!isToday && (
        <a class="button" href={href("")}>
          Back to today
        </a>
      )}
      <dl class="day-figures num">
        <Figure
          name="learned"
          value={figures.learnt}
          to={href("memories", { ...ofDay, list: "learnt" })}
        />
        <Figure
          name="replaced"
          value={figures.replaced}
          to={href("memories", { ...ofDay, status: "superseded" })}
        />
        <Figure name="sent" value={figures.given} to={href("", { kind: "given", day })} />
        <Figure name="nothing sent" value={figures.silent} to={href("", { kind: "silent", day })} />
        {figures.tokens > 0 && (
          <Figure name="model tokens" value={figures.tokens} to={href("settings/statistics")} />
        )}
      </dl>
    </div>
  );
}

const names = ["learnt", "replaced", "given", "silent", "tokens"] as const;

/** Sums of what belongs to a project, or to all of them; null = everything. */
function figuresOf(
  found: TodayJson | null,
  project: string | null,
): Readonly<Record<(typeof names)[number], number>> {
  const rows = (found?.projects ?? []).filter(
    (one) => project === null || one.project === project || one.project === null,
  );
  const sum = (name: (typeof names)[number]): number =>
    rows.reduce((total, row) => total + row[name], 0);
  return {
    learnt: sum("learnt"),
    replaced: sum("replaced"),
    given: sum("given"),
    silent: sum("silent"),
    tokens: sum("tokens"),
  };
}

/** A figure is a way only where there is something at its end. */
const Figure = ({ name, value, to }: { name: string; value: number; to: string }) => (
  <div>
    <dt class="unseen">{name}</dt>
    <dd>
      {value === 0 ? (
        <span class="faint">0 {name}</span>
      ) : (
        <a href={to}>
          <strong>{short(value)}</strong> {name}
        </a>
      )}
    </dd>
  </div>
);
