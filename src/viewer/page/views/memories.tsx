/** Every memory in one list: the latest first, one of the lists that have a name, or what somebody searches for. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ListedMemoryJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import { useKeys } from "../state/keys.ts";
import { stampNow } from "../state/live.ts";
import { createKept, createPaged, type Rows } from "../state/paged.ts";
import { adjust, route } from "../state/router.ts";
import { Button, Empty, Key } from "../parts/basics.tsx";
import { clearFilters, filtersHere, isFiltered, MemoryFilters } from "../parts/filters.tsx";
import { count } from "../parts/format.ts";
import { Top } from "../parts/frame.tsx";
import { Icon } from "../parts/icons.tsx";
import { MemoryList, MemoryRow } from "../parts/memory-list.tsx";
import { FoundMemories } from "./found-memories.tsx";

/** Number of memories in the list; null until it is known. */
const total = signal<number | null>(null);
const isBusy = signal(false);

// The field stays while what is under it changes: whoever types in it types on.
export function Memories() {
  const isSearch = (route.value.query.get("q") ?? "").trim() !== "";
  return (
    <>
      <Top title="Memories" count={isSearch ? null : total.value} />
      <SearchField isBusy={isSearch && isBusy.value} />
      {isSearch ? <FoundMemories isBusy={isBusy} /> : <ListedMemories />}
    </>
  );
}

const kept = createKept<Rows<ListedMemoryJson>>(stampNow);

/** The name of a list, and its question. */
const lists = {
  latest: { title: "Latest", query: { sort: "recent" } },
  learnt: { title: "Latest learned", query: { sort: "created" } },
  you: { title: "About you", query: { sort: "importance", category: "profile,preferences" } },
  used: { title: "Most used", query: { sort: "most-used", used: "1" } },
  never: { title: "Never used", query: { sort: "recent", used: "0" } },
  important: { title: "Most important", query: { sort: "importance" } },
  pinned: { title: "Pinned", query: { sort: "recent", pinned: "1" } },
  archive: { title: "Conversations", query: { sort: "recent", archive: "1" } },
} as const;
const isList = (name: string): name is keyof typeof lists => Object.hasOwn(lists, name);
const { latest, ...others } = lists;
const options = Object.fromEntries(
  Object.entries(others).map(([name, list]) => [name, list.title]),
);

function ListedMemories() {
  const asked = route.value.query.get("list") ?? "latest";
  const { title, query } = lists[isList(asked) ? asked : "latest"];
  const { sort, ...ofList } = query;
  const chosen = filtersHere();
  const holds = "status" in chosen || "expired" in chosen ? {} : { status: "active" };
  const filter = { ...ofList, ...holds, ...chosen };
  const listKey = JSON.stringify([sort, filter]);
  const load = (offset: number, limit: number) =>
    answerOf(
      api.memories.$get({ query: { ...filter, sort, offset: `${offset}`, limit: `${limit}` } }),
    );
  const rows = useMemo(
    () => kept.of(listKey, () => createPaged<ListedMemoryJson>(load)),
    [listKey],
  );
  const found = rows.total.value;
  useLayoutEffect(() => {
    total.value = found;
  }, [found]);
  return (
    <>
      <MemoryFilters first={{ name: "list", label: latest.title, options }} />
      <MemoryList
        label={`${title}${found === null ? "" : `, ${count(found)}`}`}
        rows={rows}
        listKey={listKey}
        empty={<Nothing />}
        row={(memory, handle) => (
          <MemoryRow
            memory={memory}
            at={sort === "created" ? memory.created_at : memory.updated_at}
            notes={sort === "most-used" ? [`used ${memory.access_count}×`] : []}
            {...handle}
          />
        )}
      />
    </>
  );
}

const Nothing = () =>
  isFiltered() ? (
    <Empty icon="search" title="No memories match">
      <Button onClick={clearFilters}>Clear filters</Button>
    </Empty>
  ) : (
    <Empty icon="memories" title="No memories yet">
      Work with Claude Code, or write <code>remember that …</code> in a prompt. Press <kbd>n</kbd>{" "}
      to add a memory.
    </Empty>
  );

/** Typing rests this long before it is asked. */
const restMs = 60;

/** The field above the memories: what is typed in it is searched for as one types. */
function SearchField({ isBusy }: { isBusy: boolean }) {
  const { query } = route.value;
  const text = query.get("q") ?? "";
  const isWanted = query.has("find");
  const field = useRef<HTMLInputElement>(null);
  const draft = useSignal(text);
  const sent = useRef(text);
  const send = (): void => {
    sent.current = draft.peek().trim();
    adjust({ q: sent.current || null });
  };
  const enter = (): void => {
    field.current?.focus();
    field.current?.select();
  };
  useLayoutEffect(() => {
    if (!isWanted) return;
    enter();
    adjust({ find: null });
  }, [isWanted]);
  useEffect(() => {
    const timer = setTimeout(send, restMs);
    return () => clearTimeout(timer);
  }, [draft.value]);
  // Words that came from elsewhere (the palette, a link, going back) stand in the field too.
  useLayoutEffect(() => {
    if (text !== sent.current) draft.value = sent.current = text;
  }, [text]);
  useKeys({ "/": enter });
  const onKeyDown = (event: KeyboardEvent): void => {
    // From the field straight into the results, so that `j` and `k` work.
    if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "Escape") {
      event.preventDefault();
      if (event.key === "Enter") send();
      field.current?.blur();
    }
  };
  return (
    <div class="search-field line" role="search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label="Search memories"
        placeholder="Search by words or a question"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        value={draft.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {isBusy ? <span class="spinner" role="status" aria-label="Searching" /> : <Key keys="/" />}
    </div>
  );
}
