/** Memories by what somebody searches for: what holds, or what was replaced where that is asked for. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { ExplanationJson, FoundJson, SearchJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { createFixed } from "../state/paged.ts";
import { useResource } from "../state/resource.ts";
import { adjust, memoryHref, route } from "../state/router.ts";
import { Empty, Failed, Waiting } from "../parts/basics.tsx";
import { clearFilters, filtersHere, isFiltered, MemoryFilters } from "../parts/filters.tsx";
import { categoryNames, plural } from "../parts/format.ts";
import { MemoryList, MemoryRow } from "../parts/memory-list.tsx";
import { Prose } from "../parts/text.tsx";
import { MemoryPane } from "./memory-pane.tsx";

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
    ...(kind === "said" ? { kind: saidKinds } : { kind: "memory", status: "active" }),
    ...filters,
  } as const;
  const listKey = JSON.stringify(asked);
  // What was found before stays until the new answer: nothing flickers while somebody types.
  const found = useResource(listKey, () => search(asked, listKey), { keeps: true });
  const { value, failure, isLoading } = found.state.value;
  const results = useMemo(() => onePerTurn(value?.results ?? []), [value]);
  useLayoutEffect(() => {
    isBusy.value = isLoading;
  }, [isLoading]);
  return (
    <>
      <MemoryFilters first={{ name: "kind", label: "Memories", titles: kinds }} />
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

/** An answer of the search, as an index, and which list it is. */
type Results = Omit<SearchJson, "results"> & {
  readonly results: readonly Found[];
  readonly listKey: string;
};

async function search(
  asked: Readonly<Record<string, string>> & { readonly q: string },
  listKey: string,
): Promise<Answer<Results>> {
  const query = { ...asked, format: "index", limit: resultsMax } as const;
  const answer = await answerOf(api.search.$get({ query }));
  return answer.ok ? { ok: true, value: { ...answer.value, listKey } } : answer;
}

const rowHeight = { wide: 66, narrow: 84 };

function Results({ found }: { found: Results }) {
  const words = useMemo(() => wordsOf(found.query), [found.query]);
  const rows = useMemo(
    () => createFixed(found.results.map((one, at) => ({ ...one, pinned: false, rank: at + 1 }))),
    [found.results],
  );
  return (
    <>
      <p class="found-summary tiny faint num">
        <span role="status">{plural(found.results.length, "result")}</span>
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
      <MemoryList
        label="Results"
        rows={rows}
        listKey={found.listKey}
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
              notes={notesOf(one)}
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

/** What holds is searched; a value that was replaced is found where it is asked for. */
const NoResults = () => (
  <Empty icon="search" title="No results">
    <p>Try fewer or different words. “Deep search” also follows what is near.</p>
    {route.value.query.get("status") === null && (
      <button type="button" class="button" onClick={() => adjust({ status: "superseded" })}>
        Search replaced memories
      </button>
    )}
    {isFiltered() && (
      <button type="button" class="button" onClick={clearFilters}>
        Clear filters
      </button>
    )}
  </Empty>
);

/** Words of one turn, such as its prompt and its exchange, are one result: the best of them. */
function onePerTurn(results: readonly Found[]): readonly Found[] {
  const turns = new Set<string>();
  return results.filter(({ uri }) => {
    const turn = /^mem:\/\/sessions\/([^/]+)\/[^/]+\/(\d+)/.exec(uri);
    if (turn === null) return true;
    const name = `${turn[1]} ${turn[2]}`;
    return !turns.has(name) && turns.add(name);
  });
}

const wordsMax = 12;

/** Words worth marking in results. */
const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].slice(0, wordsMax);

/** Results come as an index: without their longer tiers. */
export type Found = Omit<FoundJson, "l1" | "l2">;

export interface FoundSubject extends Found {
  readonly pinned: boolean;
  /** Place in the results, from 1. */
  readonly rank: number;
}

type Kept = Pick<FoundJson, "uri" | "kind">;

const isNode = ({ kind }: Kept): boolean =>
  kind === "memory" || kind === "moment" || kind === "exchange";

/** Prompts and summaries have no page of their own: they are shown in their session. */
export const addressOf = (found: Kept): string => {
  const session = /^mem:\/\/sessions\/([^/]+)/.exec(found.uri)?.[1];
  return isNode(found) || session === undefined ? memoryHref(found.uri) : `#/session/${session}`;
};

const kindNames: Readonly<Record<FoundJson["kind"], string>> = {
  memory: "",
  exchange: "",
  moment: "",
  prompt: "prompt",
  checkpoint: "summary",
};

/** Says in few words why it was found. */
export function notesOf({ kind, category, explanation }: Found): readonly string[] {
  const { lexicalRank, similarity, via } = explanation;
  const name = category === null ? categoryNames.sessions : "";
  return [
    name,
    kindNames[kind],
    lexicalRank === null ? "" : "same words",
    similarity === null || similarity < closeMin ? "" : "close in meaning",
    via === "query" ? "" : ways[via],
  ].filter((note) => note !== "");
}

/** As similar as two sentences about the same thing. */
const closeMin = 0.4;

const ways: Readonly<Record<Exclude<ExplanationJson["via"], "query">, string>> = {
  clause: "matches a part of the question",
  sibling: "near a good result",
  link: "linked to a good result",
};

export const FoundPane = ({ found }: { found: FoundSubject }) => (
  <>
    {isNode(found) ? (
      <MemoryPane key={found.uri} uri={found.uri} />
    ) : (
      <article class="memory">
        <p class="small faint">
          From a session: <a href={addressOf(found)}>open the session</a>
        </p>
        <Prose text={found.l0} />
      </article>
    )}
    <Why found={found} />
  </>
);

const Why = ({ found }: { found: FoundSubject }) => (
  <section class="why small" aria-label="Why it was found">
    <h2 class="small">Result {found.rank}</h2>
    <p class="soft">{notesOf(found).join(", ") || "by its context"}</p>
  </section>
);
