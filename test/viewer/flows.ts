/**
 * Every flow of the page by its keys alone, with axe on each view: on any home, in a window of any size and theme.
 * The short form is a test; `npm run bench -- viewer-flows` takes all sizes and themes over 100,000 memories.
 */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { enter, openWindow, show, type ViewerHome, type WindowOptions } from "./browser.ts";

export interface FlowReport {
  readonly flows: readonly string[];
  /** The faults, each with its flow; empty when all is well. */
  readonly faults: readonly string[];
}

/** A prompt that the pages over prompts have something to tell of. */
export async function askOnce(home: ViewerHome): Promise<void> {
  await home.program.hook("submit", {
    session_id: "5e551000-bbbb-4000-8000-000000000001",
    transcript_path: `${home.program.folder}/none.jsonl`,
    cwd: home.program.project("flows"),
    hook_event_name: "UserPromptSubmit",
    prompt: "Which port does the staging database listen on?",
  });
}

interface Flow {
  readonly name: string;
  readonly walk: (keys: Keys) => Promise<void>;
}

interface Keys {
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Waits until this matches, and fails where it never does. */
  readonly see: (selector: string, text?: RegExp) => Promise<void>;
  /** Presses Tab until the focus is there. */
  readonly tabTo: (selector: string) => Promise<void>;
}

const flows: readonly Flow[] = [
  {
    name: "the figures of today, of the day before, and back",
    walk: async ({ press, see }) => {
      await press("g", "p");
      await see(".day-name", /^Today$/);
      await press("[");
      await see(".day-name", /^Yesterday$/);
      await press("]");
      await see(".day-name", /^Today$/);
    },
  },
  {
    name: "why a prompt was sent what it was, and a word on it",
    walk: async ({ press, see }) => {
      await press("g", "p");
      await see(".prompt-row");
      await press("j", "Enter");
      await see("h1", /^Prompt$/);
      await see("article.whole button[aria-pressed=false]", /wrong/i);
      await press("w");
      await see("button[aria-pressed=true]", /wrong/i);
      await press("w");
      await see("button[aria-pressed=false]", /wrong/i);
      await press("Escape");
      await see("h1", /^Prompts$/);
    },
  },
  {
    name: "a prompt to try",
    walk: async ({ press, see, tabTo, type }) => {
      await press("g", "p");
      await see(".try-field textarea");
      await tabTo(".try-field textarea");
      await type("Which port does the staging database listen on?");
      await see(".tried[data-prompt$='listen on?'][aria-busy=false] .verdict");
      await press("Escape");
      await see(".day-name");
    },
  },
  {
    name: "search, open the second result, its history, and back",
    walk: async ({ press, see, type }) => {
      await press("/");
      await see("input[type=search]:focus");
      await type("database");
      await press("Enter");
      await see("[aria-label=Results] .memory-row");
      await press("j", "Enter");
      await see("[role=tab]", /History/);
      await press("3");
      await see(".revision, .empty, [role=tabpanel]");
      await press("Escape");
      await see("h1", /^Memories$/);
    },
  },
  {
    name: "projects and the first of them",
    walk: async ({ press, see }) => {
      await press("g", "o");
      await see(".project-list");
    },
  },
  {
    name: "palette: a place by its name",
    walk: async ({ press, see, type }) => {
      await press("Control+k");
      await see("[role=dialog] input, dialog input");
      await type("Settings");
      await press("Enter");
      await see("h1", /^Settings$/);
    },
  },
  {
    name: "setup, with what the checks found",
    walk: async ({ press, see, type }) => {
      await press("Control+k");
      await see("dialog input");
      await type("Setup");
      await press("Enter");
      await see(".checks");
    },
  },
];

const waitMs = 15_000;
const tabsMax = 60;

function keysOf(page: Page): Keys {
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    press,
    type: (text) => page.keyboard.type(text),
    see: (selector, text) =>
      page
        .locator(selector)
        .filter(text === undefined ? {} : { hasText: text })
        .first()
        .waitFor({ state: "attached", timeout: waitMs }),
    tabTo: async (selector) => {
      for (let n = 0; n < tabsMax; n += 1) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector))
          return;
        await press("Tab");
      }
      throw new Error(`Tab does not lead to ${selector}`);
    },
  };
}

interface WalkOptions extends WindowOptions {
  /** axe on each view takes longer than the flow that leads there. */
  readonly hasAxe: boolean;
}

/** Walks all flows in one window; no mouse is touched. */
export async function walkFlows(home: ViewerHome, options: WalkOptions): Promise<FlowReport> {
  await using window = await openWindow(options);
  const { page } = window;
  await enter(window, home);
  await page.evaluate(axe.source);
  const faults: string[] = [];
  for (const { name, walk } of flows) {
    await show(window, "nonsense");
    await page.getByText("Page not found").waitFor();
    await page.keyboard.press("Escape");
    try {
      await walk(keysOf(page));
      if (!options.hasAxe) continue;
      const found: readonly string[] = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} at ${nodes[0].target}`))",
      );
      faults.push(...found.map((one) => `${name}: axe: ${one}`));
    } catch (error) {
      faults.push(`${name}: ${String(error).split("\n").slice(0, 3).join(" ")}`);
    }
  }
  return {
    flows: flows.map(({ name }) => name),
    faults: [...faults, ...window.faults],
  };
}
