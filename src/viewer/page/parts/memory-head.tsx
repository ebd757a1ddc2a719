/** Parts of a memory's page: the head with its actions, the texts, and a table of facts. */
import type { NodeJson } from "#api";
import { editing, pendingForget, togglePin } from "../state/actions.ts";
import { href, memoryHref, sessionHref } from "../state/router.ts";
import { copy } from "../state/toasts.ts";
import { CategoryBadge, PinMark, ProjectBadge, StatusBadge } from "./badges.tsx";
import { Fact, Tier, Tool } from "./basics.tsx";
import { count, fullTime, plural } from "./format.ts";
import { Icon } from "./icons.tsx";
import { Prose, Span } from "./text.tsx";

interface HeadProps {
  readonly memory: NodeJson;
  readonly whole: boolean;
  /** Its text stands in the form below: once is enough. */
  readonly isEdited: boolean;
}

export const MemoryHead = ({ memory, whole, isEdited }: HeadProps) => (
  <header class="stack tight">
    <div class="line wrap">
      <CategoryBadge category={memory.category} />
      <StatusBadge status={memory.status} />
      <ProjectBadge project={memory.project} />
      <PinMark pinned={memory.pinned} />
      <span class="grow" />
      {memory.node_type === "leaf" && <Toolbar memory={memory} whole={whole} />}
    </div>
    <h2 class={isEdited ? "unseen" : "memory-title"}>
      <Span text={memory.l0} />
    </h2>
    {!isEdited && <Place uri={memory.uri} />}
  </header>
);

const Toolbar = ({ memory, whole }: { memory: NodeJson; whole: boolean }) => (
  <div class="toolbar line" role="toolbar" aria-label="Actions">
    <Tool icon="edit" label="Edit" keys="e" isNamed onClick={() => (editing.value = memory.uri)} />
    <Tool
      icon="pin"
      label={memory.pinned ? "Unpin" : "Pin"}
      keys="p"
      isNamed
      onClick={() => void togglePin(memory)}
    />
    <Tool
      icon="trash"
      label="Forget"
      keys="#"
      isNamed
      onClick={() => (pendingForget.value = memory)}
    />
    {!whole && (
      <a class="tool" href={memoryHref(memory.uri)} title="Open its page (Enter)">
        <Icon name="right" />
        <span class="unseen">Open its page</span>
      </a>
    )}
  </div>
);

/** `mem://` as links, directory by directory, and a button that copies it. */
function Place({ uri }: { uri: string }) {
  const parts = uri.replace(/^mem:\/\//, "").split("/");
  return (
    <div class="place mono tiny faint">
      mem://
      {parts.map((part, at) => (
        <span key={at}>
          {at > 0 && "/"}
          {at === parts.length - 1 ? (
            <Span text={part} />
          ) : (
            <a class="soft" href={memoryHref(`mem://${parts.slice(0, at + 1).join("/")}`)}>
              <Span text={part} />
            </a>
          )}
        </span>
      ))}
      <Tool class="bare" icon="copy" label="Copy the URI" onClick={() => void copy(uri)} />
    </div>
  );
}

const tiers = { l1: "Details", l2: "Full text" } as const;

/** The longer texts of a memory; its summary is the title, and may say it all. */
export const Tiers = ({ memory }: { memory: NodeJson }) => (
  <div class="tiers stack">
    {(["l1", "l2"] as const).map((tier) => {
      const text = memory[tier];
      const tokens = <span class="faint num tiny">{count(memory.tokens[tier])} tokens</span>;
      return text === null || text === "" ? null : (
        <Tier key={tier} title={tiers[tier]} aside={tokens}>
          <Prose text={text} />
        </Tier>
      );
    })}
  </div>
);

/** `Facts` shows what else is known of it. */
export function Facts({ memory }: { memory: NodeJson }) {
  const { source_session: session, expires_at: expires, anchors } = memory;
  // Added outside of any session.
  const isByHand = session === null || session === "manual";
  return (
    <dl class="facts">
      <Fact name="Importance">{memory.importance} of 5</Fact>
      <Fact name="Relevance">{Math.round(memory.relevance * 100)} %</Fact>
      <Fact name="Sent to Claude">{plural(memory.given_count, "time")} in 90 days</Fact>
      <Fact name="Used">{plural(memory.access_count, "time")}</Fact>
      {!isByHand && <Fact name="Learned from">{plural(memory.evidence_count, "turn")}</Fact>}
      <Fact name="Source">
        {memory.origin === "team" && memory.author !== null ? (
          <Span text={`${memory.author} said it`} />
        ) : (
          `${origins[memory.origin]}; ${makers[memory.maker]}`
        )}
      </Fact>
      <Fact name="Created">{fullTime(memory.created_at)}</Fact>
      <Fact name="Changed">{fullTime(memory.updated_at)}</Fact>
      {expires !== null && <Fact name="Expires">{fullTime(expires)}</Fact>}
      {memory.branch !== null && (
        <Fact name="Branch">
          <Span text={memory.branch} />
        </Fact>
      )}
      {anchors.length > 0 && (
        <Fact name="Code">
          {anchors.map((anchor) => (
            <Anchor key={`${anchor.path} ${anchor.symbol ?? ""}`} anchor={anchor} />
          ))}
        </Fact>
      )}
      {!isByHand && (
        <Fact name="Session">
          <a class="mono" href={sessionHref(session)}>
            {session.slice(0, 8)}
          </a>
          {" · "}
          <a href={href("timeline", { around: memory.uri })}>show timeline</a>
        </Fact>
      )}
      <Words name="Tags" words={memory.tags} />
      <Words name="Files" words={memory.files} />
      <Words name="Other words for search" words={memory.aliases} />
    </dl>
  );
}

/** The code that it names, and how that stands. */
const Anchor = ({ anchor }: { anchor: NodeJson["anchors"][number] }) => {
  const { path, symbol, state, moved_to: to, commit, branch } = anchor;
  return (
    <div>
      <Span text={symbol === null ? path : `${path} ${symbol}`} />{" "}
      <span class="badge plain-badge">
        <Span text={state === "moved" && to !== null ? `moved to ${to}` : state} />
      </span>
      {commit !== null && <span class="mono"> {commit.slice(0, 7)}</span>}
      {branch !== null && <Span text={` only on branch ${branch}`} />}
    </div>
  );
};

const origins: Readonly<Record<NodeJson["origin"], string>> = {
  user: "You said it",
  agent: "Claude said it",
  tool: "Found by a tool, not stated by you",
  import: "Imported",
  team: "A colleague said it",
};

const makers: Readonly<Record<NodeJson["maker"], string>> = {
  signal: "captured from a prompt",
  stop: "captured at the end of a turn",
  precompact: "captured before a compaction",
  extract: "found by the language model",
  manual: "added by hand",
  import: "from an import",
};

const Words = ({ name, words }: { name: string; words: readonly string[] }) =>
  words.length === 0 ? null : (
    <Fact name={name}>
      <span class="line wrap">
        {words.map((word) => (
          <span key={word} class="badge plain-badge">
            <Span text={word} />
          </span>
        ))}
      </span>
    </Fact>
  );
