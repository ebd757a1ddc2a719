/** Every memory in one list: by age, by use, by weight; filtered by category, project and state. */
import { useMemo } from "preact/hooks";
import { memoryCategories, nodeStatuses } from "#domain";
import type { MemoryJson, MemoryPageJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { createKeptRows } from "../state/kept-rows.ts";
import { stampNow } from "../state/live.ts";
import { createPaged } from "../state/paged.ts";
import { adjust, route } from "../state/router.ts";
import { projectHere, setScope } from "../state/scope.ts";
import { MemoryList } from "../parts/memory-list.tsx";
import { MemoryRow } from "../parts/memory-row.tsx";
import { count } from "../parts/format.ts";
import { spanOf } from "../parts/days.ts";
import type { Exported } from "../parts/export-forms.ts";
import { Filter, Filters, ProjectFilter, SpanFilter, TextFilter } from "../parts/filters.tsx";
import { ResultTools } from "../parts/result-tools.tsx";
import { Segments } from "../parts/segments.tsx";
import { Empty } from "../parts/states.tsx";
import { Top } from "../parts/top.tsx";

const kept = createKeptRows<MemoryJson>(stampNow);

/** What a list is called, and what it asks for. */
const lists = {
  recent: { title: "Recent", query: { sort: "recent" } },
  used: { title: "Most used", query: { sort: "most-used", used: "1" } },
  never: { title: "Never used", query: { sort: "recent", used: "0" } },
  important: { title: "Important", query: { sort: "importance" } },
  pinned: { title: "Pinned", query: { sort: "recent", pinned: "1" } },
  archive: { title: "Exchanges", query: { sort: "recent", archive: "1" } },
} as const;

/** What a list asks for, without the order. */
const asFilter = ({ sort: _sort, ...filter }: (typeof lists)[ListName]["query"]) => filter;

type ListName = keyof typeof lists;
const isList = (name: string): name is ListName => Object.hasOwn(lists, name);

/** What the address and the scope narrow the list by. */
function filtersHere(): Readonly<Record<string, string>> {
  const { query } = route.value;
  const project = projectHere();
  return {
    ...Object.fromEntries(
      (["category", "status", "tag", "text"] as const).flatMap((key) => {
        const value = query.get(key);
        return value === null || value === "" ? [] : [[key, value]];
      }),
    ),
    ...(project === null ? {} : { project }),
    ...spanOf(query.get("from"), query.get("to")),
  };
}

export function Memories() {
  const { query } = route.value;
  const asked = query.get("list") ?? "recent";
  const name: ListName = isList(asked) ? asked : "recent";
  const filters = filtersHere();
  const listKey = JSON.stringify([name, filters]);
  const load = (offset: number, limit: number): Promise<Answer<MemoryPageJson>> =>
    answerOf(
      api.memories.$get({
        query: { ...lists[name].query, ...filters, offset: `${offset}`, limit: `${limit}` },
      }),
    );
  const rows = useMemo(() => kept.of(listKey, () => createPaged<MemoryJson>({ load })), [listKey]);
  return (
    <>
      <Top title="Memories" count={rows.total.value}>
        <Segments
          label="List"
          value={name}
          options={Object.entries(lists).map(([value, { title }]) => ({ value, title }))}
          onChange={(list) => adjust({ list: list === "recent" ? null : list })}
        />
      </Top>
      <Filters>
        <Filter name="category" label="Category" options={memoryCategories} />
        <ProjectFilter />
        <Filter name="status" label="State" options={nodeStatuses} />
        <SpanFilter />
        <TextFilter />
        <ResultTools
          take={
            rows.total.value === null
              ? null
              : () => takeAll({ ...asFilter(lists[name].query), ...filters })
          }
        />
      </Filters>
      <MemoryList
        label={`${lists[name].title} memories${rows.total.value === null ? "" : `, ${count(rows.total.value)}`}`}
        rows={rows}
        listKey={listKey}
        bulk={{ filter: { ...asFilter(lists[name].query), ...filters } }}
        empty={<Nothing name={name} isFiltered={Object.keys(filters).length > 0} />}
        row={(memory, handle) =>
          memory === undefined ? null : (
            <MemoryRow memory={memory} {...handle} shows={name === "used" ? "uses" : "time"} />
          )
        }
      />
    </>
  );
}

/** As many at once as the API gives. */
const takenAtOnce = 1_000;

/** Every memory that a list shows, also those that were never in sight; null when the daemon does not answer. */
async function takeAll(
  filter: Readonly<Record<string, string>>,
): Promise<readonly Exported[] | null> {
  const taken: Exported[] = [];
  for (let cursor: string | null = null; ;) {
    const answer: Answer<MemoryPageJson> = await answerOf(
      api.memories.$get({
        query: { ...filter, limit: `${takenAtOnce}`, ...(cursor === null ? {} : { cursor }) },
      }),
    );
    if (!answer.ok) return null;
    for (const { uri, l0, category, project, status, updated_at } of answer.value.items)
      taken.push({ uri, l0, category, project, status, at: updated_at });
    cursor = answer.value.next_cursor;
    if (cursor === null) return taken;
  }
}

const Nothing = ({ name, isFiltered }: { name: ListName; isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="No memories match these filters">
      <button
        type="button"
        class="button"
        onClick={() => {
          adjust({ category: null, status: null, tag: null, text: null, from: null, to: null });
          setScope(null);
        }}
      >
        Clear filters
      </button>
    </Empty>
  ) : (
    <Empty icon="memories" title={nothing[name]}>
      {name === "recent" ? (
        <>
          Work with Claude Code, or write <code>remember that …</code> in a prompt. Press{" "}
          <kbd>n</kbd> to add a memory.
        </>
      ) : (
        "Memories appear here as you work."
      )}
    </Empty>
  );

const nothing: Readonly<Record<ListName, string>> = {
  recent: "No memories yet",
  used: "No memory has been used yet",
  never: "Every memory has been used",
  important: "No memories yet",
  pinned: "No pinned memories",
  archive: "No exchanges yet",
};
