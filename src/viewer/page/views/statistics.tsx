/** Did memory help, and what did it cost: of the last days, as a page of Settings. */
import type { UsageJson, WorthItemJson, WorthJson } from "#api";
import { ownZone } from "#kit";
import { answerOf, api } from "../state/api.ts";
import { useResource } from "../state/resource.ts";
import { memoryHref } from "../state/router.ts";
import { Failed, Waiting } from "../parts/basics.tsx";
import { count, plural } from "../parts/format.ts";
import { Line } from "../parts/text.tsx";

export function Statistics() {
  const worth = useResource("worth", () =>
    answerOf(api.stats.memory.$get({ query: { days: "30" } })),
  );
  const usage = useResource("usage", () =>
    answerOf(api.usage.$get({ query: { zone: ownZone() } })),
  );
  const { value, failure } = worth.state.value;
  if (failure !== null && value === null) return <Failed failure={failure} retry={worth.reload} />;
  return (
    <div class="charts">
      {value === null ? <Waiting lines={6} /> : <Worth worth={value} />}
      {usage.state.value.value !== null && <UsageTable usage={usage.state.value.value} />}
    </div>
  );
}

const lists = [
  ["costly", "Cost tokens and never helped"],
  ["stale", "Stale"],
] as const;

const Worth = ({ worth }: { worth: WorthJson }) => (
  <section class="chart" aria-label="Did memory help?">
    <div class="chart-head">
      <h2>Did memory help?</h2>
      <span class="faint small">the last 30 days</span>
    </div>
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Memories sent">
      <table class="table num">
        <thead>
          <tr>
            <th scope="col">Sent</th>
            <th scope="col">memories</th>
            <th scope="col">used</th>
            <th scope="col">contradicted</th>
            <th scope="col">tokens</th>
            <th scope="col">unused</th>
          </tr>
        </thead>
        <tbody>
          <Row name="at session start" of={worth.start} />
          <Row name="with a prompt" of={worth.prompt} />
          <Row name="beside a tool" of={worth.tool} />
        </tbody>
      </table>
    </div>
    <p class="small soft">
      In {plural(worth.sessions, "session")} · {count(worth.missed)} missed ·{" "}
      {count(worth.judged.wrong)} marked wrong · {count(worth.judged.missing)} marked incomplete
    </p>
    {lists.map(([name, title]) => (
      <Items key={name} title={title} items={worth[name]} />
    ))}
  </section>
);

const Row = ({ name, of }: { name: string; of: WorthJson["start"] }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{count(of.given)}</td>
    <td>{count(of.used)}</td>
    <td>{count(of.contradicted)}</td>
    <td>{count(of.tokens)}</td>
    <td>{count(of.tokens_unused)}</td>
  </tr>
);

const Items = ({ title, items }: { title: string; items: readonly WorthItemJson[] }) =>
  items.length === 0 ? null : (
    <details>
      <summary class="small">
        {title}: {items.length}
      </summary>
      <ul class="small values">
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

interface Sum {
  readonly purpose: string;
  readonly model: string;
  readonly calls: number;
  readonly tokens: number;
  /** Null = no price is known. */
  readonly cost: number | null;
}

/** Lines of single days added up by purpose and model, the dearest first. Pure. */
function sumsOf(items: UsageJson["items"]): readonly Sum[] {
  const sums = new Map<string, Sum>();
  for (const {
    purpose,
    model,
    calls,
    tokens_in: read,
    tokens_out: written,
    cost_usd: cost,
  } of items) {
    const key = `${purpose} ${model}`;
    const before = sums.get(key) ?? { purpose, model, calls: 0, tokens: 0, cost: 0 };
    sums.set(key, {
      ...before,
      calls: before.calls + calls,
      tokens: before.tokens + read + written,
      cost: cost === null || before.cost === null ? null : before.cost + cost,
    });
  }
  return [...sums.values()].sort((a, b) => b.tokens - a.tokens);
}

const dollars = (value: number | null): string => (value === null ? "–" : `$${value.toFixed(3)}`);

function UsageTable({ usage }: { usage: UsageJson }) {
  const { tokens_today: today, tokens_per_day: budget } = usage.budget;
  const sums = sumsOf(usage.items);
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h2>Model use</h2>
        <span class="faint small">the last 30 days</span>
      </figcaption>
      <p class="budget small">
        Today {count(today)} of {count(budget)} tokens
      </p>
      {sums.length === 0 ? (
        <p class="faint small">No model calls. Local rules did all the work, at no cost.</p>
      ) : (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Model use by purpose">
          <table class="table num">
            <thead>
              <tr>
                <th scope="col">For</th>
                <th scope="col" class="start">
                  Model
                </th>
                <th scope="col">calls</th>
                <th scope="col">tokens</th>
                <th scope="col">cost</th>
              </tr>
            </thead>
            <tbody>
              {sums.map(({ purpose, model, calls, tokens, cost }) => (
                <tr key={`${purpose} ${model}`}>
                  <th scope="row">{purpose}</th>
                  <td class="mono start">{model}</td>
                  <td>{count(calls)}</td>
                  <td>{count(tokens)}</td>
                  <td>{dollars(cost)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </figure>
  );
}
