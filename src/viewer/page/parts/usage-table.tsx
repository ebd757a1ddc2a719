/** What models were asked for and what it cost, by purpose. */
import type { UsageJson } from "#api";
import { count } from "./format.ts";

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

export function UsageTable({ usage }: { usage: UsageJson }) {
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
