/**
 * A chart of days: stacked bars, a line for a limit, the figures on pointing, and all of it as a table for whoever
 * reads.
 */
import { useSignal } from "@preact/signals";
import { count, short, shortDay } from "./format.ts";
import { isNarrow } from "./screen.ts";
import { useWidth } from "./width.ts";

export interface Series {
  readonly name: string;
  /** Name of a category colour. */
  readonly tone: string;
}

interface BarsProps {
  readonly title: string;
  readonly note?: string;
  readonly unit: keyof typeof ones;
  /** `YYYY-MM-DD`, oldest first. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** For each day a value for each series. */
  readonly values: readonly (readonly number[])[];
  readonly limit?: { readonly value: number; readonly name: string };
}

/** Pixels: a picture is never scaled, so that its letters stay readable. */
const wide = { height: 190, left: 40, right: 6, top: 12, bottom: 22 };
const narrow = { ...wide, height: 160, left: 34 };

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly plotWidth: number;
  readonly plotHeight: number;
}

function frameOf(width: number): Frame {
  const size = isNarrow.value ? narrow : wide;
  const plotWidth = Math.max(0, width - size.left - size.right);
  return { ...size, width, plotWidth, plotHeight: size.height - size.top - size.bottom };
}
/** Labels of days that have room beside each other. */
const labelsMax = 6;
/** A limit this many times above the highest bar would press all bars flat: it is named, not drawn. */
const limitReach = 3;

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** What is counted, and one of it. */
const ones = { memories: "memory", tokens: "token" } as const;

/** The next round number: 1, 2 or 5 times a power of ten. Pure. */
function roundUp(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

export function Bars(props: BarsProps) {
  const { title, note, unit, days, series, values, limit } = props;
  const pointed = useSignal<number | null>(null);
  const [picture, width] = useWidth<SVGSVGElement>();
  const frame = frameOf(width);
  const highest = Math.max(0, ...values.map(sum));
  const drawn = limit !== undefined && limit.value > 0 && limit.value <= highest * limitReach;
  const top = roundUp(Math.max(highest, drawn ? limit.value : 0));
  const at = pointed.value;
  const total = sum(values.map(sum));
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h2>{title}</h2>
        <span class="faint small num">
          {note ?? `${count(total)} ${total === 1 ? ones[unit] : unit}`}
        </span>
      </figcaption>
      <div class="chart-plot" onPointerLeave={() => (pointed.value = null)}>
        <svg
          ref={picture}
          height={frame.height}
          role="img"
          aria-label={`${title}: ${count(total)} ${unit} in ${days.length} days`}
        >
          <Grid frame={frame} top={top} />
          <Columns frame={frame} values={values} series={series} top={top} pointed={pointed} />
          {drawn && <Limit frame={frame} value={limit.value} top={top} name={limit.name} />}
          <DayLabels frame={frame} days={days} />
        </svg>
        {at !== null && (
          <Tip
            frame={frame}
            at={at}
            day={days[at] ?? ""}
            series={series}
            values={values[at] ?? []}
            days={days.length}
          />
        )}
        {total === 0 && <p class="chart-none faint small">No data for this period</p>}
      </div>
      {series.length > 1 && <Legend series={series} />}
      <AsTable {...props} />
    </figure>
  );
}

const yOf = (frame: Frame, value: number, top: number): number =>
  frame.top + frame.plotHeight * (1 - Math.min(1, value / top));

const Grid = ({ frame, top }: { frame: Frame; top: number }) => (
  <g class="grid">
    {[0, 0.5, 1].map((share) => (
      <g key={share}>
        <line
          x1={frame.left}
          x2={frame.width - frame.right}
          y1={yOf(frame, share * top, top)}
          y2={yOf(frame, share * top, top)}
        />
        <text x={frame.left - 7} y={yOf(frame, share * top, top) + 3.5} text-anchor="end">
          {short(share * top)}
        </text>
      </g>
    ))}
  </g>
);

interface ColumnsProps {
  readonly frame: Frame;
  readonly values: readonly (readonly number[])[];
  readonly series: readonly Series[];
  readonly top: number;
  readonly pointed: { value: number | null };
}

function Columns({ frame, values, series, top, pointed }: ColumnsProps) {
  const step = frame.plotWidth / Math.max(1, values.length);
  const width = Math.max(2, Math.min(26, step * 0.68));
  return (
    <>
      {values.map((day, at) => {
        let below = 0;
        const x = frame.left + step * at + (step - width) / 2;
        return (
          <g key={at} class={pointed.value === at ? "column on" : "column"}>
            {day.map((value, index) => {
              const y = yOf(frame, below + value, top);
              const height = yOf(frame, below, top) - y;
              below += value;
              return value === 0 ? null : (
                <rect
                  key={index}
                  class={`fill-${series[index]?.tone ?? "entities"}`}
                  x={x}
                  y={y}
                  width={width}
                  height={Math.max(1, height)}
                  rx={Math.min(2, width / 4)}
                />
              );
            })}
            <rect
              class="column-area"
              x={frame.left + step * at}
              y={frame.top}
              width={step}
              height={frame.plotHeight}
              onPointerEnter={() => (pointed.value = at)}
            />
          </g>
        );
      })}
    </>
  );
}

interface LimitProps {
  readonly frame: Frame;
  readonly value: number;
  readonly top: number;
  readonly name: string;
}

const Limit = ({ frame, value, top, name }: LimitProps) => (
  <g class="limit">
    <line
      x1={frame.left}
      x2={frame.width - frame.right}
      y1={yOf(frame, value, top)}
      y2={yOf(frame, value, top)}
    />
    <text x={frame.width - frame.right} y={yOf(frame, value, top) - 5} text-anchor="end">
      {name}
    </text>
  </g>
);

function DayLabels({ frame, days }: { frame: Frame; days: readonly string[] }) {
  const step = frame.plotWidth / Math.max(1, days.length);
  const every = Math.ceil(days.length / labelsMax);
  return (
    <g class="grid">
      {days.map((day, at) =>
        (days.length - 1 - at) % every === 0 ? (
          <text
            key={day}
            x={frame.left + step * (at + 0.5)}
            y={frame.height - 6}
            text-anchor="middle"
          >
            {shortDay(day)}
          </text>
        ) : null,
      )}
    </g>
  );
}

interface TipProps {
  readonly frame: Frame;
  readonly at: number;
  readonly day: string;
  readonly days: number;
  readonly series: readonly Series[];
  readonly values: readonly number[];
}

const Tip = ({ frame, at, day, days, series, values }: TipProps) => {
  const share = (frame.left + (frame.plotWidth / days) * (at + 0.5)) / frame.width;
  return (
    <div
      class={share > 0.6 ? "tip from-right" : "tip"}
      style={share > 0.6 ? { right: `${(1 - share) * 100 + 2}%` } : { left: `${share * 100 + 2}%` }}
    >
      <strong>{shortDay(day)}</strong>
      {series.map(({ name, tone }, index) => (
        <span key={name} class="tip-line num">
          <span class={`swatch fill-${tone}`} />
          {name}
          <span class="grow" />
          {count(values[index] ?? 0)}
        </span>
      ))}
    </div>
  );
};

const Legend = ({ series }: { series: readonly Series[] }) => (
  <ul class="legend tiny">
    {series.map(({ name, tone }) => (
      <li key={name}>
        <span class={`swatch fill-${tone}`} />
        {name}
      </li>
    ))}
  </ul>
);

const AsTable = ({ title, days, series, values }: BarsProps) => (
  <details class="as-table tiny">
    <summary>As a table</summary>
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table class="table num">
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, at) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map(({ name }, index) => (
                <td key={name}>{count(values[at]?.[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
