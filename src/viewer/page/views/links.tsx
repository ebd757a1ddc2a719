/** What a memory hangs together with, as a picture and as a list: two steps far. */
import type { GraphJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { memoryHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { CategoryDot, StatusBadge } from "../parts/badges.tsx";
import { labelsOf, lineHeight, radiusOf, type Label } from "../parts/graph-labels.ts";
import { layOut, type Placed } from "../parts/graph-layout.ts";
import { isNarrow } from "../parts/screen.ts";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Line } from "../parts/text.tsx";
import { useWidth } from "../parts/width.ts";

/** Pixels: a picture is never scaled, so that its names can be read. */
const heights = { wide: 440, narrow: 400 };

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

function Graph({ graph }: { graph: GraphJson }) {
  const [picture, width] = useWidth<SVGSVGElement>();
  const size = { width, height: isNarrow.value ? heights.narrow : heights.wide };
  const places = layOut(graph, size);
  const labels = labelsOf(graph, { places, size }, textWidth);
  return (
    <svg ref={picture} class="graph" height={size.height} role="group" aria-label="Linked memories">
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
          <GraphNode
            key={node.uri}
            node={node}
            place={place}
            label={labels.get(node.uri) ?? null}
          />
        );
      })}
    </svg>
  );
}

let pen: OffscreenCanvasRenderingContext2D | null = null;

/** As wide as the boldest name is written. */
function textWidth(text: string): number {
  pen ??= new OffscreenCanvas(1, 1).getContext("2d");
  if (pen === null) return text.length * widestLetter;
  pen.font = `620 12px ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(pen.measureText(text).width);
}

/** Pixels, where nothing can be measured. */
const widestLetter = 8;

interface GraphNodeProps {
  readonly node: GraphJson["nodes"][number];
  readonly place: Placed;
  readonly label: Label | null;
}

const GraphNode = ({ node, place, label }: GraphNodeProps) => (
  <a
    class={`graph-node depth-${node.depth}`}
    href={memoryHref(node.uri)}
    aria-label={[label?.lines.join(" ") ?? "", node.l0.slice(0, 200)].filter(Boolean).join(": ")}
  >
    <title>{node.l0.slice(0, 200)}</title>
    <circle
      class={`cat-${node.category ?? "none"}`}
      cx={place.x}
      cy={place.y}
      r={radiusOf(node.depth)}
    />
    {label !== null && <Name label={label} />}
  </a>
);

const Name = ({ label: { x, y, lines, box } }: { label: Label }) => (
  <>
    <rect
      class="graph-name"
      x={box.left}
      y={box.top}
      width={box.right - box.left}
      height={box.bottom - box.top}
    />
    <text text-anchor="middle" dir="auto">
      {lines.map((line, at) => (
        <tspan key={at} x={x} y={y + at * lineHeight}>
          {at === lines.length - 1 ? line : `${line} `}
        </tspan>
      ))}
    </text>
  </>
);

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
