/** A year as a grid, a column for each week and a tone for how much there was on a day. */
import { plural, shortDay } from "./format.ts";

interface HeatMapProps {
  /** Oldest first, without gaps; the last one is the present day. */
  readonly days: readonly { readonly day: string; readonly value: number }[];
  readonly onChoose: (day: string) => void;
}

const daysPerWeek = 7;
const cell = 10;
const step = 12;
const tones = 4;

/** Tones by rank among the days that had anything: one busy import does not make the rest of the year pale. */
function toneOf(value: number, sorted: readonly number[]): number {
  if (value === 0) return 0;
  const below = sorted.findLastIndex((other) => other < value) + 1;
  return 1 + Math.floor((below / Math.max(1, sorted.length)) * tones);
}

export function HeatMap({ days, onChoose }: HeatMapProps) {
  const sorted = days
    .map(({ value }) => value)
    .filter((value) => value > 0)
    .toSorted((a, b) => a - b);
  const weeks = Math.ceil(days.length / daysPerWeek);
  const name = `${plural(sorted.length, "day")} with memories made or given, of the last ${days.length}`;
  return (
    <div class="heat-scroll" tabIndex={0} role="region" aria-label={name}>
      <svg
        class="heat"
        aria-hidden="true"
        viewBox={`0 0 ${weeks * step} ${daysPerWeek * step}`}
        style={{ width: `${weeks * step}px` }}
      >
        {days.map(({ day, value }, at) => (
          <rect
            key={day}
            class={`tone-${toneOf(value, sorted)}`}
            x={Math.floor(at / daysPerWeek) * step}
            y={(at % daysPerWeek) * step}
            width={cell}
            height={cell}
            rx="2"
            onClick={() => onChoose(day)}
          >
            <title>{`${shortDay(day)}: ${value}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}
