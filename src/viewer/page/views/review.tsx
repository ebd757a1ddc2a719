/**
 * Lists the memories that wait for a person's word: memories that were proposed, and those that a
 * newer order may have replaced.
 */
import { useMemo } from "preact/hooks";
import type { ContradictedJson, ReviewJson, ReviewPageJson } from "#api";
import { editing, isDone, review, subject } from "../state/actions.ts";
import { answerOf, api } from "../state/connection.ts";
import { isWide } from "../state/display.ts";
import type { Answer } from "../state/failure.ts";
import { useKeys } from "../state/keys.ts";
import { createPaged } from "../state/paged.ts";
import { memoryHref } from "../state/router.ts";
import { CategoryBadge, CategoryDot, ProjectBadge, Time } from "../parts/badges.tsx";
import { Button, Empty, Key, Tier } from "../parts/basics.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EditForm } from "../parts/edit-form.tsx";
import { ago } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { MemoryList } from "../parts/memory-list.tsx";
import type { RowHandle } from "../parts/split-list.tsx";
import { Line, Prose, Span } from "../parts/text.tsx";
import { MemoryLinks } from "./memory-pane.tsx";

/** A proposal, or a memory in doubt; both are accepted or rejected by the number of the memory. */
type Waiting = ReviewJson | ContradictedJson;

const isDoubted = (one: Waiting): one is ContradictedJson => "contradicted" in one;

/** Memories in doubt come first: until somebody decides, both are sent. */
async function load(
  offset: number,
  limit: number,
): Promise<Answer<Pick<ReviewPageJson, "total"> & { readonly items: readonly Waiting[] }>> {
  const first = await answerOf(api.review.$get({ query: { offset: "0", limit: `${limit}` } }));
  if (!first.ok) return first;
  const { contradicted, items, total } = first.value;
  const all = { total: total + contradicted.length };
  if (offset === 0)
    return { ok: true, value: { ...all, items: [...contradicted, ...items].slice(0, limit) } };
  const from = Math.max(0, offset - contradicted.length);
  const page = await answerOf(api.review.$get({ query: { offset: `${from}`, limit: `${limit}` } }));
  return page.ok ? { ok: true, value: { ...all, items: page.value.items } } : page;
}

export function Review() {
  const rows = useMemo(() => createPaged<Waiting>(load), []);
  // A key pressed before the list has moved on is meant for the next row.
  const sent = useMemo(() => new Set<string>(), []);
  const isSent = ({ uri }: Waiting): boolean => sent.has(uri) || isDone(uri);
  const decide = async (action: "accept" | "reject"): Promise<void> => {
    let at = rows.find(({ uri }) => uri === subject.peek()?.uri);
    let one = rows.at(at);
    while (one !== undefined && isSent(one)) one = rows.at((at += 1));
    if (one === undefined) return;
    sent.add(one.uri);
    await review(one.id, action);
    sent.delete(one.uri);
  };
  useKeys({ a: () => void decide("accept"), r: () => void decide("reject") });
  return (
    <>
      <Top title="Review" count={rows.total.value} />
      <MemoryList
        label="To review"
        rows={rows}
        listKey="review"
        rowHeight={{ wide: 60, narrow: 116 }}
        row={(one, handle) => <ReviewRow one={one} {...handle} />}
        pane={(one) => <ReviewPane key={one.id} one={one} />}
        empty={
          <Empty icon="check" title="Nothing to review">
            The setting <code>review.hold</code> says which memories need your word. Imported
            memories never do.
          </Empty>
        }
      />
    </>
  );
}

const ReviewRow = ({ one, isCurrent, onChoose }: { one: Waiting } & RowHandle) => (
  <div class={isCurrent ? "row review-row current" : "row review-row"}>
    <a
      class="review-main grow"
      href={memoryHref(one.uri)}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onChoose ?? undefined}
    >
      <CategoryDot category={one.category} />
      <span class="row-main">
        <Line text={one.l0} look="row-text" />
        <span class="tiny faint cut">
          <Line text={isDoubted(one) ? `Newer: ${one.contradicted.text}` : one.reason} />
        </span>
      </span>
      <Time at={one.created_at} />
    </a>
    {!isWide.value && <Decision one={one} />}
    {!isWide.value && !isDoubted(one) && editing.value === one.uri && (
      <Dialog label="Edit and accept" onClose={stopEditing}>
        <AcceptForm one={one} />
      </Dialog>
    )}
  </div>
);

const stopEditing = (): void => {
  editing.value = null;
};

const AcceptForm = ({ one }: { one: ReviewJson }) => (
  <EditForm
    memory={one}
    verb="Accept as edited"
    save={async (edit) =>
      (await review(one.id, "accept", edit)) ? null : "Could not accept the memory."
    }
    onDone={stopEditing}
  />
);

const Decision = ({ one }: { one: Waiting }) => (
  <div class="decision line wrap">
    <Button class="good" onClick={() => void review(one.id, "accept")}>
      <Icon name="check" /> {isDoubted(one) ? "The newer one holds" : "Accept"} <Key keys="a" />
    </Button>
    <Button onClick={() => void review(one.id, "reject")}>
      <Icon name="cross" /> {isDoubted(one) ? "Both hold" : "Reject"} <Key keys="r" />
    </Button>
    {!isDoubted(one) && (
      <Button onClick={() => (editing.value = one.uri)}>
        <Icon name="edit" /> {isWide.value ? "Edit and accept" : "Edit"} <Key keys="e" />
      </Button>
    )}
  </div>
);

const ReviewPane = ({ one }: { one: Waiting }) => (
  <article class="memory stack">
    <header class="stack tight">
      <div class="line wrap">
        <CategoryBadge category={one.category} />
        <ProjectBadge project={one.project} />
        <span class="badge plain-badge">
          {one.author === null ? one.origin : `${one.author}, ${ago(one.updated_at)}`}
        </span>
      </div>
      <h2 class="memory-title">
        <Span text={one.l0} />
      </h2>
    </header>
    {!isDoubted(one) && editing.value === one.uri ? (
      <AcceptForm one={one} />
    ) : (
      <>
        <Decision one={one} />
        {isDoubted(one) ? <Doubt {...one.contradicted} /> : <Reasons one={one} />}
      </>
    )}
  </article>
);

const Doubt = ({ uri, text }: ContradictedJson["contradicted"]) => (
  <Tier title="A newer order may have replaced it">
    <p>
      <a href={memoryHref(uri)}>
        <Span text={text} />
      </a>
    </p>
    <p class="small faint">Until you decide, both are sent to Claude.</p>
  </Tier>
);

const Reasons = ({ one }: { one: ReviewJson }) => (
  <>
    <Tier title="Why it waits">
      <p>
        <Span text={one.reason === "" ? "No reason recorded." : one.reason} />
      </p>
    </Tier>
    {one.l1 !== null && (
      <Tier title="Details">
        <Prose text={one.l1} />
      </Tier>
    )}
    {one.evidence.length > 0 && (
      <Tier title="Source text">
        {one.evidence.map((evidence, at) => (
          <blockquote key={at} class="excerpt">
            <Span text={evidence.quote} />
          </blockquote>
        ))}
      </Tier>
    )}
    {one.similar.length > 0 && (
      <Tier title="Similar memories">
        <MemoryLinks items={one.similar} />
      </Tier>
    )}
  </>
);
