/** A field that names a project, or none. */
import { useEffect } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { projectName } from "./format.ts";

interface ProjectSelectProps {
  /** Key; null = everywhere; undefined = as it is. */
  readonly value: string | null | undefined;
  /** What "as it is" is called, where that can be chosen. */
  readonly unchanged?: string;
  /** Only a project will do. */
  readonly isNamed?: boolean;
  readonly onChange: (project: string | null | undefined) => void;
}

/** Keys never look like this. */
const everywhere = "*";

export function ProjectSelect({ value, unchanged, isNamed = false, onChange }: ProjectSelectProps) {
  useEffect(wantProjects, []);
  const keys = projects.value.map(({ key }) => key);
  // What is chosen belongs in the list before the list is there.
  const all = typeof value !== "string" || keys.includes(value) ? keys : [...keys, value];
  return (
    <label class="field">
      <span>Project</span>
      <select
        class="input"
        value={value === undefined ? "" : (value ?? everywhere)}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value;
          onChange(chosen === "" ? undefined : chosen === everywhere ? null : chosen);
        }}
      >
        {unchanged !== undefined && <option value="">{unchanged}</option>}
        {!isNamed && <option value={everywhere}>Everywhere</option>}
        {all.map((key) => (
          <option key={key} value={key}>
            {projectName(key, projects.value)}
          </option>
        ))}
      </select>
    </label>
  );
}
