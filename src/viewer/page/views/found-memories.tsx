/** Memories by what somebody searches for: what holds, or what was replaced where that is asked for. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { ExplanationJson, FoundJson } from "#api";
import { api } from "../state/connection.ts";
import { createFixed } from "../state/paged.ts";
import { useResource } from "../state/resource.ts";
import { adjust, memoryHref, route } from "../state/router.ts";
import { Answered, Button, Empty } from "../parts/basics.tsx";
import { clearFilters, filtersHere, isFiltered, MemoryFilters } from "../parts/filters.tsx";
import { categoryNames, plural } from "../parts/format.ts";
import { MemoryList, MemoryRow } from "../parts/memory-list.tsx";
import { Prose } from "../parts/text.tsx";
import { MemoryPane } from "./memory-pane.tsx";

/** More than anybody reads; narrower words find better ones. */
const resultsMax = 50;

/** The kinds of records that are searched besides memories. */
const kinds = { said: "Conversations", deep: "Deep search" } as const;
const saidKinds = "exchange,prompt,checkpoint";

export function FoundMemories({ isBusy }: { isBusy: Signal<boolean> }) {
  const { query } = route.value;
  const kind = query.get("kind") ?? "memory";
  // A search leaves out what has expired.
  const { expired: _expired, ...filters } = filtersHere();
  const asked = {
    q: query.get("q") ?? "",
    mode: kind === "deep" ? "search" : "find",
    ...(kind === "said" ? { kind: saidKinds } : { kind: "memory", status: "active" }),
    ...filters,
    format: "index",
    limit: `${resultsMax}`,
  } as const;
  // The earlier results stay until the new answer: nothing flickers while somebody types.
  const load = () => api.search.$get({ query: asked });
  const found = useResource(JSON.stringify(asked), load, { keeps: true });
  useLayoutEffect(() => {
    isBusy.value = found.isLoading;
  }, [found.isLoading]);
  return (
    <>
      <MemoryFilters first={{ name: "kind", label: "Memories", options: kinds }} />
      <Answered of={found}>
        {({ query, results }) => <Results query={query} all={results} listKey={found.key} />}
      </Answered>
    </>
  );
}

const rowHeight = { wide: 66, narrow: 84 };

interface ResultsProps {
  readonly query: string;
  readonly all: readonly FoundJson[];
  readonly listKey: string;
}

function Results({ query, all, listKey }: ResultsProps) {
  const words = useMemo(() => wordsOf(query), [query]);
  // Pins of results are not told.
  const results = useMemo(() => all.map((one) => ({ ...one, pinned: false })), [all]);
  const rows = useMemo(() => createFixed(results), [results]);
  return (
    <>
      <p class="found-summary tiny faint num">
        <span role="status">
          {plural(results.length, "result")}
          {all.length < resultsMax ? "" : ", the closest"}
        </span>
        {route.value.query.get("kind") === null && (
          <>
            {" · "}
            <button type="button" class="link" onClick={() => adjust({ kind: "said" })}>
              search conversations
            </button>
          </>
        )}
      </p>
      <MemoryList
        label="Results"
        rows={rows}
        listKey={listKey}
        rowHeight={rowHeight}
        hrefOf={addressOf}
        row={(one, handle) => (
          <MemoryRow
            memory={one}
            at={one.at}
            href={addressOf(one)}
            words={words}
            notes={notesOf(one)}
            {...handle}
          />
        )}
        pane={(one) => <FoundPane found={one} rank={results.indexOf(one) + 1} />}
        empty={<NoResults />}
      />
    </>
  );
}

/** The search covers what holds; a value that was replaced is found where it is asked for. */
const NoResults = () => (
  <Empty icon="search" title="No results">
    <p>Try fewer or different words. “Deep search” also follows what is near.</p>
    {route.value.query.get("status") === null && (
      <Button onClick={() => adjust({ status: "superseded" })}>Search replaced memories</Button>
    )}
    {isFiltered() && <Button onClick={clearFilters}>Clear filters</Button>}
  </Empty>
);

const wordsMax = 12;

/** Words worth marking in results. */
const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, wordsMax);

const isNode = ({ kind }: FoundJson): boolean =>
  kind === "memory" || kind === "moment" || kind === "exchange";

/** Prompts and summaries have no page of their own: they are shown in their session. */
const addressOf = (found: FoundJson): string => {
  const session = /^mem:\/\/sessions\/([^/]+)/.exec(found.uri)?.[1];
  return isNode(found) || session === undefined ? memoryHref(found.uri) : `#/session/${session}`;
};

const kindNames: Readonly<Partial<Record<FoundJson["kind"], string>>> = {
  prompt: "prompt",
  checkpoint: "summary",
};

/** Says in few words why it was found. */
function notesOf({ kind, category, explanation }: FoundJson): readonly string[] {
  const { lexicalRank, similarity, via } = explanation;
  return [
    category === null ? categoryNames.sessions : "",
    kindNames[kind] ?? "",
    lexicalRank === null ? "" : "same words",
    similarity === null || similarity < closeMin ? "" : "close in meaning",
    ways[via],
  ].filter((note) => note !== "");
}

/** As similar as two sentences about the same thing. */
const closeMin = 0.4;

const ways: Readonly<Record<ExplanationJson["via"], string>> = {
  query: "",
  clause: "matches a part of the question",
  sibling: "near a good result",
  link: "linked to a good result",
  elsewhere: "better than all of this project",
};

/** One result: what it is, and why it was found. */
const FoundPane = ({ found, rank }: { found: FoundJson; rank: number }) => (
  <>
    {isNode(found) ? (
      <MemoryPane key={found.uri} uri={found.uri} />
    ) : (
      <article class="memory stack">
        <p class="small faint">
          From a session: <a href={addressOf(found)}>open the session</a>
        </p>
        <Prose text={found.l0} />
      </article>
    )}
    <section class="why small" aria-label="Why it was found">
      <h2 class="small">Result {rank}</h2>
      <p class="soft">{notesOf(found).join(", ") || "by its context"}</p>
    </section>
  </>
);
