/** One memory: what it says in three tiers, where it comes from, what became of it and what it hangs together with. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { NodeJson } from "#api";
import { editing, subject } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { draftOf, dropDraft, hasDraft } from "../state/drafts.ts";
import { useKeys } from "../state/keys.ts";
import { leaving, seen } from "../state/overlay.ts";
import { href, memoryHref } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import type { EditFields } from "../parts/edit-fields.ts";
import { EditForm } from "../parts/edit-form.tsx";
import { Facts, MemoryHead } from "../parts/memory-head.tsx";
import { plural } from "../parts/format.ts";
import { Failed, Waiting } from "../parts/states.tsx";
import { Tabs, useTab } from "../parts/tabs.tsx";
import { Line } from "../parts/text.tsx";
import { Tiers } from "../parts/tiers.tsx";
import { EvidenceList } from "./evidence.tsx";
import { GivenIn } from "./given.tsx";
import { HistoryList } from "./history.tsx";
import { LinksView } from "./links.tsx";

const tabNames = ["text", "evidence", "history", "links", "given"] as const;
type TabName = (typeof tabNames)[number];

/** The pane beside a list; with `whole`, the memory's own page. */
export function MemoryPane({ uri, whole = false }: { uri: string; whole?: boolean }) {
  const node = useResource(uri, () => answerOf(api.nodes.$get({ query: { uri } })));
  const tab = useTab(tabNames, whole);
  const { value, failure } = node.state.value;
  // What is gone must not stay in sight because it was once read; a broken line takes nothing away.
  const isRefused = failure?.kind === "refused";
  const draft = draftOf(uri);
  if (failure !== null && (value === null || isRefused))
    return (
      <>
        <Failed failure={failure} retry={node.reload} />
        {draft !== undefined && isRefused && <LostDraft uri={uri} text={draft.fields} />}
      </>
    );
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
      <MemoryHead memory={memory} whole={whole} />
      <Body memory={memory} tab={tab} />
    </article>
  );
}

function Body({ memory, tab }: { memory: NodeJson; tab: Signal<TabName> }) {
  const { uri } = memory;
  if (memory.node_type === "dir") return <Children uri={uri} />;
  if (editing.value === uri || hasDraft(uri))
    return <EditForm memory={memory} onDone={() => (editing.value = null)} />;
  return <Sections memory={memory} tab={tab} />;
}

const childrenMax = 100;

/** What a directory holds: it has neither evidence nor use of its own. */
function Children({ uri }: { uri: string }) {
  const found = useResource(uri, () =>
    answerOf(api.tree.$get({ query: { uri, limit: `${childrenMax}` } })),
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
      {value.total > value.items.length && (
        <p class="small">
          <a href={href("tree", { uri })}>Show all in the tree</a>
        </p>
      )}
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
        <button
          type="button"
          class="button"
          onClick={() => void navigator.clipboard.writeText(text)}
        >
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
  useKeys({
    "1": () => (tab.value = "text"),
    "2": () => (tab.value = "evidence"),
    "3": () => (tab.value = "history"),
    "4": () => (tab.value = "links"),
    "5": () => (tab.value = "given"),
  });
  const links = memory.links.length;
  return (
    <>
      <Tabs
        label="Parts of this memory"
        current={tab}
        tabs={[
          { name: "text", title: "Text" },
          { name: "evidence", title: "Evidence", count: memory.evidence.length },
          { name: "history", title: "History" },
          { name: "links", title: "Links", count: links },
          { name: "given", title: "Given", count: memory.given_count },
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
            <Facts memory={memory} />
          </>
        )}
        {tab.value === "evidence" && <EvidenceList uri={memory.uri} />}
        {tab.value === "history" && <HistoryList uri={memory.uri} />}
        {tab.value === "links" && <LinksView uri={memory.uri} />}
        {tab.value === "given" && <GivenIn query={{ uri: memory.uri }} />}
      </div>
    </>
  );
}
