/** Did memory help: what was given and used, what failed, and what to clear out. */
import type { WorthItemJson, WorthJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { memoryHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { count } from "./format.ts";
import { Line } from "./text.tsx";

const lists = [
  ["costly", "Cost tokens and never helped"],
  ["contested", "Contradict each other"],
  ["said_again", "You had to say again"],
  ["not_given", "Had to be fetched"],
  ["stale", "Stale"],
] as const;

export function Worth({ days }: { days: string }) {
  const found = useResource(days, () => answerOf(api.stats.memory.$get({ query: { days } })));
  const { value } = found.state.value;
  return value === null ? null : (
    <section class="chart" aria-label="Did memory help?">
      <div class="chart-head">
        <h2>Did memory help?</h2>
        <span class="faint small">{count(value.sessions)} sessions that were given something</span>
      </div>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Memories given">
        <table class="table num">
          <thead>
            <tr>
              <th scope="col">Given</th>
              <th scope="col">Memories</th>
              <th scope="col">Used</th>
              <th scope="col">Contradicted</th>
              <th scope="col">Tokens</th>
              <th scope="col">Unused</th>
            </tr>
          </thead>
          <tbody>
            <Row name="at the start" of={value.start} />
            <Row name="at a prompt" of={value.prompt} />
            <Row name="beside a tool" of={value.tool} />
          </tbody>
        </table>
      </div>
      <p class="small soft">
        Said again: {count(value.retaught)}, of them given before: {count(value.retaught_given)}.
        Missed: {count(value.missed)}. You judged {count(value.judged.wrong)} wrong and{" "}
        {count(value.judged.missing)} incomplete.
      </p>
      {value.proposals.map(({ key, now, value: wanted, why }) => (
        <p key={key} class="small">
          Try{" "}
          <code>
            continuity config set {key} {wanted}
          </code>{" "}
          (now {now}): {why}.
        </p>
      ))}
      {lists.map(([name, title]) => (
        <Items key={name} title={title} items={value[name]} />
      ))}
    </section>
  );
}

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
      <ul class="small">
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
