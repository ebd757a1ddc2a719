/** Search with its reasons: what ranked where and why, and what reading it would cost. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { documentKinds, memoryCategories, shownStatuses } from "#domain";
import type { SearchJson } from "#api";
import { subject as chosen } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { createFixed } from "../state/paged.ts";
import { adjust, route } from "../state/router.ts";
import { projectHere } from "../state/scope.ts";
import { useResource } from "../state/resource.ts";
import { spanOf } from "../parts/days.ts";
import type { Exported } from "../parts/export-forms.ts";
import { Filter, Filters, ProjectFilter, SpanFilter, TextFilter } from "../parts/filters.tsx";
import { plural } from "../parts/format.ts";
import { folded, type Folded } from "../parts/histories.ts";
import { Icon } from "../parts/icons.tsx";
import { MemoryList } from "../parts/memory-list.tsx";
import { ResultTools } from "../parts/result-tools.tsx";
import { Segments } from "../parts/segments.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Top } from "../parts/top.tsx";
import { FoundPane, FoundRow, placeOf, type Found, type FoundSubject } from "./found.tsx";

const filterNames = ["category", "kind", "status"] as const;
/** Typing rests this long before it is asked. */
const restMs = 60;
/** More than anybody reads; narrower words find better ones. */
const resultsMax = 50;
const rowHeight = { wide: 64, narrow: 116 };

/** What the address and the scope narrow the search by. */
function filtersHere(): Readonly<Record<string, string>> {
  const { query } = route.value;
  const project = projectHere();
  return {
    ...Object.fromEntries(
      filterNames.flatMap((name) => {
        const value = query.get(name);
        return value === null || value === "" ? [] : [[name, value]];
      }),
    ),
    ...(project === null ? {} : { project }),
    ...spanOf(query.get("from"), query.get("to")),
  };
}

export function Search() {
  const { query } = route.value;
  const text = query.get("q") ?? "";
  const mode = query.get("mode") === "search" ? "search" : "find";
  const filters = filtersHere();
  const key = text.trim() === "" ? null : JSON.stringify([text, mode, filters]);
  // What was found before stays until the new answer: nothing flickers while somebody types.
  const found = useResource(
    key,
    () =>
      answerOf(
        api.search.$get({
          query: { q: text, mode, format: "index", limit: `${resultsMax}`, ...filters },
        }),
      ),
    { keeps: true },
  );
  const { value, failure, isLoading } = found.state.value;
  const containing = (query.get("text") ?? "").toLowerCase();
  const results = useMemo(
    () => value?.results.filter(({ l0 }) => l0.toLowerCase().includes(containing)) ?? [],
    [value, containing],
  );
  return (
    <>
      <Top title="Search">
        <Segments
          label="Search mode"
          value={mode}
          options={[
            { value: "find", title: "Quick" },
            { value: "search", title: "Deep" },
          ]}
          onChange={(wanted) => adjust({ mode: wanted === "find" ? null : wanted })}
        />
      </Top>
      <SearchField text={text} isBusy={isLoading && key !== null} />
      <Filters>
        <Filter name="category" label="Category" options={memoryCategories} />
        <ProjectFilter />
        <Filter name="kind" label="Kind" options={documentKinds} />
        <Filter name="status" label="State" options={[...shownStatuses, "pending", "retracted"]} />
        <SpanFilter />
        <TextFilter />
        <ResultTools take={results.length === 0 ? null : async () => results.map(exportedOf)} />
      </Filters>
      {failure !== null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : key === null ? (
        <Invitation />
      ) : value === null ? (
        <Waiting lines={10} />
      ) : (
        <Results found={{ ...value, results }} />
      )}
    </>
  );
}

function SearchField({ text, isBusy }: { text: string; isBusy: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const draft = useSignal(text);
  const sent = useRef(text);
  const send = (): void => {
    sent.current = draft.peek().trim();
    adjust({ q: sent.current || null });
  };
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(send, restMs);
    return () => clearTimeout(timer);
  }, [draft.value]);
  // Words that came from elsewhere (the palette, a link, going back) stand in the field too.
  useLayoutEffect(() => {
    if (text !== sent.current) draft.value = text;
  }, [text]);
  useKeys({
    "/": () => {
      field.current?.focus();
      field.current?.select();
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    // From the field straight into the results, so that `j` and `k` work.
    if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "Escape") {
      event.preventDefault();
      if (event.key === "Enter") send();
      field.current?.blur();
    }
  };
  return (
    <div class="search-field" role="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label="Search memories"
        placeholder="Keywords or a question"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={draft.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isBusy && <span class="spinner" role="status" aria-label="Searching" />}
    </div>
  );
}

const Invitation = () => (
  <Empty icon="search" title="Search your memories">
    <p>
      Search by keyword or ask a question. Each result explains its rank. Press <kbd>Enter</kbd>
      to go to the results, <kbd>j</kbd> and <kbd>k</kbd> to move.
    </p>
  </Empty>
);

/** An answer of the search, as an index. */
type Results = Omit<SearchJson, "results"> & { readonly results: readonly Found[] };

/** A person who asks for the replaced ones by name sees them as they are. */
const showsReplaced = (): boolean =>
  route.value.query.get("replaced") === "1" || route.value.query.get("status") === "superseded";

const subjectOf = (one: Found, rank: number, earlier: number | null): FoundSubject => ({
  ...one,
  pinned: false,
  rank,
  isEarlier: earlier === null,
  earlier: earlier ?? 0,
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
    const old = earlier.get(one.uri) ?? [];
    rows.push(subjectOf(one, at + 1, old.length));
    if (isAll || isShown(one.uri))
      for (const before of old) rows.push(subjectOf(before, at + 1, null));
  }
  return rows;
}

/** `l` unfolds what the chosen result replaced, `h` folds it. */
function useFolding(earlier: ReadonlyMap<string, readonly Found[]>): ReadonlySet<string> {
  const open = useSignal<ReadonlySet<string>>(new Set());
  const fold = (isOpen: boolean) => (): void => {
    const uri = chosen.peek()?.uri;
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
  const best = Math.max(0.001, ...found.results.map(({ score }) => score));
  return (
    <>
      <Summary found={found} current={history.current.length} isAll={isAll} />
      <MemoryList
        label="Results"
        rows={rows}
        listKey={found.query}
        rowHeight={rowHeight}
        hrefOf={placeOf}
        bulk={{ filter: null, isOne: ({ kind }) => kind === "memory" || kind === "moment" }}
        row={(one, handle) =>
          one === undefined ? null : <FoundRow found={one} words={words} best={best} {...handle} />
        }
        pane={(one) => (
          <FoundPane found={one} best={best} earlier={history.earlier.get(one.uri) ?? []} />
        )}
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

const Summary = ({ found, current, isAll }: SummaryProps) => (
  <p class="found-summary tiny faint num">
    <span role="status">
      {plural(current, "result")} · {plural(found.tokens, "token")}
      {found.clauses.length > 1 && ` · split into ${found.clauses.length} queries`}
    </span>
    {found.results.length > current && !isAll && (
      <>
        {" "}
        · {found.results.length - current} replaced{" "}
        <button type="button" class="link" onClick={() => adjust({ replaced: "1" })}>
          show
        </button>
      </>
    )}
    {isAll && route.value.query.has("replaced") && (
      <>
        {" "}
        · with what was replaced{" "}
        <button type="button" class="link" onClick={() => adjust({ replaced: null })}>
          hide
        </button>
      </>
    )}
  </p>
);

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
    <p>
      Try fewer or different words, or clear the filters. “Deep” also searches related memories.
    </p>
  </Empty>
);

const wordsMax = 12;

/** Words worth marking in results. */
const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, wordsMax);
