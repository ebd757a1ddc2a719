/** Filters above a list. They live in the address, so that a filtered list can be gone back to. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { memoryCategories } from "#domain";
import { projectHere, projects, setScope, wantProjects } from "../state/projects.ts";
import { adjust, route } from "../state/router.ts";
import { Button } from "./basics.tsx";
import { Options } from "./fields.tsx";
import { categoryNames, projectName, spanOf, statusNames } from "./format.ts";

export const Filters = ({ children }: { children: ComponentChildren }) => (
  <div class="filters line wrap" role="group" aria-label="Filters">
    <ScopeChip />
    {children}
  </div>
);

interface ChipProps {
  readonly onClick: () => void;
  readonly title: string;
  readonly children: string;
}

/** Says what a list is about, and lets go of it. */
export const Chip = ({ onClick, title, children }: ChipProps) => (
  <Button class="chip" onClick={onClick}>
    {children} ×<span class="unseen">{title}</span>
  </Button>
);

/** The project that a list is about, chosen in the menu or by the address. */
function ScopeChip() {
  useEffect(wantProjects, []);
  const project = projectHere();
  return project === null ? null : (
    <Chip
      title="Show all projects"
      onClick={() => {
        adjust({ project: null });
        setScope(null);
      }}
    >
      {projectName(project, projects.value)}
    </Chip>
  );
}

interface FilterProps {
  readonly name: string;
  /** The label of the list where nothing is chosen. */
  readonly label: string;
  /** Title of each option, by its value. */
  readonly options: Readonly<Record<string, string>>;
}

export function Filter({ name, label, options }: FilterProps) {
  const value = route.value.query.get(name) ?? "";
  // A value from the address belongs in the list even when we do not know it.
  const all = value === "" || value in options ? options : { ...options, [value]: value };
  return (
    <label class={value === "" ? "filter" : "filter on"}>
      <span class="unseen">{name}</span>
      <select
        value={value}
        onChange={(event) => adjust({ [name]: event.currentTarget.value || null })}
      >
        <option value="">{label}</option>
        <Options of={all} />
      </select>
    </label>
  );
}

const DayFilter = ({ name, label }: { name: "from" | "to"; label: string }) => {
  const value = route.value.query.get(name) ?? "";
  return (
    <label class={value === "" ? "filter line" : "filter line on"}>
      <span class="small faint">{label}</span>
      <input
        type="date"
        value={value}
        onChange={(event) => adjust({ [name]: event.currentTarget.value || null })}
      />
    </label>
  );
};

const { superseded, pending, retracted } = statusNames;
const states = { superseded, pending, retracted, expired: "Expired" };
const categories = Object.fromEntries(memoryCategories.map((one) => [one, categoryNames[one]]));

/** Filters of a list or a search; without a state, memories that hold. */
export function filtersHere(): Readonly<Record<string, string>> {
  const { query } = route.value;
  const project = projectHere();
  const status = query.get("status");
  const category = query.get("category");
  return {
    ...(category ? { category } : {}),
    ...(status ? (status === "expired" ? { expired: "1" } : { status }) : {}),
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

/** The same for a list and for a search; `first` tells lists or kinds of results apart. */
export const MemoryFilters = ({ first }: { first: FilterProps }) => (
  <Filters>
    <Filter {...first} />
    <Filter name="category" label="All categories" options={categories} />
    <Filter name="status" label={statusNames.active} options={states} />
    <DayFilter name="from" label="From" />
    <DayFilter name="to" label="Until" />
  </Filters>
);
