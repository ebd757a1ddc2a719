/** Memories without a search: the latest, or one of the lists that have a name. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { MemoryJson, MemoryPageJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { createKeptRows } from "../state/kept-rows.ts";
import { stampNow } from "../state/live.ts";
import { createPaged } from "../state/paged.ts";
import { route } from "../state/router.ts";
import { count } from "../parts/format.ts";
import { MemoryList } from "../parts/memory-list.tsx";
import { MemoryRow } from "../parts/memory-row.tsx";
import { Empty } from "../parts/states.tsx";
import { clearFilters, filtersHere, isFiltered, MemoryFilters } from "./memory-filters.tsx";

const kept = createKeptRows<MemoryJson>(stampNow);

/** What a list is called, and what it asks for. */
const lists = {
  latest: { title: "Latest", query: { sort: "recent" } },
  learnt: { title: "Latest learned", query: { sort: "created" } },
  you: {
    title: "About you",
    query: { sort: "importance", category: "profile,preferences" },
  },
  used: { title: "Most used", query: { sort: "most-used", used: "1" } },
  never: { title: "Never used", query: { sort: "recent", used: "0" } },
  important: { title: "Most important", query: { sort: "importance" } },
  pinned: { title: "Pinned", query: { sort: "recent", pinned: "1" } },
  archive: { title: "Conversations", query: { sort: "recent", archive: "1" } },
} as const;
type ListName = keyof typeof lists;
const isList = (name: string): name is ListName => Object.hasOwn(lists, name);
const { latest: _latest, ...named } = lists;
const titles = Object.fromEntries(Object.entries(named).map(([name, { title }]) => [name, title]));

export function ListedMemories({ total: counted }: { total: Signal<number | null> }) {
  const asked = route.value.query.get("list") ?? "latest";
  const name: ListName = isList(asked) ? asked : "latest";
  const { sort, ...ofList } = lists[name].query;
  const chosen = filtersHere();
  const holds = "status" in chosen || "expired" in chosen ? {} : { status: "active" };
  const filter = { ...ofList, ...holds, ...chosen };
  const listKey = JSON.stringify([name, filter]);
  const load = (offset: number, limit: number): Promise<Answer<MemoryPageJson>> =>
    answerOf(
      api.memories.$get({
        query: { ...filter, sort, offset: `${offset}`, limit: `${limit}` },
      }),
    );
  const rows = useMemo(() => kept.of(listKey, () => createPaged<MemoryJson>({ load })), [listKey]);
  const total = rows.total.value;
  useLayoutEffect(() => {
    counted.value = total;
  }, [total]);
  return (
    <>
      <MemoryFilters first={{ name: "list", label: lists.latest.title, titles }} />
      <MemoryList
        label={`${lists[name].title}${total === null ? "" : `, ${count(total)}`}`}
        rows={rows}
        listKey={listKey}
        bulk={{ filter }}
        empty={<Nothing />}
        row={(memory, handle) =>
          memory === undefined ? null : (
            <MemoryRow
              memory={memory}
              at={sort === "created" ? memory.created_at : memory.updated_at}
              notes={sort === "most-used" ? [`used ${memory.access_count}×`] : []}
              {...handle}
            />
          )
        }
      />
    </>
  );
}

const Nothing = () =>
  isFiltered() ? (
    <Empty icon="search" title="No memories match">
      <button type="button" class="button" onClick={clearFilters}>
        Clear filters
      </button>
    </Empty>
  ) : (
    <Empty icon="memories" title="No memories yet">
      Work with Claude Code, or write <code>remember that …</code> in a prompt. Press <kbd>n</kbd>{" "}
      to add a memory.
    </Empty>
  );
