/** Fields in which something is chosen. */
import { useEffect } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { projectName } from "./format.ts";

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  /** Values, each with its title. */
  readonly options: Readonly<Record<string, string>>;
  readonly autofocus?: boolean;
  readonly onChange: (value: string) => void;
}

export const SelectField = ({ label, value, options, autofocus, onChange }: SelectFieldProps) => (
  <label class="field grow">
    <span>{label}</span>
    <select
      class="input"
      autofocus={autofocus === true}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {Object.entries(options).map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </select>
  </label>
);

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
