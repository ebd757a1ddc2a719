/** Memories by what somebody searches for: what holds first, what it replaced folded under it. */
import { useSignal, type Signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { FoundJson, SearchJson } from "#api";
import { subject } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { createFixed } from "../state/paged.ts";
import { adjust, route } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import type { Exported } from "../parts/export-forms.ts";
import { plural } from "../parts/format.ts";
import { folded, onePerTurn, type Folded } from "../parts/histories.ts";
import { MemoryList } from "../parts/memory-list.tsx";
import { MemoryRow } from "../parts/memory-row.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { addressOf, FoundPane, notesOf, type Found, type FoundSubject } from "./found-pane.tsx";
import { clearFilters, filtersHere, isFiltered, MemoryFilters } from "./memory-filters.tsx";

/** More than anybody reads; narrower words find better ones. */
const resultsMax = "50";

/** What is searched besides memories. */
const kinds = { said: "Conversations", deep: "Deep search" } as const;
const saidKinds = "exchange,prompt,checkpoint";

export function FoundMemories({ isBusy }: { isBusy: Signal<boolean> }) {
  const { query } = route.value;
  const text = query.get("q") ?? "";
  const kind = query.get("kind") ?? "memory";
  // A search leaves out what has expired.
  const { expired: _expired, ...filters } = filtersHere();
  const asked = {
    q: text,
    mode: kind === "deep" ? "search" : "find",
    kind: kind === "said" ? saidKinds : "memory",
    ...filters,
  } as const;
  // What was found before stays until the new answer: nothing flickers while somebody types.
  const found = useResource(
    JSON.stringify(asked),
    () => answerOf(api.search.$get({ query: { ...asked, format: "index", limit: resultsMax } })),
    { keeps: true },
  );
  const { value, failure, isLoading } = found.state.value;
  const results = useMemo(() => onePerTurn(value?.results ?? []), [value]);
  useLayoutEffect(() => {
    isBusy.value = isLoading;
  }, [isLoading]);
  return (
    <>
      <MemoryFilters
        first={{ name: "kind", label: "Memories", titles: kinds }}
        take={results.length === 0 ? null : async () => results.map(exportedOf)}
      />
      {failure !== null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : value === null ? (
        <Waiting lines={10} />
      ) : (
        <Results found={{ ...value, results }} />
      )}
    </>
  );
}

/** An answer of the search, as an index. */
type Results = Omit<SearchJson, "results"> & { readonly results: readonly Found[] };

/** Whoever asks for the replaced ones by name sees them as they are. */
const showsReplaced = (): boolean =>
  route.value.query.get("replaced") === "1" || route.value.query.get("status") === "superseded";

const subjectOf = (one: Found, rank: number, isEarlier: boolean): FoundSubject => ({
  ...one,
  pinned: false,
  rank,
  isEarlier,
});

/** Rows of the list: what holds, and under what is unfolded what it replaced. */
function rowsOf(
  results: readonly Found[],
  { current, earlier, left }: Folded<Found>,
  isShown: (uri: string) => boolean,
  isAll: boolean,
): readonly FoundSubject[] {
  const heads = isAll
    ? results.filter((one) => left.includes(one) || current.includes(one))
    : current;
  const rows: FoundSubject[] = [];
  for (const [at, one] of heads.entries()) {
    rows.push(subjectOf(one, at + 1, false));
    if (isAll || isShown(one.uri))
      for (const before of earlier.get(one.uri) ?? []) rows.push(subjectOf(before, at + 1, true));
  }
  return rows;
}

/** `l` unfolds what the chosen result replaced, `h` folds it. */
function useFolding(earlier: ReadonlyMap<string, readonly Found[]>): ReadonlySet<string> {
  const open = useSignal<ReadonlySet<string>>(new Set());
  const fold = (isOpen: boolean) => (): void => {
    const uri = subject.peek()?.uri;
    if (uri === undefined) return;
    const head = [...earlier].find(([, old]) => old.some((one) => one.uri === uri))?.[0] ?? uri;
    const next = new Set(open.peek());
    if (isOpen) next.add(head);
    else next.delete(head);
    open.value = next;
  };
  useKeys({ l: fold(true), ArrowRight: fold(true), h: fold(false), ArrowLeft: fold(false) });
  return open.value;
}

const rowHeight = { wide: 66, narrow: 84 };

function Results({ found }: { found: Results }) {
  const words = useMemo(() => wordsOf(found.query), [found.query]);
  const isAll = showsReplaced();
  const history = useMemo(() => folded(found.results), [found.results]);
  const open = useFolding(history.earlier);
  const results = useMemo(
    () => rowsOf(found.results, history, (uri) => open.has(uri), isAll),
    [found.results, isAll, open],
  );
  const rows = useMemo(() => createFixed(results), [results]);
  const earlierOf = ({ uri }: FoundJson | FoundSubject): readonly Found[] =>
    history.earlier.get(uri) ?? [];
  return (
    <>
      <Summary found={found} current={history.current.length} isAll={isAll} />
      <MemoryList
        label="Results"
        rows={rows}
        listKey={found.query}
        rowHeight={rowHeight}
        hrefOf={addressOf}
        bulk={{ filter: null, isOne: ({ kind }) => kind === "memory" }}
        row={(one, handle) =>
          one === undefined ? null : (
            <MemoryRow
              memory={one}
              at={one.at}
              href={addressOf(one)}
              words={words}
              isEarlier={one.isEarlier}
              notes={[
                ...(earlierOf(one).length === 0 || one.isEarlier
                  ? []
                  : [`replaced ${plural(earlierOf(one).length, "earlier value")}`]),
                ...notesOf(one),
              ]}
              {...handle}
            />
          )
        }
        pane={(one) => <FoundPane found={one} />}
        empty={<NoResults />}
      />
    </>
  );
}

interface SummaryProps {
  readonly found: Results;
  readonly current: number;
  readonly isAll: boolean;
}

const Summary = ({ found, current, isAll }: SummaryProps) => {
  const replaced = found.results.length - current;
  return (
    <p class="found-summary tiny faint num">
      <span role="status">{plural(current, "result")}</span>
      {replaced > 0 && (
        <>
          {" "}
          · {replaced} replaced{" "}
          <button
            type="button"
            class="link"
            onClick={() => adjust({ replaced: isAll ? null : "1" })}
          >
            {isAll ? "hide" : "show"}
          </button>
        </>
      )}
      {route.value.query.get("kind") === null && (
        <>
          {" "}
          ·{" "}
          <button type="button" class="link" onClick={() => adjust({ kind: "said" })}>
            search conversations
          </button>
        </>
      )}
    </p>
  );
};

const exportedOf = ({ uri, l0, category, project, status, at }: Found): Exported => ({
  uri,
  l0,
  category,
  project,
  status,
  at,
});

const NoResults = () => (
  <Empty icon="search" title="No results">
    <p>Try fewer or different words. “Deep search” also follows what is near.</p>
    {isFiltered() && (
      <button type="button" class="button" onClick={clearFilters}>
        Clear filters
      </button>
    )}
  </Empty>
);

const wordsMax = 12;

/** Words worth marking in results. */
const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, wordsMax);
