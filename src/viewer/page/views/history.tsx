/** Where a memory comes from, and what became of it: every change with its difference, and the way back. */
import { type Signal, useSignal } from "@preact/signals";
import type { DiffJson, EvidenceItemJson, RevisionJson } from "#api";
import { revert } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { useResource } from "../state/resource.ts";
import { sessionHref, turnHref } from "../state/router.ts";
import { Empty, Failed, Waiting } from "../parts/basics.tsx";
import { ago, fieldName, fieldValue, fullTime, madeBy } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Prose, Span } from "../parts/text.tsx";

/** More than a memory ever has; older changes are in the command line's `history`. */
const revisionsMax = "200";

export function HistoryList({ uri }: { uri: string }) {
  const found = useResource(uri, () =>
    answerOf(api.nodes.history.$get({ query: { uri, order: "newest", limit: revisionsMax } })),
  );
  const open = useSignal<number | null>(null);
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={4} />;
  return (
    <ol class="history">
      {value.items.map((revision, at) => (
        <Revision
          key={revision.id}
          uri={uri}
          revision={revision}
          before={value.items[at + 1]?.id ?? null}
          isLatest={at === 0}
          open={open}
        />
      ))}
    </ol>
  );
}

interface RevisionProps {
  readonly uri: string;
  readonly revision: RevisionJson;
  /** Id of the change before; null = this is the first. */
  readonly before: number | null;
  readonly isLatest: boolean;
  readonly open: Signal<number | null>;
}

function Revision({ uri, revision, before, isLatest, open }: RevisionProps) {
  const isOpen = open.value === null ? isLatest : open.value === revision.id;
  return (
    <li class={`revision act-${revision.action}`}>
      <div class="revision-head">
        <button
          type="button"
          class="revision-toggle"
          aria-expanded={isOpen}
          onClick={() => (open.value = isOpen ? -1 : revision.id)}
        >
          <Icon name={isOpen ? "down" : "right"} />
          <strong>{words[revision.action]}</strong>
          <span class="soft cut">
            <Span text={revision.reason} />
          </span>
        </button>
        <span class="faint tiny revision-by">
          <Maker by={revision.by} />
        </span>
        <time class="faint tiny num" title={fullTime(revision.at)}>
          {ago(revision.at)}
        </time>
        {!isLatest && (
          <button type="button" class="tool" onClick={() => void revert(uri, revision.id)}>
            <Icon name="undo" />
            <span class="tool-label">Back to this</span>
          </button>
        )}
      </div>
      {isOpen &&
        (before === null ? (
          <First revision={revision} />
        ) : (
          <Change uri={uri} from={before} to={revision.id} />
        ))}
    </li>
  );
}

/** Leads to the words that it was made of. */
function Maker({ by }: { by: string }) {
  const { name, session, turn } = madeBy(by);
  if (session === null) return <Span text={name} />;
  return (
    <a href={turn === null ? sessionHref(session) : turnHref(session, turn)}>
      <Span text={name} />
    </a>
  );
}

const words: Readonly<Record<RevisionJson["action"], string>> = {
  create: "Created",
  merge: "Merged",
  supersede: "Replaced",
  reinforce: "Confirmed",
  edit: "Edited",
  pin: "Pinned or unpinned",
  expire: "Expired",
  archive: "Moved to the archive",
  revert: "Reverted",
  retract: "Retracted",
  accept: "Accepted",
  reject: "Rejected",
};

const tierNames = { l0: "Summary", l1: "Details", l2: "Full text" } as const;

const First = ({ revision }: { revision: RevisionJson }) => (
  <div class="diff">
    <Prose text={revision.l0} />
  </div>
);

function Change({ uri, from, to }: { uri: string; from: number; to: number }) {
  const query = { uri, from: `${from}`, to: `${to}` };
  const found = useResource(`${uri} ${from} ${to}`, () => answerOf(api.nodes.diff.$get({ query })));
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={2} />;
  return <Diff diff={value} />;
}

const Diff = ({ diff }: { diff: DiffJson }) => (
  <div class="diff">
    {diff.tiers.length === 0 && diff.fields.length === 0 && (
      <p class="faint small">Text unchanged.</p>
    )}
    {diff.tiers.map(({ tier, parts }) => (
      <div key={tier} class="diff-tier">
        <span class="tiny faint diff-name">{tierNames[tier]}</span>
        <div class="prose" dir="auto">
          {parts.map(({ op, text }, at) =>
            op === "same" ? (
              <Span key={at} text={text} />
            ) : op === "added" ? (
              <ins key={at}>
                <Span text={text} />
              </ins>
            ) : (
              <del key={at}>
                <Span text={text} />
              </del>
            ),
          )}
        </div>
      </div>
    ))}
    {diff.fields.map(({ name, before, after }) => (
      <p key={name} class="small">
        <span class="faint">{fieldName(name)}</span>{" "}
        <del>
          <Span text={fieldValue(name, before)} />
        </del>{" "}
        →{" "}
        <ins>
          <Span text={fieldValue(name, after)} />
        </ins>
      </p>
    ))}
  </div>
);

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
