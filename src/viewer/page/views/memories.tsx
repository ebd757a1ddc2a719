/** Every memory in one list: the latest first, or by what somebody searches for. */
import { signal } from "@preact/signals";
import { route } from "../state/router.ts";
import { later } from "../parts/later.tsx";
import { Top } from "../parts/top.tsx";
import { ListedMemories } from "./listed-memories.tsx";
import { SearchField } from "./search-field.tsx";

const FoundMemories = later(async () => (await import("./found-memories.tsx")).FoundMemories);

/** How many the list has; null while it is not known, and in a search. */
const total = signal<number | null>(null);
const isBusy = signal(false);

// The field stays while what is under it changes: whoever types in it types on.
export function Memories() {
  const isSearch = (route.value.query.get("q") ?? "").trim() !== "";
  return (
    <>
      <Top title="Memories" count={isSearch ? null : total.value} />
      <SearchField isBusy={isSearch && isBusy.value} />
      {isSearch ? <FoundMemories isBusy={isBusy} /> : <ListedMemories total={total} />}
    </>
  );
}
