/** Filters above a list. They live in the address, so that a filtered list can be gone back to. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { projects, wantProjects } from "../state/projects.ts";
import { adjust, route } from "../state/router.ts";
import { projectHere, setScope } from "../state/scope.ts";
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

export function Filter({ name, ...rest }: FilterProps) {
  return (
    <Choice
      {...rest}
      value={route.value.query.get(name) ?? ""}
      onChange={(value) => adjust({ [name]: value || null })}
    />
  );
}

interface ChoiceProps extends Omit<FilterProps, "name"> {
  readonly value: string;
  /** Empty = nothing is chosen. */
  readonly onChange: (value: string) => void;
}

function Choice({ label, options, titleOf = (option) => option, value, onChange }: ChoiceProps) {
  // What the address names belongs in the list even when we do not know it.
  const all = value === "" || options.includes(value) ? options : [...options, value];
  return (
    <label class={value === "" ? "filter" : "filter on"}>
      <span class="unseen">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
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

/** The project is everybody's: what is chosen here holds in other views too. */
export function ProjectFilter() {
  useEffect(wantProjects, []);
  return (
    <Choice
      label="Project"
      value={projectHere() ?? ""}
      options={projects.value.map(({ key }) => key)}
      titleOf={(key) => projectName(key, projects.value)}
      onChange={(project) => {
        adjust({ project: null });
        setScope(project || null);
      }}
    />
  );
}

/** From one day to another, both included. */
export const SpanFilter = () => (
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

/** Typing rests this long before it is asked. */
const restMs = 150;

/** Only what has these letters in it. */
export function TextFilter() {
  const text = route.value.query.get("text") ?? "";
  const typed = useSignal(text);
  const sent = useRef(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      sent.current = typed.peek().trim();
      adjust({ text: sent.current || null });
    }, restMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  useLayoutEffect(() => {
    if (text !== sent.current) typed.value = text;
  }, [text]);
  return (
    <label class={text === "" ? "filter" : "filter on"}>
      <span class="unseen">Containing</span>
      <input
        type="text"
        class="text-filter"
        placeholder="Containing"
        autocomplete="off"
        maxLength={200}
        dir="auto"
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </label>
  );
}
