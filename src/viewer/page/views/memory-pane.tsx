/** One memory: what it says and what holds instead, where it comes from, what became of it, when it was sent. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { GraphJson, LinkJson, NodeJson } from "#api";
import { editing, subject } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import type { Failure } from "../state/failure.ts";
import { useKeys } from "../state/keys.ts";
import { draftOf, dropDraft, hasDraft, leaving, seen } from "../state/overlay.ts";
import { useResource } from "../state/resource.ts";
import { memoryHref, route } from "../state/router.ts";
import { copy } from "../state/toasts.ts";
import { chainOf, type Value } from "../parts/arrange.ts";
import { Empty, Failed, later, Waiting } from "../parts/basics.tsx";
import type { EditFields } from "../parts/edit-fields.ts";
import { EditForm } from "../parts/edit-form.tsx";
import { plural } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Facts, MemoryHead, Tiers } from "../parts/memory-head.tsx";
import { Tabs, useTab } from "../parts/tabs.tsx";
import { Line } from "../parts/text.tsx";
import { PromptsOf } from "./prompt-pane.tsx";

const EvidenceList = later(async () => (await import("./history.tsx")).EvidenceList);
const HistoryList = later(async () => (await import("./history.tsx")).HistoryList);

const tabNames = ["text", "evidence", "history", "sent"] as const;
type TabName = (typeof tabNames)[number];

/** The pane beside a list; with `whole`, the memory's own page. */
export function MemoryPane({ uri, whole = false }: { uri: string; whole?: boolean }) {
  const node = useResource(uri, () => answerOf(api.nodes.$get({ query: { uri } })));
  const tab = useTab(tabNames, whole);
  const { value, failure } = node.state.value;
  // What is gone must not stay in sight because it was once read; a broken line takes nothing away.
  const isRefused = failure?.kind === "refused";
  if (failure !== null && (value === null || isRefused))
    return <Gone uri={uri} failure={failure} retry={node.reload} />;
  if (value === null) return <Waiting />;
  const memory = seen(value);
  return (
    <article class={whole ? "memory whole" : "memory"} key={uri}>
      {leaving.value.has(uri) && (
        <p class="notice bad" role="status">
          Deleting. Press <kbd>u</kbd> to undo.
        </p>
      )}
      {whole && <PageSubject memory={memory} />}
      <ReplacedBy memory={memory} />
      <MemoryHead memory={memory} whole={whole} isEdited={isEdited(uri)} />
      <Body memory={memory} tab={tab} />
    </article>
  );
}

interface GoneProps {
  readonly uri: string;
  readonly failure: Failure;
  readonly retry: () => void;
}

const Gone = ({ uri, failure, retry }: GoneProps) => {
  const draft = draftOf(uri);
  return (
    <>
      {failure.type === "memory.not-found" ? (
        <Empty icon="memories" title="This memory was forgotten or never existed">
          <span class="mono">{uri}</span>
        </Empty>
      ) : (
        <Failed failure={failure} retry={retry} />
      )}
      {draft !== undefined && failure.kind === "refused" && (
        <LostDraft uri={uri} text={draft.fields} />
      )}
    </>
  );
};

const isEdited = (uri: string): boolean => editing.value === uri || hasDraft(uri);

function Body({ memory, tab }: { memory: NodeJson; tab: Signal<TabName> }) {
  const { uri } = memory;
  if (memory.node_type === "dir") return <Children uri={uri} />;
  if (isEdited(uri)) return <EditForm memory={memory} onDone={() => (editing.value = null)} />;
  return <Sections memory={memory} tab={tab} />;
}

const childrenMax = "1000";

/** What a directory holds: it has neither evidence nor use of its own. */
function Children({ uri }: { uri: string }) {
  const found = useResource(uri, () =>
    answerOf(api.tree.$get({ query: { uri, limit: childrenMax } })),
  );
  const { value, failure } = found.state.value;
  if (failure !== null) return <Failed failure={failure} retry={found.reload} />;
  if (value === null) return <Waiting lines={4} />;
  return (
    <section class="tier">
      <h3 class="tier-head">{plural(value.total, "entry", "entries")}</h3>
      <ul class="link-list">
        {value.items.map((entry) => (
          <li key={entry.uri}>
            <a class="row compact" href={memoryHref(entry.uri)}>
              <span class="row-text">
                <Line text={entry.l0} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was being written about a memory that was deleted elsewhere. */
const LostDraft = ({ uri, text: { l0, l1, l2 } }: { uri: string; text: EditFields }) => {
  const text = [l0, l1, l2].filter((part) => part !== "").join("\n\n");
  return (
    <section class="edit" aria-label="Your unsaved edit">
      <p class="small faint">The memory is gone. Your unsaved edit:</p>
      <textarea class="input" rows={8} readOnly dir="auto" value={text} />
      <div class="form-actions">
        <button type="button" class="button" onClick={() => void copy(text)}>
          Copy
        </button>
        <button type="button" class="button" onClick={() => dropDraft(uri)}>
          Discard
        </button>
      </div>
    </section>
  );
};

/** On its own page the memory itself is what keys act on. */
function PageSubject({ memory }: { memory: NodeJson }) {
  const { uri, l0, pinned } = memory;
  useLayoutEffect(() => {
    subject.value = { uri, l0, pinned };
    return () => {
      subject.value = null;
    };
  }, [uri, l0, pinned]);
  return null;
}

function Sections({ memory, tab }: { memory: NodeJson; tab: Signal<TabName> }) {
  useKeys(Object.fromEntries(tabNames.map((name, at) => [`${at + 1}`, () => (tab.value = name)])));
  return (
    <>
      <Tabs
        label="Parts of this memory"
        current={tab}
        tabs={[
          { name: "text", title: "Text" },
          { name: "evidence", title: "Source", count: memory.evidence.length },
          { name: "history", title: "History" },
          { name: "sent", title: "Sent to Claude", count: memory.given_count },
        ]}
      />
      <div
        class="section"
        role="tabpanel"
        id={`panel-${tab.value}`}
        aria-labelledby={`tab-${tab.value}`}
      >
        {tab.value === "text" && (
          <>
            <Tiers memory={memory} />
            <Related memory={memory} />
            <Facts memory={memory} />
          </>
        )}
        {tab.value === "evidence" && <EvidenceList uri={memory.uri} />}
        {tab.value === "history" && <HistoryList uri={memory.uri} />}
        {tab.value === "sent" && <PromptsOf query={{ uri: memory.uri }} />}
      </div>
    </>
  );
}

/** Says at the top of a replaced memory what holds instead. */
function ReplacedBy({ memory }: { memory: NodeJson }) {
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

const Related = ({ memory }: { memory: NodeJson }) => {
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

export function MemoryPage() {
  const uri = route.value.query.get("uri");
  if (uri === null)
    return (
      <>
        <Top title="Memory" />
        <Empty icon="memories" title="No memory specified">
          The address has no memory URI. <a href="#/memories">Show all memories</a>.
        </Empty>
      </>
    );
  return (
    <>
      <Top title="Memory" />
      <div class="scroll page-scroll">
        <MemoryPane key={uri} uri={uri} whole />
      </div>
    </>
  );
}
