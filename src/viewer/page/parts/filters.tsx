/** Filters above a list. They live in the address, so that a filtered list can be gone back to. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { memoryCategories } from "#domain";
import { projectHere, projects, setScope, wantProjects } from "../state/projects.ts";
import { adjust, route } from "../state/router.ts";
import { categoryNames, projectName, spanOf, statusNames } from "./format.ts";

export const Filters = ({ children }: { children: ComponentChildren }) => (
  <div class="filters" role="group" aria-label="Filters">
    <ScopeChip />
    {children}
  </div>
);

/** Says that a list is about one project, chosen in the menu or by the address, and lets go of it. */
function ScopeChip() {
  useEffect(wantProjects, []);
  const project = projectHere();
  return project === null ? null : (
    <button
      type="button"
      class="button chip"
      onClick={() => {
        adjust({ project: null });
        setScope(null);
      }}
    >
      {projectName(project, projects.value)} ×<span class="unseen">Show all projects</span>
    </button>
  );
}

interface FilterProps {
  readonly name: string;
  /** What is listed where nothing is chosen. */
  readonly label: string;
  readonly options: readonly string[];
  /** What an option is called; default itself. */
  readonly titleOf?: (option: string) => string;
}

export function Filter({ name, label, options, titleOf = (option) => option }: FilterProps) {
  const value = route.value.query.get(name) ?? "";
  // What the address names belongs in the list even when we do not know it.
  const all = value === "" || options.includes(value) ? options : [...options, value];
  return (
    <label class={value === "" ? "filter" : "filter on"}>
      <span class="unseen">{name}</span>
      <select
        value={value}
        onChange={(event) => adjust({ [name]: event.currentTarget.value || null })}
      >
        <option value="">{label}</option>
        {all.map((option) => (
          <option key={option} value={option}>
            {titleOf(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** From one day to another, both included. */
const SpanFilter = () => (
  <>
    <DayFilter name="from" label="From" />
    <DayFilter name="to" label="Until" />
  </>
);

const DayFilter = ({ name, label }: { name: "from" | "to"; label: string }) => {
  const value = route.value.query.get(name) ?? "";
  return (
    <label class={value === "" ? "filter day-filter" : "filter day-filter on"}>
      <span class="small faint">{label}</span>
      <input
        type="date"
        value={value}
        onChange={(event) => adjust({ [name]: event.currentTarget.value || null })}
      />
    </label>
  );
};

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
