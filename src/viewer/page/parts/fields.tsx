/** Fields in which something is chosen. */
import { useEffect } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { projectName } from "./format.ts";

/** Options of a list: values, each with its title. */
export const Options = ({ of }: { of: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(of).map(([option, title]) => (
      <option key={option} value={option}>
        {title}
      </option>
    ))}
  </>
);

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: string;
  /** Values, each with its title. */
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}

export const SelectField = <Value extends string>(props: SelectFieldProps<Value>) => (
  <label class="field grow">
    <span>{props.label}</span>
    <select
      class="input"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value as Value)}
    >
      <Options of={props.options} />
    </select>
  </label>
);

/** Projects as options, once they are known; `chosen` is among them before that. */
export function ProjectOptions({ chosen }: { chosen: string | null }) {
  useEffect(wantProjects, []);
  const known = projects.value.map(({ key }) => key);
  return (chosen === null || known.includes(chosen) ? known : [...known, chosen]).map((key) => (
    <option key={key} value={key}>
      {projectName(key, projects.value)}
    </option>
  ));
}

interface ProjectSelectProps {
  /** Key; null = everywhere. */
  readonly value: string | null;
  readonly onChange: (project: string | null) => void;
}

export const ProjectSelect = ({ value, onChange }: ProjectSelectProps) => (
  <label class="field">
    <span>Project</span>
    <select
      class="input"
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    >
      <option value="">Everywhere</option>
      <ProjectOptions chosen={value} />
    </select>
  </label>
);
