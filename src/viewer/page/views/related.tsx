/** What a memory hangs together with: the chain of values that replaced one another, and what is linked otherwise. */
import type { GraphJson, LinkJson, NodeJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { memoryHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { Line } from "../parts/text.tsx";
import { chainOf, type Value } from "../parts/chain.ts";

/** Says at the top of a replaced memory what holds instead. */
export function ReplacedBy({ memory }: { memory: NodeJson }) {
  const heir = memory.superseded_by;
  if (heir === null || memory.status !== "superseded") return null;
  const text = memory.links.find(({ uri }) => uri === heir)?.l0 ?? heir;
  return (
    <p class="notice warn replaced-by">
      Replaced by{" "}
      <a href={memoryHref(heir)}>
        <Line text={text} />
      </a>
    </p>
  );
}

export const Related = ({ memory }: { memory: NodeJson }) => {
  const others = memory.links.filter(({ relation }) => relation !== "supersedes");
  return (
    <>
      {others.length < memory.links.length && <Chain uri={memory.uri} />}
      {others.length > 0 && (
        <section class="tier">
          <h3 class="tier-head">Related</h3>
          <ul class="values">
            {others.map((link) => (
              <li key={`${link.uri} ${link.relation}`}>
                <span class="tiny faint">{meaningOf(link)}</span>
                <a href={memoryHref(link.uri)}>
                  <Line text={link.l0} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

/** The values that replaced one another, the one that holds first. */
function Chain({ uri }: { uri: string }) {
  const found = useResource(uri, () =>
    answerOf(api.nodes.links.$get({ query: { uri, depth: "2" } })),
  );
  const graph: GraphJson | null = found.state.value.value;
  const values = graph === null ? [] : chainOf(graph);
  return values.length < 2 ? null : (
    <section class="tier">
      <h3 class="tier-head">Values, the latest first</h3>
      <ul class="values">
        {values.map((value) => (
          <li key={value.uri} class={value.isReplaced ? "faint" : ""}>
            <span class="tiny faint">{value.isReplaced ? "replaced" : "current"}</span>
            <ValueText value={value} isHere={value.uri === uri} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const ValueText = ({ value, isHere }: { value: Value; isHere: boolean }) => {
  const text = <Line text={value.l0} />;
  return isHere ? <strong>{text}</strong> : <a href={memoryHref(value.uri)}>{text}</a>;
};

/** A relation seen from its start and from its end. */
const meanings: Readonly<Record<LinkJson["relation"], readonly [to: string, from: string]>> = {
  related: ["related to", "related to"],
  supersedes: ["replaces", "replaced by"],
  contradicts: ["contradicts", "contradicted by"],
  elaborates: ["explains", "explained by"],
  caused_by: ["caused by", "cause of"],
};

const meaningOf = ({ relation, direction }: LinkJson): string =>
  meanings[relation][direction === "to" ? 0 : 1];
