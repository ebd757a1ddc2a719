/** Figures: what there is, what it cost, whether it is of use, and whether hooks are quick. */
import { useSignal } from "@preact/signals";
import { ownZone } from "#kit";
import type { StatsJson, UsageJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { href } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { Bars, type Series } from "../parts/bars.tsx";
import { count, short } from "../parts/format.ts";
import { Latencies } from "../parts/latencies.tsx";
import { Segments } from "../parts/segments.tsx";
import { Shares } from "../parts/shares.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { Top } from "../parts/top.tsx";
import { Worth } from "../parts/worth.tsx";
import { UsageTable } from "../parts/usage-table.tsx";

const spans = [
  { value: "7", title: "Week" },
  { value: "30", title: "Month" },
  { value: "90", title: "Quarter" },
] as const;

export function Stats() {
  const days = useSignal<(typeof spans)[number]["value"]>("30");
  const stats = useResource(days.value, () =>
    answerOf(api.stats.$get({ query: { days: days.value, zone: ownZone() } })),
  );
  const usage = useResource("usage", () =>
    answerOf(api.usage.$get({ query: { zone: ownZone() } })),
  );
  const { value, failure } = stats.state.value;
  return (
    <>
      <Top title="Statistics">
        <Segments
          label="Time range"
          value={days.value}
          options={spans}
          onChange={(wanted) => (days.value = wanted)}
        />
      </Top>
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={stats.reload} />
      ) : value === null ? (
        <Waiting lines={8} />
      ) : (
        <div class="scroll page-scroll">
          <Figures stats={value} />
          <Worth days={days.value} />
          <Charts stats={value} usage={usage.state.value.value} />
        </div>
      )}
    </>
  );
}

const Figures = ({ stats }: { stats: StatsJson }) => {
  const { counts, used, surfaced } = stats;
  return (
    <div class="figures">
      <Figure name="Memories" value={counts.memories} to={href("memories")} />
      <Figure name="Sessions" value={counts.sessions} to={href("sessions")} />
      <Figure
        name="Shown to Claude"
        value={surfaced.memories}
        note={`${short(surfaced.shown)} times in this period, ${short(surfaced.hints)} hints to save`}
      />
      <Figure
        name="Ever used"
        value={used.memories}
        note={`${short(used.uses)} times`}
        to={href("memories", { list: "used" })}
      />
      <Figure name="Never used" value={used.never} to={href("memories", { list: "never" })} />
      <Figure name="Pinned" value={stats.pinned} to={href("memories", { list: "pinned" })} />
    </div>
  );
};

interface FigureProps {
  readonly name: string;
  readonly value: number;
  readonly note?: string;
  readonly to?: string;
}

const Figure = ({ name, value, note, to }: FigureProps) => {
  const content = (
    <>
      <span class="figure-name small">{name}</span>
      <span class="figure-value num">{count(value)}</span>
      {note !== undefined && <span class="tiny faint">{note}</span>}
    </>
  );
  return to === undefined ? (
    <div class="figure">{content}</div>
  ) : (
    <a class="figure" href={to}>
      {content}
    </a>
  );
};

const categorySeries: readonly Series[] = [
  { name: "profile", tone: "profile" },
  { name: "preferences", tone: "preferences" },
  { name: "entities", tone: "entities" },
  { name: "events", tone: "events" },
  { name: "patterns", tone: "patterns" },
  { name: "cases", tone: "cases" },
];

const tokenSeries: readonly Series[] = [
  { name: "read", tone: "entities" },
  { name: "written", tone: "patterns" },
];

const shownSeries: readonly Series[] = [
  { name: "at the start", tone: "entities" },
  { name: "at a prompt", tone: "patterns" },
  { name: "in a search", tone: "profile" },
  { name: "used", tone: "events" },
];

/** Without the archive of sessions: the bars add up to the memories above. */
const memoriesOf = (counts: StatsJson["by_category"]): StatsJson["by_category"] =>
  Object.fromEntries(Object.entries(counts).filter(([category]) => category !== "sessions"));

const Charts = ({ stats, usage }: { stats: StatsJson; usage: UsageJson | null }) => {
  const days = stats.days.map(({ day }) => day);
  const { tokens_today: today, tokens_per_day: budget } = stats.tokens;
  return (
    <div class="charts">
      <Shares title="By category" values={memoriesOf(stats.by_category)} />
      <Bars
        title="Memories created"
        unit="memories"
        days={days}
        series={categorySeries}
        values={stats.days.map(({ created }) =>
          categorySeries.map(({ name }) => created[name] ?? 0),
        )}
      />
      <Bars
        title="Model tokens"
        note={`${count(today)} of ${count(budget)} today`}
        unit="tokens"
        days={days}
        series={tokenSeries}
        limit={{ value: budget, name: "daily limit" }}
        values={stats.days.map((day) => [day.tokens_in, day.tokens_out])}
      />
      <Bars
        title="Shown and used"
        unit="memories"
        days={days}
        series={shownSeries}
        values={stats.days.map(({ surfaced, used }) => [
          surfaced.start,
          surfaced.prompt,
          surfaced.search,
          used,
        ])}
      />
      <Bars
        title="Tokens injected"
        unit="tokens"
        days={days}
        series={[{ name: "injected", tone: "patterns" }]}
        values={stats.days.map((day) => [day.tokens_injected])}
      />
      <Latencies hooks={stats.hooks} />
      {usage !== null && <UsageTable usage={usage} />}
    </div>
  );
};
