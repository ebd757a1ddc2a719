/** How long each hook takes: the usual case and the slow end, on one scale. */
import type { HookLatencyJson } from "#api";
import { count } from "./format.ts";

/** The scale never ends below this, so that two quick hooks do not look different. Milliseconds. */
const scaleMsMin = 20;

const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

export function Latencies({ hooks }: { hooks: readonly HookLatencyJson[] }) {
  const shown = hooks.filter(({ count: events }) => events > 0);
  const end = Math.max(scaleMsMin, ...shown.map(({ p99_ms: slow }) => slow));
  const share = (value: number): string => `${Math.min(100, (value / end) * 100)}%`;
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h2>Hook latency</h2>
        <span class="faint small">until the event is stored</span>
      </figcaption>
      {shown.length === 0 && <p class="faint small">No hooks have run yet</p>}
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Hook latency">
        <table class="table num latency-table">
          {shown.length > 0 && (
            <thead>
              <tr>
                <th scope="col">Hook</th>
                <th scope="col" class="wide-cell">
                  p50 · p95 · p99
                </th>
                <th scope="col">p50</th>
                <th scope="col">p95</th>
                <th scope="col">max</th>
                <th scope="col">events</th>
              </tr>
            </thead>
          )}
          <tbody>
            {shown.map((hook) => (
              <tr key={hook.hook}>
                <th scope="row">{hook.hook}</th>
                <td class="wide-cell">
                  <span class="range" aria-hidden="true">
                    <span class="range-slow" style={{ width: share(hook.p99_ms) }} />
                    <span class="range-most" style={{ width: share(hook.p95_ms) }} />
                    <span class="range-half" style={{ width: share(hook.p50_ms) }} />
                  </span>
                </td>
                <td>{ms(hook.p50_ms)}</td>
                <td>{ms(hook.p95_ms)}</td>
                <td>{ms(hook.max_ms)}</td>
                <td>{count(hook.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
