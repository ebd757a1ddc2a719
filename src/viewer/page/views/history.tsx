/** History of a memory: its sources, every change with its difference, and undoing a change. */
import { useSignal, type Signal } from "@preact/signals";
import { madeBy } from "#domain";
import type { DiffJson, EvidenceItemJson, RevisionJson } from "#api";
import { revert } from "../state/actions.ts";
import { api } from "../state/connection.ts";
import { useResource } from "../state/resource.ts";
import { sessionHref, turnHref } from "../state/router.ts";
import { Time } from "../parts/badges.tsx";
import { Answered, Empty, Tool } from "../parts/basics.tsx";
import { fieldName, fieldValue, fullTime } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Prose, Span } from "../parts/text.tsx";

/** The words that it was made of, who said them, and what stood around them in the transcript. */
export function EvidenceList({ uri }: { uri: string }) {
  const found = useResource(uri, () => api.nodes.evidence.$get({ query: { uri } }));
  return (
    <Answered of={found}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="link" title="No source">
            It was added by hand or imported.
          </Empty>
        ) : (
          <ol class="stack">
            {items.map((item, at) => (
              <EvidenceItem key={at} item={item} />
            ))}
          </ol>
        )
      }
    </Answered>
  );
}

const speakers = { user: "You said", assistant: "Claude said", unknown: "Recorded" } as const;

function EvidenceItem({ item }: { item: EvidenceItemJson }) {
  const { session_id: session, speaker, title, turn, line, at } = item;
  const { before, text, after } = item.excerpt ?? { before: "", text: item.quote, after: "" };
  const isImported = session.includes("/");
  return (
    <li class="stack tight">
      <div class="evidence-head line wrap small">
        <Icon name={speaker === "assistant" ? "answer" : "user"} />
        <span>{speakers[speaker ?? "unknown"]}</span>
        {isImported ? (
          <Span text={session} />
        ) : (
          <a href={sessionHref(session)}>
            <Span text={title ?? `session ${session.slice(0, 8)}`} />
          </a>
        )}
        {turn !== null && <a href={turnHref(session, turn)}>turn {turn}</a>}
        {line !== null && <span class="faint">line {line}</span>}
        <span class="grow" />
        {at !== null && <time class="faint">{fullTime(at)}</time>}
      </div>
      <blockquote class="excerpt" dir="auto">
        <span class="faint">
          <Span text={before} />
        </span>
        {item.excerpt === null ? (
          <Span text={text} />
        ) : (
          <mark>
            <Span text={text} />
          </mark>
        )}
        <span class="faint">
          <Span text={after} />
        </span>
      </blockquote>
      {!isImported && <Turn prompt={item.prompt} answer={item.answer} />}
    </li>
  );
}

const Turn = ({ prompt, answer }: Pick<EvidenceItemJson, "prompt" | "answer">) =>
  prompt === null && answer === null ? (
    <p class="faint tiny">The turn is private, deleted or not recorded.</p>
  ) : (
    <details>
      <summary class="small faint">The whole turn</summary>
      <Said who="You" text={prompt} />
      <Said who="Claude" text={answer} />
    </details>
  );

const Said = ({ who, text }: { who: string; text: string | null }) =>
  text === null ? null : (
    <div class="said small">
      <span class="tiny faint">{who}</span>
      <Prose text={text} />
    </div>
  );

/** More than a memory ever has; older changes are in the command line's `history`. */
const revisionsMax = "200";

export function HistoryList({ uri }: { uri: string }) {
  const query = { uri, order: "newest", limit: revisionsMax } as const;
  const found = useResource(uri, () => api.nodes.history.$get({ query }));
  const open = useSignal<number | null>(null);
  return (
    <Answered of={found}>
      {({ items }) => (
        <ol>
          {items.map((revision, at) => (
            <Revision
              key={revision.id}
              uri={uri}
              revision={revision}
              before={items[at + 1]?.id ?? null}
              isLatest={at === 0}
              open={open}
            />
          ))}
        </ol>
      )}
    </Answered>
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
    <li class="revision">
      <div class="revision-head line">
        <button
          type="button"
          class="revision-toggle line small"
          aria-expanded={isOpen}
          onClick={() => (open.value = isOpen ? -1 : revision.id)}
        >
          <Icon name={isOpen ? "down" : "right"} />
          <strong>{words[revision.action]}</strong>
          <span class="soft cut">
            <Span text={revision.reason} />
          </span>
        </button>
        <span class="faint tiny revision-by cut">
          <Maker by={revision.by} />
        </span>
        <Time at={revision.at} />
        {!isLatest && (
          <Tool
            icon="undo"
            label="Back to this"
            isNamed
            onClick={() => void revert(uri, revision.id)}
          />
        )}
      </div>
      {isOpen &&
        (before === null ? (
          <div class="stack diff">
            <Prose text={revision.l0} />
          </div>
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

function Change({ uri, from, to }: { uri: string; from: number; to: number }) {
  const query = { uri, from: `${from}`, to: `${to}` };
  const found = useResource(JSON.stringify(query), () => api.nodes.diff.$get({ query }));
  return <Answered of={found}>{(diff) => <Diff diff={diff} />}</Answered>;
}

/** HTML element for each kind of part in a difference. */
const parts = { same: "bdi", added: "ins", removed: "del" } as const;

const Diff = ({ diff }: { diff: DiffJson }) => (
  <div class="stack diff">
    {diff.tiers.length === 0 && diff.fields.length === 0 && (
      <p class="faint small">Text unchanged.</p>
    )}
    {diff.tiers.map(({ tier, parts: pieces }) => (
      <div key={tier} class="line">
        <span class="tiny faint diff-name">{tierNames[tier]}</span>
        <div class="prose" dir="auto">
          {pieces.map(({ op, text }, at) => {
            const Part = parts[op];
            return (
              <Part key={at}>
                <Span text={text} />
              </Part>
            );
          })}
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
