/** Parts of a whole: one bar for each, the largest first, each with its way to the memories behind it. */
import { href } from "../state/router.ts";
import { count } from "./format.ts";

export function Shares({
  title,
  values,
}: {
  title: string;
  values: Readonly<Record<string, number>>;
}) {
  const entries = Object.entries(values).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...entries.map(([, value]) => value));
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h2>{title}</h2>
      </figcaption>
      {entries.length === 0 && <p class="faint small">No memories yet</p>}
      <ul class="shares">
        {entries.map(([name, value]) => (
          <li key={name}>
            <a class="share" href={href("memories", { category: name })}>
              <span class="share-name">
                <span class={`dot cat-${name}`} />
                {name}
              </span>
              <span class="share-track">
                <span
                  class={`share-fill fill-${name}`}
                  style={{ width: `${Math.max(0.5, (value / most) * 100)}%` }}
                />
              </span>
              <span class="num share-value">{count(value)}</span>
            </a>
          </li>
        ))}
      </ul>
    </figure>
  );
}
