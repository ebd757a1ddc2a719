/** The inbox: memories that wait for a person's word before they are used. */
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { ContradictedJson, ReviewJson } from "#api";
import { editing, review, subject } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { createPaged } from "../state/paged.ts";
import { memoryHref } from "../state/router.ts";
import { CategoryBadge, CategoryDot, Key, ProjectBadge } from "../parts/badges.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { EditForm } from "../parts/edit-form.tsx";
import { ago, fullTime } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { MemoryList, type RowHandle } from "../parts/memory-list.tsx";
import { isWide } from "../parts/screen.ts";
import { Empty } from "../parts/states.tsx";
import { Line, Prose, Span } from "../parts/text.tsx";
import { Top } from "../parts/top.tsx";

/** What instruction files contradict: it comes with the first page. */
const contradicted = signal<readonly ContradictedJson[]>([]);

async function loadReview(offset: number, limit: number) {
  const query = { offset: `${offset}`, limit: `${limit}` };
  const answer = await answerOf(api.review.$get({ query }));
  if (answer.ok && offset === 0) contradicted.value = answer.value.contradicted;
  return answer;
}

export function Review() {
  const rows = useMemo(() => createPaged<ReviewJson>({ load: loadReview }), []);
  const chosen = (): ReviewJson | null => {
    const uri = subject.peek()?.uri;
    for (let at = 0; at < (rows.total.peek() ?? 0); at += 1) {
      const one = rows.at(at);
      if (one?.uri === uri && one !== undefined) return one;
    }
    return null;
  };
  const decide = (action: "accept" | "reject") => (): void => {
    const one = chosen();
    if (one !== null) void review(one.id, action);
  };
  useKeys({ a: decide("accept"), r: decide("reject") });
  return (
    <>
      <Top title="Review" count={rows.total.value}>
        <span class="small faint top-hint">
          <Key keys="a" /> accept <Key keys="r" /> reject <Key keys="e" /> edit and accept
        </span>
      </Top>
      {contradicted.value.length > 0 && <Contradicted items={contradicted.value} />}
      <MemoryList
        label="Pending memories"
        rows={rows}
        listKey="review"
        bulk={{ filter: { status: "pending" }, isReview: true }}
        rowHeight={{ wide: 60, narrow: 116 }}
        row={(one, handle) => (one === undefined ? null : <ReviewRow one={one} {...handle} />)}
        pane={(one) => <ReviewPane key={one.id} one={one} />}
        empty={
          <Empty icon="check" title="No pending memories">
            The setting <code>review.hold</code> selects which memories need your approval. Imported
            memories never do.
          </Empty>
        }
      />
    </>
  );
}

/** A line of CLAUDE.md says otherwise: which one, and whether the memory is given all the same. */
const Contradicted = ({ items }: { items: readonly ContradictedJson[] }) => (
  <details class="contradicted" open={items.length < 4}>
    <summary>
      {items.length === 1
        ? "1 memory may be replaced by a newer order"
        : `${items.length} memories may be replaced by newer orders`}
    </summary>
    <ul class="link-list">
      {items.map(({ uri, l0, contradicted }) => (
        <li key={`${uri} ${contradicted.uri}`}>
          <a class="row compact" href={memoryHref(uri)}>
            <span class="row-text">
              <Line text={l0} />
            </span>
          </a>
          <p class="tiny faint">
            Newer: <Span text={contradicted.text} />
          </p>
        </li>
      ))}
    </ul>
    <p class="tiny faint">
      Until you decide, the two are shown together. Open the memory to edit or forget it.
    </p>
  </details>
);

const ReviewRow = ({ one, isCurrent, onChoose }: { one: ReviewJson } & RowHandle) => (
  <div class={isCurrent ? "row review-row current" : "row review-row"}>
    <a
      class="review-main"
      href={memoryHref(one.uri)}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onChoose ?? undefined}
    >
      <CategoryDot category={one.category} />
      <span class="found-main">
        <span class="row-text">
          <Line text={one.l0} />
        </span>
        <span class="tiny faint cut">
          <Line text={one.reason} />
        </span>
      </span>
      <time class="row-time num" title={fullTime(one.created_at)}>
        {ago(one.created_at)}
      </time>
    </a>
    {!isWide.value && <Decision one={one} />}
    {!isWide.value && editing.value === one.uri && (
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

const Decision = ({ one }: { one: ReviewJson }) => (
  <div class="decision">
    <button type="button" class="button good" onClick={() => void review(one.id, "accept")}>
      <Icon name="check" /> Accept
    </button>
    <button type="button" class="button" onClick={() => void review(one.id, "reject")}>
      <Icon name="cross" /> Reject
    </button>
    <button type="button" class="button" onClick={() => (editing.value = one.uri)}>
      <Icon name="edit" /> {isWide.value ? "Edit and accept" : "Edit"}
    </button>
  </div>
);

function ReviewPane({ one }: { one: ReviewJson }) {
  return (
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
      {editing.value === one.uri ? (
        <AcceptForm one={one} />
      ) : (
        <>
          <Decision one={one} />
          <Reasons one={one} />
        </>
      )}
    </article>
  );
}

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
        <h3 class="tier-head">Overview</h3>
        <Prose text={one.l1} />
      </section>
    )}
    {one.evidence.length > 0 && (
      <section class="tier">
        <h3 class="tier-head">The words</h3>
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
