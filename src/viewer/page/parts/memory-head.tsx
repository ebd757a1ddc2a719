/** What a memory is: the top with what can be done with it, its texts, and its facts in a table. */
import type { ComponentChildren } from "preact";
import type { NodeJson } from "#api";
import { doomed, editing, togglePin } from "../state/actions.ts";
import { href, memoryHref, sessionHref } from "../state/router.ts";
import { copy } from "../state/toasts.ts";
import { CategoryBadge, Key, PinMark, ProjectBadge, StatusBadge } from "./badges.tsx";
import { count, fullTime, plural } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";
import { Prose, Span } from "./text.tsx";

interface HeadProps {
  readonly memory: NodeJson;
  readonly whole: boolean;
  /** Its text stands in the form below: once is enough. */
  readonly isEdited: boolean;
}

export const MemoryHead = ({ memory, whole, isEdited }: HeadProps) => (
  <header class="memory-head">
    <div class="head-line">
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
  <div class="toolbar" role="toolbar" aria-label="Actions">
    <Tool icon="edit" label="Edit" keys="e" onPress={() => (editing.value = memory.uri)} />
    <Tool
      icon="pin"
      label={memory.pinned ? "Unpin" : "Pin"}
      keys="p"
      onPress={() => void togglePin(memory)}
    />
    <Tool icon="trash" label="Forget" keys="#" onPress={() => (doomed.value = memory)} />
    {!whole && (
      <a class="tool" href={memoryHref(memory.uri)} title="Open its page (Enter)">
        <Icon name="right" />
        <span class="unseen">Open its page</span>
      </a>
    )}
  </div>
);

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keys: string;
  readonly onPress: () => void;
}

const Tool = ({ icon, label, keys, onPress }: ToolProps) => (
  <button type="button" class="tool" title={`${label} (${keys})`} onClick={onPress}>
    <Icon name={icon} />
    <span class="tool-label">{label}</span>
    <Key keys={keys} />
  </button>
);

/** `mem://` as links, directory by directory, and a button that copies it. */
function Place({ uri }: { uri: string }) {
  const parts = uri.replace(/^mem:\/\//, "").split("/");
  return (
    <div class="place mono">
      <span class="faint">mem://</span>
      {parts.map((part, at) => (
        <span key={at} class="place-part">
          {at > 0 && <span class="faint">/</span>}
          {at === parts.length - 1 ? (
            <Span text={part} />
          ) : (
            <a href={memoryHref(`mem://${parts.slice(0, at + 1).join("/")}`)}>
              <Span text={part} />
            </a>
          )}
        </span>
      ))}
      <button type="button" class="tool bare" title="Copy the URI" onClick={() => void copy(uri)}>
        <Icon name="copy" />
        <span class="unseen">Copy the URI</span>
      </button>
    </div>
  );
}

/** The code that it names, and how that stands. */
function Code({ anchors }: { anchors: NodeJson["anchors"] }) {
  if (anchors.length === 0) return null;
  return (
    <Fact name="Code">
      {anchors.map(({ path, symbol, state, moved_to: to, commit, branch }) => (
        <div key={`${path} ${symbol ?? ""}`}>
          <Span text={symbol === null ? path : `${path} ${symbol}`} />{" "}
          <span class="badge plain-badge">
            {state === "moved" && to !== null ? <Span text={`moved to ${to}`} /> : state}
          </span>
          {commit !== null && <span class="mono"> {commit.slice(0, 7)}</span>}
          {branch !== null && <Span text={` only on branch ${branch}`} />}
        </div>
      ))}
    </Fact>
  );
}

/** What else is known of it. */
export function Facts({ memory }: { memory: NodeJson }) {
  const { source_session: session, expires_at: expires } = memory;
  return (
    <dl class="facts">
      <Fact name="Importance">{memory.importance} of 5</Fact>
      <Fact name="Relevance">{Math.round(memory.relevance * 100)} %</Fact>
      <Fact name="Sent to Claude">{plural(memory.given_count, "time")} in 90 days</Fact>
      <Fact name="Used">{plural(memory.access_count, "time")}</Fact>
      <Fact name="Learned from">{plural(memory.evidence_count, "turn")}</Fact>
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
      <Code anchors={memory.anchors} />
      {session !== null && (
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

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Words = ({ name, words }: { name: string; words: readonly string[] }) =>
  words.length === 0 ? null : (
    <Fact name={name}>
      <span class="words">
        {words.map((word) => (
          <span key={word} class="badge plain-badge">
            <Span text={word} />
          </span>
        ))}
      </span>
    </Fact>
  );

const tiers = [
  { tier: "l1", name: "Details" },
  { tier: "l2", name: "Full text" },
] as const;

export const Tiers = ({ memory }: { memory: NodeJson }) => (
  <div class="tiers">
    {tiers.map(({ tier, name }) => {
      const text = memory[tier];
      // The title may say it all.
      return text === null || text === "" ? null : (
        <section key={tier} class="tier">
          <h3 class="tier-head">
            {name}
            <span class="grow" />
            <span class="faint num tiny">{count(memory.tokens[tier])} tokens</span>
          </h3>
          <Prose text={text} />
        </section>
      );
    })}
  </div>
);
