/** One day in a line: what was learnt, replaced and sent on it, each figure leading to what it counts. */
import { systemClock } from "#kit";
import { api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { exchanges } from "../state/live.ts";
import { projectHere } from "../state/projects.ts";
import { useResource } from "../state/resource.ts";
import { go, href, route } from "../state/router.ts";
import { Tool } from "../parts/basics.tsx";
import { beside, dayName, dayOf, isDay, short, startOf } from "../parts/format.ts";

const today = (): string => dayOf(systemClock.nowMs());

/** The day that the address names; today where it names none. */
export function dayHere(): string {
  const asked = route.value.query.get("day") ?? "";
  return isDay(asked) && asked < today() ? asked : today();
}

/** From midnight to midnight, as the API takes a span. */
export const spanOfDay = (day: string) => ({
  since: `${startOf(day)}`,
  until: `${startOf(beside(day, 1))}`,
});

export function DayFigures() {
  const day = dayHere();
  const isToday = day === today();
  // An entry of the history each: going back goes a day back.
  const show = (wanted: string): void =>
    go(href("", { kind: route.peek().query.get("kind"), day: wanted < today() ? wanted : null }));
  const before = (): void => show(beside(day, -1));
  const after = (): void => show(beside(day, 1));
  useKeys({ "[": before, "]": after });
  const key = `${day} ${exchanges.value}`;
  const load = () => api.today.$get({ query: spanOfDay(day) });
  const { value } = useResource(key, load, { keeps: true });
  const project = projectHere();
  // Figures of the chosen project and of no project; without a choice, all.
  const rows = (value?.projects ?? []).filter(
    (one) => project === null || one.project === project || one.project === null,
  );
  const figures = [
    ["learned", "learnt", href("memories", { from: day, to: day, list: "learnt" })],
    ["replaced", "replaced", href("memories", { from: day, to: day, status: "superseded" })],
    ["sent", "given", href("", { kind: "given", day })],
    ["nothing sent", "silent", href("", { kind: "silent", day })],
    ["model tokens", "tokens", href("settings/statistics")],
  ] as const;
  return (
    <div class="day line wrap" role="group" aria-label="Figures of the day">
      <Tool icon="left" label="The day before" keys="[" onClick={before} />
      <strong class="day-name">{isToday ? "Today" : dayName(startOf(day))}</strong>
      <Tool icon="right" label="The day after" keys="]" disabled={isToday} onClick={after} />
      {!isToday && (
        <a class="button" href={href("")}>
          Back to today
        </a>
      )}
      <dl class="day-figures small num">
        {figures.map(([name, field, to]) => {
          const figure = rows.reduce((sum, row) => sum + row[field], 0);
          return field === "tokens" && figure === 0 ? null : (
            <Figure key={name} name={name} figure={figure} to={to} />
          );
        })}
      </dl>
    </div>
  );
}

/** A figure is a way only where there is something at its end. */
const Figure = ({ name, figure, to }: { name: string; figure: number; to: string }) => (
  <div>
    <dt class="unseen">{name}</dt>
    <dd>
      {figure === 0 ? (
        <span class="faint">0 {name}</span>
      ) : (
        <a href={to}>
          <strong>{short(figure)}</strong> {name}
        </a>
      )}
    </dd>
  </div>
);
