/** Filters of memories, the same for a list and for a search: they live in the address. */
import { memoryCategories } from "#domain";
import { adjust, route } from "../state/router.ts";
import { projectHere, setScope } from "../state/scope.ts";
import { spanOf } from "../parts/days.ts";
import { Filter, Filters, SpanFilter } from "../parts/filters.tsx";
import { categoryNames, statusNames } from "../parts/format.ts";

const states: Readonly<Record<string, string>> = {
  superseded: statusNames.superseded,
  pending: statusNames.pending,
  retracted: statusNames.retracted,
  expired: "Expired",
};

/** What a list or a search is narrowed by. Without a state it is what holds. */
export function filtersHere(): Readonly<Record<string, string>> {
  const { query } = route.value;
  const project = projectHere();
  const status = query.get("status");
  const category = query.get("category");
  return {
    ...(category === null || category === "" ? {} : { category }),
    ...(status === null || status === ""
      ? {}
      : status === "expired"
        ? { expired: "1" }
        : { status }),
    ...(project === null ? {} : { project }),
    ...spanOf(query.get("from"), query.get("to")),
  };
}

const named = ["category", "status", "from", "to", "list", "kind", "tag"] as const;

export const isFiltered = (): boolean =>
  projectHere() !== null || named.some((name) => route.value.query.has(name));

export function clearFilters(): void {
  adjust(Object.fromEntries([...named, "project"].map((name) => [name, null])));
  setScope(null);
}

interface MemoryFiltersProps {
  /** The first one, which tells lists or kinds of results apart. */
  readonly first: {
    readonly name: string;
    readonly label: string;
    readonly titles: Readonly<Record<string, string>>;
  };
}

export const MemoryFilters = ({ first }: MemoryFiltersProps) => (
  <Filters>
    <Filter
      name={first.name}
      label={first.label}
      options={Object.keys(first.titles)}
      titleOf={(option) => first.titles[option] ?? option}
    />
    <Filter
      name="category"
      label="All categories"
      options={memoryCategories}
      titleOf={(one) =>
        memoryCategories.flatMap((known) => (known === one ? categoryNames[known] : []))[0] ?? one
      }
    />
    <Filter
      name="status"
      label={statusNames.active}
      options={Object.keys(states)}
      titleOf={(one) => states[one] ?? one}
    />
    <SpanFilter />
  </Filters>
);
