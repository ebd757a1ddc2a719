/** Did memory help, and what did it cost: of the last days, as a page of Settings. */
import { ownZone } from "#kit";
import type { UsageJson, WorthItemJson, WorthJson } from "#api";
import { api } from "../state/connection.ts";
import { useResource } from "../state/resource.ts";
import { memoryHref } from "../state/router.ts";
import { Answered, Card } from "../parts/basics.tsx";
import { count, plural } from "../parts/format.ts";
import { Line } from "../parts/text.tsx";

export function Statistics() {
  const worth = useResource("worth", () => api.stats.memory.$get({ query: { days: "30" } }));
  const usage = useResource("usage", () => api.usage.$get({ query: { zone: ownZone() } }));
  return (
    <div class="charts">
      <Answered of={worth}>{(value) => <Worth worth={value} />}</Answered>
      <Answered of={usage}>{(value) => <Usage usage={value} />}</Answered>
    </div>
  );
}

const days = <span class="faint small">the last 30 days</span>;

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The first cell of a row names it. */
const Table = ({ label, head, rows }: TableProps) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
    <table class="num">
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col" class="faint">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const worthHead = ["Sent", "memories", "used", "contradicted", "tokens", "unused"] as const;

const worthRow = (name: string, of: WorthJson["start"]): readonly string[] => [
  name,
  ...[of.given, of.used, of.contradicted, of.tokens, of.tokens_unused].map(count),
];

const Worth = ({ worth }: { worth: WorthJson }) => (
  <Card title="Did memory help?" aside={days}>
    <Table
      label="Memories sent"
      head={worthHead}
      rows={[
        worthRow("at session start", worth.start),
        worthRow("with a prompt", worth.prompt),
        worthRow("beside a tool", worth.tool),
      ]}
    />
    <p class="small soft">
      In {plural(worth.sessions, "session")} · {count(worth.missed)} missed ·{" "}
      {count(worth.judged.wrong)} marked wrong · {count(worth.judged.missing)} marked incomplete
    </p>
    <Items title="Cost tokens and never helped" items={worth.costly} />
    <Items title="Stale" items={worth.stale} />
  </Card>
);

const Items = ({ title, items }: { title: string; items: readonly WorthItemJson[] }) =>
  items.length === 0 ? null : (
    <details class="small">
      <summary>
        {title}: {items.length}
      </summary>
      <ul>
        {items.map(({ uri, l0 }) => (
          <li key={uri}>
            <a href={memoryHref(uri)}>
              <Line text={l0} />
            </a>
          </li>
        ))}
      </ul>
    </details>
  );

/** Calls of models added up by purpose and model, the dearest first. */
function sumsOf({ items }: UsageJson) {
  const groups = Map.groupBy(items, ({ purpose, model }) => `${purpose}, ${model}`);
  const sums = [...groups].map(([name, calls]) => ({
    name,
    calls: calls.reduce((sum, one) => sum + one.calls, 0),
    tokens: calls.reduce((sum, one) => sum + one.tokens_in + one.tokens_out, 0),
    // No price is known of some models.
    cost: calls.reduce<number | null>(
      (sum, { cost_usd: cost }) => (sum === null || cost === null ? null : sum + cost),
      0,
    ),
  }));
  return sums.sort((a, b) => b.tokens - a.tokens);
}

/** Table of model calls by purpose, with their costs. */
function Usage({ usage }: { usage: UsageJson }) {
  const { tokens_today: today, tokens_per_day: budget } = usage.budget;
  const sums = sumsOf(usage);
  return (
    <Card title="Model use" aside={days}>
      {sums.length === 0 ? (
        <p class="faint small">No model calls. Local rules did all the work, at no cost.</p>
      ) : (
        <>
          <p class="small">
            Today {count(today)} of {count(budget)} tokens
          </p>
          <Table
            label="Model use by purpose"
            head={["For", "calls", "tokens", "cost"]}
            rows={sums.map(({ name, calls, tokens, cost }) => [
              name,
              count(calls),
              count(tokens),
              cost === null ? "–" : `$${cost.toFixed(3)}`,
            ])}
          />
        </>
      )}
    </Card>
  );
}
