/** What waits for a person's word: memories that were proposed, and those that a newer order may have replaced. */
import { useMemo } from "preact/hooks";
import type { ContradictedJson, ReviewJson, ReviewPageJson } from "#api";
import { editing, review, subject } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { isWide } from "../state/display.ts";
import type { Answer } from "../state/failure.ts";
import { useKeys } from "../state/keys.ts";
import { createPaged } from "../state/paged.ts";
import { memoryHref } from "../state/router.ts";
import { CategoryBadge, CategoryDot, Key, ProjectBadge } from "../parts/badges.tsx";
import { Empty } from "../parts/basics.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EditForm } from "../parts/edit-form.tsx";
import { ago, fullTime } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { MemoryList, type RowHandle } from "../parts/memory-list.tsx";
import { Line, Prose, Span } from "../parts/text.tsx";

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
  const rows = useMemo(() => createPaged<Waiting>({ load }), []);
  const chosen = (): Waiting | undefined =>
    rows.at(rows.find(({ uri }) => uri === subject.peek()?.uri));
  const decide = (action: "accept" | "reject") => (): void => {
    const one = chosen();
    if (one !== undefined) void review(one.id, action);
  };
  useKeys({ a: decide("accept"), r: decide("reject") });
  return (
    <>
      <Top title="Review" count={rows.total.value}>
        <span class="small faint top-hint">
          <Key keys="a" /> accept <Key keys="r" /> reject <Key keys="e" /> edit and accept
        </span>
      </Top>
      <MemoryList
        label="To review"
        rows={rows}
        listKey="review"
        bulk={{ filter: { status: "pending" }, isReview: true, isOne: (one) => !isDoubted(one) }}
        rowHeight={{ wide: 60, narrow: 116 }}
        row={(one, handle) => (one === undefined ? null : <ReviewRow one={one} {...handle} />)}
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
      class="review-main"
      href={memoryHref(one.uri)}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onChoose ?? undefined}
    >
      <CategoryDot category={one.category} />
      <span class="row-main">
        <span class="row-text">
          <Line text={one.l0} />
        </span>
        <span class="tiny faint cut">
          <Line text={isDoubted(one) ? `Newer: ${one.contradicted.text}` : one.reason} />
        </span>
      </span>
      <time class="row-time num" title={fullTime(one.created_at)}>
        {ago(one.created_at)}
      </time>
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
  <div class="decision">
    <button type="button" class="button good" onClick={() => void review(one.id, "accept")}>
      <Icon name="check" /> {isDoubted(one) ? "The newer one holds" : "Accept"}
    </button>
    <button type="button" class="button" onClick={() => void review(one.id, "reject")}>
      <Icon name="cross" /> {isDoubted(one) ? "Both hold" : "Reject"}
    </button>
    {!isDoubted(one) && (
      <button type="button" class="button" onClick={() => (editing.value = one.uri)}>
        <Icon name="edit" /> {isWide.value ? "Edit and accept" : "Edit"}
      </button>
    )}
  </div>
);

const ReviewPane = ({ one }: { one: Waiting }) => (
  <article class="memory">
    <header class="memory-head">
      <div class="head-line">
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
    {isDoubted(one) ? (
      <>
        <Decision one={one} />
        <Doubt {...one.contradicted} />
      </>
    ) : editing.value === one.uri ? (
      <AcceptForm one={one} />
    ) : (
      <>
        <Decision one={one} />
        <Reasons one={one} />
      </>
    )}
  </article>
);

const Doubt = ({ uri, text }: ContradictedJson["contradicted"]) => (
  <section class="tier">
    <h3 class="tier-head">A newer order may have replaced it</h3>
    <p>
      <a href={memoryHref(uri)}>
        <Span text={text} />
      </a>
    </p>
    <p class="small faint">Until you decide, both are sent to Claude.</p>
  </section>
);

const Reasons = ({ one }: { one: ReviewJson }) => (
  <>
    <section class="tier">
      <h3 class="tier-head">Why it is proposed</h3>
      <p>
        <Span text={one.reason === "" ? "No reason recorded." : one.reason} />
      </p>
    </section>
    {one.l1 !== null && (
      <section class="tier">
        <h3 class="tier-head">Details</h3>
        <Prose text={one.l1} />
      </section>
    )}
    {one.evidence.length > 0 && (
      <section class="tier">
        <h3 class="tier-head">Source text</h3>
        {one.evidence.map((evidence, at) => (
          <blockquote key={at} class="excerpt">
            <Span text={evidence.quote} />
          </blockquote>
        ))}
      </section>
    )}
    {one.similar.length > 0 && (
      <section class="tier">
        <h3 class="tier-head">Similar memories</h3>
        <ul class="link-list">
          {one.similar.map(({ uri, l0 }) => (
            <li key={uri}>
              <a class="row compact" href={memoryHref(uri)}>
                <span class="row-text">
                  <Line text={l0} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
);
