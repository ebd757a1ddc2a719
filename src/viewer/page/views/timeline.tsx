/** Shows events in the order in which they happened: in one session, or around one moment in all of them. */
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TimelineItemJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import type { Failure, Reply } from "../state/failure.ts";
import { memoryHref, route, sessionHref } from "../state/router.ts";
import { withoutRepeats } from "../parts/arrange.ts";
import { agentName, StatusBadge } from "../parts/badges.tsx";
import { Button, Empty, Failed, Waiting } from "../parts/basics.tsx";
import { clockTime, dayName, occasionOf } from "../parts/format.ts";
import { Page } from "../parts/frame.tsx";
import { Icon, type IconName } from "../parts/icons.tsx";
import { Line, Prose } from "../parts/text.tsx";

interface Chunk {
  /** The moment in the middle; absent where there is none. */
  readonly around?: number;
  readonly items: readonly TimelineItemJson[];
  readonly earlier: string | null;
  readonly later: string | null;
}

type Load = (cursor: { readonly cursor?: string }) => Promise<Reply<Chunk>>;

export const SessionTimeline = ({ id: sessionId }: { id: string }) => (
  <Stretch
    key={sessionId}
    load={(cursor) =>
      api.sessions[":sessionId"].timeline.$get({
        param: { sessionId },
        query: { limit: "100", ...cursor },
      })
    }
  />
);

export function TimelinePage() {
  const around = route.value.query.get("around") ?? "";
  return (
    <Page title="Timeline">
      <div class="memory stack whole">
        {around === "" ? (
          <Empty icon="clock" title="No time given">
            Open a memory and choose “show timeline”.
          </Empty>
        ) : (
          <Stretch
            key={around}
            uri={around}
            load={(cursor) => api.timeline.$get({ query: { around, ...cursor } })}
          />
        )}
      </div>
    </Page>
  );
}

/** The entry that was asked for: the memory itself, or the nearest in time. Pure. */
function middleOf({ around, items }: Chunk, uri: string | null): TimelineItemJson | null {
  if (around === undefined || uri === null) return null;
  const named = items.find((item) => item.uri === uri);
  return (
    named ?? items.toSorted((a, b) => Math.abs(a.at - around) - Math.abs(b.at - around))[0] ?? null
  );
}

/** A stretch of time that can be drawn out at both ends. `uri`: the memory in its middle. */
function Stretch({ load, uri = null }: { load: Load; uri?: string | null }) {
  const middle = useRef<TimelineItemJson | null>(null);
  const chunk = useSignal<Chunk | null>(null);
  const failure = useSignal<Failure | null>(null);
  const ask = async (cursor: string | null, end: "all" | "earlier" | "later"): Promise<void> => {
    const answer = await answerOf(load(cursor === null ? {} : { cursor }));
    failure.value = answer.ok ? null : answer.failure;
    if (!answer.ok) return;
    if (end === "all") middle.current = middleOf(answer.value, uri);
    chunk.value = joined(chunk.peek(), answer.value, end);
  };
  useLayoutEffect(() => void ask(null, "all"), []);
  const known = chunk.value;
  const list = useRef<HTMLOListElement>(null);
  // Once: whoever looks further back is not taken to the middle again.
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
  }, [known === null]);
  if (failure.value !== null)
    return <Failed failure={failure.value} retry={() => void ask(null, "all")} />;
  if (known === null) return <Waiting />;
  if (known.items.length === 0)
    return (
      <Empty icon="clock" title="No events">
        Private and deleted text is not recorded.
      </Empty>
    );
  const { earlier, later } = known;
  const items = withoutRepeats(known.items, middle.current);
  return (
    <>
      {earlier !== null && (
        <Button class="more" onClick={() => void ask(earlier, "earlier")}>
          Earlier
        </Button>
      )}
      <ol class="stack" ref={list}>
        {items.map((item, at) => (
          <Item
            key={`${item.at} ${item.kind} ${at}`}
            item={item}
            before={items[at - 1] ?? null}
            isMiddle={item === middle.current}
          />
        ))}
      </ol>
      {later !== null && (
        <Button class="more" onClick={() => void ask(later, "later")}>
          Later
        </Button>
      )}
    </>
  );
}

/** Two neighbouring chunks as one. Pure. */
function joined(known: Chunk | null, next: Chunk, end: "all" | "earlier" | "later"): Chunk {
  if (known === null || end === "all") return next;
  return end === "earlier"
    ? { ...known, items: [...next.items, ...known.items], earlier: next.earlier }
    : { ...known, items: [...known.items, ...next.items], later: next.later };
}

const looks: Readonly<Record<TimelineItemJson["kind"], { icon: IconName; name: string }>> = {
  prompt: { icon: "user", name: "You" },
  answer: { icon: "answer", name: "Claude" },
  memory: { icon: "memories", name: "Memory" },
  moment: { icon: "spark", name: "Exchange" },
  checkpoint: { icon: "flag", name: "Summary" },
  injection: { icon: "inject", name: "Sent to Claude" },
};

/** The agent of the session; an answer that names none is Claude's. */
const answererOf = ({ session_id: session }: TimelineItemJson): string =>
  session === null ? "Claude" : agentName(session).replace(/ (?:Code|CLI)$/, "");

interface ItemProps {
  readonly item: TimelineItemJson;
  readonly before: TimelineItemJson | null;
  /** This is the moment that was asked for. */
  readonly isMiddle: boolean;
}

function Item({ item, before, isMiddle }: ItemProps) {
  const { icon, name } = looks[item.kind];
  const day = dayName(item.at);
  const isNewDay = before === null || dayName(before.at) !== day;
  const title =
    item.kind === "injection" ? (occasionOf(item.title, "") ?? "With a prompt") : item.title;
  const hasMore = item.text !== null && item.text.trim() !== item.title.trim();
  return (
    <>
      {isNewDay && (
        <li class="tiny faint">
          <strong>{day}</strong>
        </li>
      )}
      <li
        class={`timeline-item kind-${item.kind}${isMiddle ? " current" : ""}`}
        aria-current={isMiddle ? "true" : undefined}
      >
        <span class="timeline-icon">
          <Icon name={icon} />
        </span>
        <div class="grow">
          <p class="line tiny faint">
            <span>{item.kind === "answer" ? answererOf(item) : name}</span>
            {item.turn !== null && <span>turn {item.turn}</span>}
            <StatusBadge status={item.status} />
            <ItemLink item={item} />
            <time class="num">{clockTime(item.at)}</time>
          </p>
          {hasMore && item.text !== null ? (
            <details>
              <summary>
                <Line text={title} />
              </summary>
              <Prose text={item.text} />
            </details>
          ) : (
            <p>
              <Line text={title} />
            </p>
          )}
        </div>
      </li>
    </>
  );
}

const ItemLink = ({ item }: { item: TimelineItemJson }) => {
  const isElsewhere = item.session_id !== null && route.value.view !== "session";
  if (item.uri !== null) return <a href={memoryHref(item.uri)}>open</a>;
  return isElsewhere && item.session_id !== null ? (
    <a href={sessionHref(item.session_id)}>session {item.session_id.slice(0, 8)}</a>
  ) : null;
};
