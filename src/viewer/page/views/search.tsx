/** Search with its reasons: what ranked where and why, and what reading it would cost. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { documentKinds, memoryCategories, shownStatuses } from "#domain";
import type { SearchJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { useKeys } from "../state/keys.ts";
import { createFixed } from "../state/paged.ts";
import { adjust, route } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { Filter, Filters, ProjectFilter } from "../parts/filters.tsx";
import { plural } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { MemoryList } from "../parts/memory-list.tsx";
import { Segments } from "../parts/segments.tsx";
import { Empty, Failed, Waiting } from "../parts/states.tsx";
import { Top } from "../parts/top.tsx";
import { FoundPane, FoundRow, placeOf, type Found, type FoundSubject } from "./found.tsx";

const filterNames = ["category", "project", "kind", "status"] as const;
/** Typing rests this long before it is asked. */
const restMs = 60;
const rowHeight = { wide: 64, narrow: 116 };

export function Search() {
  const { query } = route.value;
  const text = query.get("q") ?? "";
  const mode = query.get("mode") === "search" ? "search" : "find";
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = query.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
  const key = text.trim() === "" ? null : JSON.stringify([text, mode, filters]);
  const found = useResource(key, () =>
    answerOf(
      api.search.$get({ query: { q: text, mode, format: "index", limit: "50", ...filters } }),
    ),
  );
  const { value, failure, isLoading } = found.state.value;
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
      </Filters>
      {failure !== null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : key === null ? (
        <Invitation />
      ) : value === null ? (
        <Waiting lines={10} />
      ) : (
        <Results found={value} />
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

function Results({ found }: { found: Results }) {
  const words = useMemo(() => wordsOf(found.query), [found.query]);
  const results = useMemo<readonly FoundSubject[]>(
    () => found.results.map((one, at) => ({ ...one, pinned: false, rank: at + 1 })),
    [found],
  );
  const rows = useMemo(() => createFixed(results), [results]);
  const best = Math.max(0.001, ...found.results.map(({ score }) => score));
  return (
    <>
      <p class="found-summary tiny faint num" role="status">
        {plural(found.results.length, "result")} · {plural(found.tokens, "token")}
        {found.clauses.length > 1 && ` · split into ${found.clauses.length} queries`}
      </p>
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
        pane={(one) => <FoundPane found={one} best={best} />}
        empty={<NoResults />}
      />
    </>
  );
}

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
