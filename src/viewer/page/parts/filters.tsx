/** Filters above a list. They live in the address, so that a filtered list can be gone back to. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { adjust, route } from "../state/router.ts";
import { projectName } from "./format.ts";

export const Filters = ({ children }: { children: ComponentChildren }) => (
  <div class="filters" role="group" aria-label="Filters">
    {children}
  </div>
);

interface FilterProps {
  readonly name: string;
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
      <span class="unseen">{label}</span>
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

export function ProjectFilter() {
  useEffect(wantProjects, []);
  return (
    <Filter
      name="project"
      label="Project"
      options={projects.value.map(({ key }) => key)}
      titleOf={(key) => projectName(key, projects.value)}
    />
  );
}
