/** What became of a memory: every change with its difference, and the way back to any of them. */
import { useSignal, type Signal } from "@preact/signals";
import type { DiffJson, RevisionJson } from "#api";
import { revert } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { sessionHref, turnHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { ago, fullTime, fieldName, fieldValue, madeBy } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
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
