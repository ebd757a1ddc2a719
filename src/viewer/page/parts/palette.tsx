/** The command palette: every place and action by name, and memories by what they say. */
import { useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { msPerHour } from "#kit";
import type { FoundJson } from "#api";
import { doomed, subject, togglePin } from "../state/actions.ts";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { startEdit } from "../state/commands.ts";
import { panel } from "../state/panels.ts";
import { hrefOfPlace, places } from "../state/places.ts";
import { projects, wantProjects } from "../state/projects.ts";
import { go, href, memoryHref, projectHref, sessionHref } from "../state/router.ts";
import { setScope } from "../state/scope.ts";
import { nextTheme, setTheme } from "../state/theme.ts";
import { toast, undoLatest } from "../state/toasts.ts";
import { savedViews } from "../state/views.ts";
import { CategoryDot, Key } from "./badges.tsx";
import { Dialog } from "./dialog.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { Line } from "./text.tsx";

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly run: () => void;
}

const memoriesMax = "7";
const sessionsMax = "200";
/** Sessions and settings shown at a time. */
const listedMax = 12;
const restMs = 100;

function commands(): readonly Choice[] {
  const memory = subject.peek();
  const about = (title: string, icon: IconName, keys: string, run: () => void): Choice => ({
    id: title,
    title,
    icon,
    keys,
    run,
  });
  return [
    ...(memory === null
      ? []
      : [
          about("Edit selected memory", "edit", "e", () => startEdit(memory)),
          about(
            memory.pinned ? "Unpin selected memory" : "Pin selected memory",
            "pin",
            "p",
            () => void togglePin(memory),
          ),
          about("Forget selected memory", "trash", "#", () => (doomed.value = memory)),
        ]),
    ...places.map((place) =>
      about(`Go to ${place.title}`, place.icon, place.keys, () => go(hrefOfPlace(place))),
    ),
    about("Never used memories", "memories", "", () => go(href("memories", { list: "never" }))),
    about("Add a memory", "plus", "n", () => (panel.value = "remember")),
    about("Undo", "undo", "u", () => void undoLatest()),
    about("Saved views", "flag", "s", () => (panel.value = "views")),
    ...savedViews
      .peek()
      .map(({ name, address }) => about(`View: ${name}`, "flag", "", () => go(address))),
    about("Select all in the list", "check", "*", () => pressKey("*")),
    about("Search with more looks (deep)", "search", "", () =>
      go(href("search", { mode: "search" })),
    ),
    about("Pause capture for an hour", "clock", "", () => void pauseFor(msPerHour)),
    about("Pause capture until I resume", "clock", "", () => void pauseFor(null)),
    about("Resume capture", "clock", "", () => void resume()),
    about("Switch theme", "moon", "t", nextTheme),
    about("Theme: light", "sun", "", () => setTheme("light")),
    about("Theme: dark", "moon", "", () => setTheme("dark")),
    about("Theme: as the system", "system", "", () => setTheme("system")),
    about("All projects", "folder", "", () => setScope(null)),
    ...projects.value.flatMap(({ key, name }) => [
      about(`Project: ${name}`, "folder", "", () => go(projectHref(key))),
      about(`Show only ${name}`, "folder", "", () => setScope(key)),
    ]),
    about("Keyboard shortcuts", "settings", "?", () => (panel.value = "help")),
  ];
}

/** Does what the view on screen does with a key, once the palette is gone. */
const pressKey = (key: string): void =>
  void setTimeout(() =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })),
  );

const said = (done: string, answer: Answer<unknown>): void =>
  void toast(answer.ok ? done : answer.failure.message, { tone: answer.ok ? "plain" : "bad" });

async function pauseFor(ms: number | null): Promise<void> {
  said("Capture is paused", await answerOf(api.pause.$post({ json: { for_ms: ms } })));
}

async function resume(): Promise<void> {
  said("Capture goes on", await answerOf(api.resume.$post({ json: {} })));
}

/** Every word that was typed begins a word of the title. Pure. */
function matches(title: string, typed: string): boolean {
  const between = /[\s.:/_]+/;
  const words = title.toLowerCase().split(between);
  return typed
    .toLowerCase()
    .split(between)
    .every((part) => words.some((word) => word.startsWith(part)));
}

export function Palette({ onClose }: { onClose: () => void }) {
  const typed = useSignal("");
  const at = useSignal(0);
  const found = useFound(typed);
  const choices = useChoices(typed, found);
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const size = choices.peek().length;
    if (step !== 0 && size > 0) at.value = (at.peek() + step + size) % size;
    if (event.key === "Enter") run(choices.peek()[at.peek()]);
    if (step !== 0 || event.key === "Enter") event.preventDefault();
  };
  useEffect(() => {
    document.querySelector(`#choice-${at.value}`)?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
  return (
    <Dialog label="Command palette" class="palette" onClose={onClose}>
      <div class="search-field palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Command or memory"
          aria-expanded="true"
          aria-controls="choices"
          aria-activedescendant={choices.value.length === 0 ? undefined : `choice-${at.value}`}
          placeholder="Type a command or search"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul class="choices" id="choices" role="listbox" aria-label="Choices">
        {choices.value.map((choice, index) => (
          <ChoiceRow
            key={choice.id}
            choice={choice}
            index={index}
            isChosen={index === at.value}
            category={found.value.find(({ uri }) => uri === choice.id)?.category}
            onRun={() => run(choice)}
          />
        ))}
      </ul>
    </Dialog>
  );
}

type FoundMemory = Pick<FoundJson, "uri" | "l0" | "category">;

/** Commands by name, then memories by what they say, then the search itself. */
function useChoices(
  typed: ReadonlySignal<string>,
  found: ReadonlySignal<readonly FoundMemory[]>,
): ReadonlySignal<readonly Choice[]> {
  // Projects may come after the palette was opened.
  const all = useComputed(commands);
  useEffect(wantProjects, []);
  const listed = useListed();
  return useComputed<readonly Choice[]>(() => {
    const text = typed.value.trim();
    const named = all.value.filter(({ title }) => matches(title, text));
    const more = text.length < 2 ? [] : listed.value.filter(({ title }) => matches(title, text));
    const ask: Choice = {
      id: "ask",
      title: `Search for “${text}”`,
      icon: "search",
      keys: "",
      run: () => go(href("search", { q: text })),
    };
    const memories = found.value.map(({ uri, l0 }): Choice => ({
      id: uri,
      title: l0,
      icon: "memories",
      keys: "",
      run: () => go(memoryHref(uri)),
    }));
    return text === "" ? named : [...named, ...more.slice(0, listedMax), ...memories, ask];
  });
}

/** Sessions and settings by name: asked for once, when the palette opens. */
function useListed(): ReadonlySignal<readonly Choice[]> {
  const listed = useSignal<readonly Choice[]>([]);
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const [sessions, config] = await Promise.all([
        answerOf(api.sessions.$get({ query: { limit: sessionsMax } })),
        answerOf(api.config.$get({})),
      ]);
      const choice = (id: string, title: string, icon: IconName, to: string): Choice => ({
        id,
        title,
        icon,
        keys: "",
        run: () => go(to),
      });
      listed.value = [
        ...(config.ok
          ? config.value.items.map(({ key }) =>
              choice(
                `set ${key}`,
                `Setting: ${key}`,
                "settings",
                href("settings", { filter: key }),
              ),
            )
          : []),
        ...(sessions.ok
          ? sessions.value.items.map(({ session_id: id, title }) =>
              choice(id, `Session: ${title ?? id.slice(0, 8)}`, "sessions", sessionHref(id)),
            )
          : []),
      ];
    };
    void ask();
  }, []);
  return listed;
}

interface ChoiceRowProps {
  readonly choice: Choice;
  readonly index: number;
  readonly isChosen: boolean;
  readonly category: FoundJson["category"] | undefined;
  readonly onRun: () => void;
}

const ChoiceRow = ({ choice, index, isChosen, category, onRun }: ChoiceRowProps) => (
  <li
    id={`choice-${index}`}
    class={isChosen ? "choice current" : "choice"}
    role="option"
    aria-selected={isChosen}
    onClick={onRun}
  >
    {category === undefined ? <Icon name={choice.icon} /> : <CategoryDot category={category} />}
    <span class="row-text">
      <Line text={choice.title} />
    </span>
    {choice.keys !== "" && <Key keys={choice.keys} />}
  </li>
);

/** Memories for what was typed, once typing rests. */
function useFound(typed: { readonly value: string }) {
  const found = useSignal<readonly FoundMemory[]>([]);
  useEffect(() => {
    const q = typed.value.trim();
    let isLate = false;
    const ask = async (): Promise<void> => {
      const query = { q, limit: memoriesMax, kind: "memory" };
      const answer = q.length < 2 ? null : await answerOf(api.search.$get({ query }));
      if (!isLate) found.value = answer?.ok === true ? answer.value.results : [];
    };
    const timer = setTimeout(() => void ask(), restMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [typed.value]);
  return found;
}
