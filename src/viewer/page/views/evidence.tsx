/** Where a memory comes from: the words, who said them, and what stood around them in the transcript. */
import type { EvidenceItemJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { sessionHref, turnHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { fullTime } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Prose, Span } from "../parts/text.tsx";

export function EvidenceList({ uri }: { uri: string }) {
  const found = useResource(uri, () => answerOf(api.nodes.evidence.$get({ query: { uri } })));
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={4} />;
  if (value.items.length === 0)
    return (
      <Empty icon="link" title="No source">
        It was added by hand or imported.
      </Empty>
    );
  return (
    <ol class="evidence-list">
      {value.items.map((item, at) => (
        <EvidenceItem key={at} item={item} />
      ))}
    </ol>
  );
}

const EvidenceItem = ({ item }: { item: EvidenceItemJson }) => (
  <li class="evidence">
    <div class="evidence-head small">
      <Icon name={item.speaker === "assistant" ? "answer" : "user"} />
      <span>{speakers[item.speaker ?? "unknown"]}</span>
      {item.session_id.includes("/") ? (
        <Span text={item.session_id} />
      ) : (
        <a href={sessionHref(item.session_id)}>
          <Span text={item.title ?? `session ${item.session_id.slice(0, 8)}`} />
        </a>
      )}
      {item.turn !== null && <a href={turnHref(item.session_id, item.turn)}>turn {item.turn}</a>}
      {item.line !== null && <span class="faint">line {item.line}</span>}
      <span class="grow" />
      {item.at !== null && <time class="faint">{fullTime(item.at)}</time>}
    </div>
    <blockquote class="excerpt" dir="auto">
      {item.excerpt === null ? (
        <Span text={item.quote} />
      ) : (
        <>
          <span class="faint">
            <Span text={item.excerpt.before} />
          </span>
          <mark>
            <Span text={item.excerpt.text} />
          </mark>
          <span class="faint">
            <Span text={item.excerpt.after} />
          </span>
        </>
      )}
    </blockquote>
    <Turn item={item} />
  </li>
);

const speakers = {
  user: "You said",
  assistant: "Claude said",
  unknown: "Recorded",
} as const;

const Turn = ({ item }: { item: EvidenceItemJson }) =>
  item.session_id.includes("/") ? null : item.prompt === null && item.answer === null ? (
    <p class="faint tiny">The turn is private, deleted or not recorded.</p>
  ) : (
    <details class="turn-text">
      <summary>The whole turn</summary>
      {item.prompt !== null && <Said who="You" text={item.prompt} />}
      {item.answer !== null && <Said who="Claude" text={item.answer} />}
    </details>
  );

const Said = ({ who, text }: { who: string; text: string }) => (
  <div class="said">
    <span class="said-who tiny faint">{who}</span>
    <Prose text={text} />
  </div>
);
