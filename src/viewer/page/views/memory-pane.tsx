/** One memory: what it says and what holds instead, where it comes from, what became of it, when it was sent. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { LinkJson, NodeJson } from "#api";
import { editing, subject } from "../state/actions.ts";
import { api } from "../state/connection.ts";
import type { Failure } from "../state/failure.ts";
import { useKeys } from "../state/keys.ts";
import { draftOf, dropDraft, hasDraft, leaving, seen } from "../state/overlay.ts";
import { useResource } from "../state/resource.ts";
import { href, memoryHref, route } from "../state/router.ts";
import { copy } from "../state/toasts.ts";
import { StatusBadge } from "../parts/badges.tsx";
import { Answered, Button, Empty, Failed, Tier, Waiting } from "../parts/basics.tsx";
import { EditForm } from "../parts/edit-form.tsx";
import { plural } from "../parts/format.ts";
import { Page } from "../parts/frame.tsx";
import { Facts, MemoryHead, Tiers } from "../parts/memory-head.tsx";
import { TabPanel, Tabs, useTab } from "../parts/tabs.tsx";
import { Line } from "../parts/text.tsx";
import { EvidenceList, HistoryList } from "./history.tsx";
import { PromptsOf } from "./prompt-pane.tsx";

/** A memory's own page. */
export function MemoryPage() {
  const uri = route.value.query.get("uri");
  return (
    <Page title="Memory">
      {uri === null ? (
        <Empty icon="memories" title="No memory specified">
          The address has no memory URI. <a href="#/memories">Show all memories</a>.
        </Empty>
      ) : (
        <MemoryPane key={uri} uri={uri} whole />
      )}
    </Page>
  );
}

const tabNames = ["text", "evidence", "history", "sent"] as const;
type TabName = (typeof tabNames)[number];

/** The pane beside a list; with `whole`, the memory's own page. */
export function MemoryPane({ uri, whole = false }: { uri: string; whole?: boolean }) {
  const node = useResource(uri, () => api.nodes.$get({ query: { uri } }));
  const tab = useTab(tabNames, whole);
  const { value, failure } = node;
  // A memory that is gone must not stay in sight because it was once read; a broken line takes nothing away.
  if (failure !== null && (value === null || failure.kind === "refused"))
    return <Gone uri={uri} failure={failure} retry={node.reload} />;
  if (value === null) return <Waiting />;
  const memory = seen(value);
  const isEdited = editing.value === uri || hasDraft(uri);
  return (
    <article class={whole ? "memory stack whole" : "memory stack"} key={uri}>
      {leaving.value.has(uri) && (
        <p class="notice bad" role="status">
          Deleting. Press <kbd>u</kbd> to undo.
        </p>
      )}
      {whole && <PageSubject memory={memory} />}
      <Newer memory={memory} />
      <MemoryHead memory={memory} whole={whole} isEdited={isEdited} />
      {memory.node_type === "dir" ? (
        <Children uri={uri} />
      ) : isEdited ? (
        <EditForm memory={memory} onDone={() => (editing.value = null)} />
      ) : (
        <Sections memory={memory} tab={tab} />
      )}
    </article>
  );
}

interface GoneProps {
  readonly uri: string;
  readonly failure: Failure;
  readonly retry: () => void;
}

const Gone = ({ uri, failure, retry }: GoneProps) => (
  <>
    {failure.type === "memory.not-found" ? (
      <Empty icon="memories" title="This memory was forgotten or never existed">
        <span class="mono">{uri}</span>
      </Empty>
    ) : (
      <Failed failure={failure} retry={retry} />
    )}
    {failure.kind === "refused" && <LostDraft uri={uri} />}
  </>
);

/** Text that was being written about a memory that was deleted elsewhere. */
const LostDraft = ({ uri }: { uri: string }) => {
  const draft = draftOf(uri);
  if (draft === undefined) return null;
  const { l0, l1, l2 } = draft.fields;
  const text = [l0, l1, l2].filter((part) => part !== "").join("\n\n");
  return (
    <section class="edit stack" aria-label="Your unsaved edit">
      <p class="small faint">The memory is gone. Your unsaved edit:</p>
      <textarea class="input" rows={8} readOnly dir="auto" value={text} />
      <div class="line">
        <Button onClick={() => void copy(text)}>Copy</Button>
        <Button onClick={() => dropDraft(uri)}>Discard</Button>
      </div>
    </section>
  );
};

const childrenMax = "1000";

/** `Children` lists the content of a directory: it has neither evidence nor use of its own. */
function Children({ uri }: { uri: string }) {
  const found = useResource(uri, () => api.tree.$get({ query: { uri, limit: childrenMax } }));
  return (
    <Answered of={found}>
      {({ total, items }) => (
        <Tier title={plural(total, "entry", "entries")}>
          <MemoryLinks items={items} />
        </Tier>
      )}
    </Answered>
  );
}

/** A memory; without a status it holds. */
type Linked = Pick<NodeJson, "uri" | "l0"> & { readonly status?: NodeJson["status"] };

/** Memories by their summaries, each leading to its page. */
export const MemoryLinks = ({ items }: { items: readonly Linked[] }) => (
  <ul>
    {items.map(({ uri, l0, status }) => (
      <li key={uri}>
        <a class="row compact" href={memoryHref(uri)}>
          <Line text={l0} look="row-text" />
          <StatusBadge status={status ?? null} />
        </a>
      </li>
    ))}
  </ul>
);

/** On its own page the memory itself is what keys act on. */
function PageSubject({ memory: { uri, l0, pinned } }: { memory: NodeJson }) {
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
      <TabPanel current={tab}>
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
      </TabPanel>
    </>
  );
}

const isNewerValue = ({ relation, direction }: LinkJson): boolean =>
  relation === "contradicts" && direction === "from";

/** Says at the top what replaced a memory, or which newer one contradicts it. */
function Newer({ memory }: { memory: NodeJson }) {
  const isReplaced = memory.status === "superseded";
  const uri = isReplaced ? memory.superseded_by : memory.links.find(isNewerValue)?.uri;
  return uri === undefined || uri === null ? null : (
    <p class="notice warn replaced-by">
      {isReplaced ? "Replaced by " : "Newer: "}
      <a href={memoryHref(uri)}>
        <Line text={memory.links.find((link) => link.uri === uri)?.l0 ?? uri} />
      </a>
      {!isReplaced && (
        <>
          {" "}
          Both hold until you <a href={href("review")}>decide in Review</a>.
        </>
      )}
    </p>
  );
}

/** The chain of values that replaced one another, and what is linked otherwise. */
const Related = ({ memory }: { memory: NodeJson }) => {
  const others = memory.links.filter(
    (link) => link.relation !== "supersedes" && !isNewerValue(link),
  );
  return (
    <>
      <Chain memory={memory} />
      {others.length > 0 && (
        <Tier title="Related">
          <ul class="values">
            {others.map((link) => (
              <li key={`${link.uri} ${link.relation}`}>
                <span class="tiny faint">{meaningOf(link)}</span>
                <a href={memoryHref(link.uri)}>
                  <Line text={link.l0} /> <StatusBadge status={link.status} />
                </a>
              </li>
            ))}
          </ul>
        </Tier>
      )}
    </>
  );
};

/** The values that replaced one another, the one that holds first. */
const Chain = ({ memory: { uri, values } }: { memory: NodeJson }) =>
  values.length === 0 ? null : (
    <Tier title="Values, the latest first">
      <ul class="values">
        {values.map((one, at) => (
          <li key={one.uri} class={at > 0 ? "faint" : ""}>
            <span class="tiny faint">{at > 0 ? "replaced" : "current"}</span>
            {one.uri === uri ? (
              <strong>
                <Line text={one.l0} />
              </strong>
            ) : (
              <a href={memoryHref(one.uri)}>
                <Line text={one.l0} />
              </a>
            )}
          </li>
        ))}
      </ul>
    </Tier>
  );

/** A relation seen from its start and from its end. */
const meanings: Readonly<Record<LinkJson["relation"], readonly [to: string, from: string]>> = {
  related: ["related to", "related to"],
  supersedes: ["replaces", "replaced by"],
  contradicts: ["earlier", "newer"],
  elaborates: ["explains", "explained by"],
  caused_by: ["caused by", "cause of"],
};

const meaningOf = ({ relation, direction }: LinkJson): string =>
  meanings[relation][direction === "to" ? 0 : 1];
