/** What a memory hangs together with, as a picture and as a list: two steps far. */
import type { GraphJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { memoryHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { CategoryDot, StatusBadge } from "../parts/badges.tsx";
import { layOut, type Placed } from "../parts/graph-layout.ts";
import { leafName } from "../parts/format.ts";
import { isNarrow } from "../parts/screen.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";

const wide = { width: 680, height: 440 };
const narrow = { width: 380, height: 400 };

export function LinksView({ uri }: { uri: string }) {
  const found = useResource(uri, () =>
    answerOf(api.nodes.links.$get({ query: { uri, depth: "2" } })),
  );
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={5} />;
  if (value.edges.length === 0)
    return (
      <Empty icon="link" title="No links">
        Two memories are linked when one replaces, contradicts or explains the other, or when they
        are used together.
      </Empty>
    );
  return (
    <>
      <Graph graph={value} />
      {value.truncated && <p class="faint small">Not all links are shown.</p>}
      <LinkList graph={value} />
    </>
  );
}

const Graph = ({ graph }: { graph: GraphJson }) => {
  const size = isNarrow.value ? narrow : wide;
  const places = layOut(graph, size);
  return (
    <svg
      class="graph"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="group"
      aria-label="Linked memories"
    >
      {graph.edges.map(({ from, to, relation, weight }) => {
        const start = places.get(from);
        const end = places.get(to);
        return start === undefined || end === undefined ? null : (
          <line
            key={`${from} ${to} ${relation}`}
            class={`edge rel-${relation}`}
            x1={start.x}
            y1={start.y}
            x2={end.x}
            y2={end.y}
            stroke-width={1 + Math.min(2, weight * 2)}
          >
            <title>{relation.replace("_", " ")}</title>
          </line>
        );
      })}
      {graph.nodes.map((node) => {
        const place = places.get(node.uri);
        return place === undefined ? null : (
          <GraphNode key={node.uri} node={node} place={place} width={size.width} />
        );
      })}
    </svg>
  );
};

const radii = [13, 9, 6] as const;
const labelCharsMax = 26;

/** Widest letters of a label, in the picture's own units; half of them lie left of its middle. */
const halfLetter = 3.2;

/** Where the middle of a label stands, so that none of it lies outside the picture. */
const labelX = (label: string, x: number, width: number): number => {
  const half = label.length * halfLetter;
  return Math.max(half, Math.min(width - half, x));
};

interface GraphNodeProps {
  readonly node: GraphJson["nodes"][number];
  readonly place: Placed;
  readonly width: number;
}

const GraphNode = ({ node, place, width }: GraphNodeProps) => {
  const radius = radii[node.depth] ?? 6;
  const name = leafName(node.uri);
  const label = name.length > labelCharsMax ? `${name.slice(0, labelCharsMax)}…` : name;
  return (
    <a
      class={`graph-node depth-${node.depth}`}
      href={memoryHref(node.uri)}
      aria-label={`${label}: ${node.l0.slice(0, 200)}`}
    >
      <title>{node.l0.slice(0, 200)}</title>
      <circle class={`cat-${node.category ?? "none"}`} cx={place.x} cy={place.y} r={radius} />
      <text x={labelX(label, place.x, width)} y={place.y + radius + 13} text-anchor="middle">
        {label}
      </text>
    </a>
  );
};

const LinkList = ({ graph }: { graph: GraphJson }) => {
  const byUri = new Map(graph.nodes.map((node) => [node.uri, node]));
  const near = graph.edges.filter(({ from, to }) => from === graph.uri || to === graph.uri);
  return (
    <ul class="link-list">
      {near.map(({ from, to, relation }) => {
        const isOut = from === graph.uri;
        const other = byUri.get(isOut ? to : from);
        return other === undefined ? null : (
          <li key={`${from} ${to} ${relation}`}>
            <a class="row compact" href={memoryHref(other.uri)}>
              <span class="relation tiny">
                {isOut ? meanings[relation][0] : meanings[relation][1]}
              </span>
              <CategoryDot category={other.category} />
              <span class="row-text">
                <Line text={other.l0} />
              </span>
              <StatusBadge status={other.status} />
            </a>
          </li>
        );
      })}
    </ul>
  );
};

/** A relation seen from its start and from its end. */
const meanings: Readonly<
  Record<GraphJson["edges"][number]["relation"], readonly [string, string]>
> = {
  related: ["related to", "related to"],
  supersedes: ["replaces", "replaced by"],
  contradicts: ["contradicts", "contradicted by"],
  elaborates: ["explains", "explained by"],
  caused_by: ["caused by", "cause of"],
};
