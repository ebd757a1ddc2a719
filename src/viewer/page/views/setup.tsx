/** The first visit, and any on which one wonders whether all is well: checks, import, and how it works. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BackfillJson, DoctorJson, ImportStateJson, StatusJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import type { Answer } from "../state/failure.ts";
import { noteChange } from "../state/live.ts";
import { useResource } from "../state/resource.ts";
import { href } from "../state/router.ts";
import { copy, toast } from "../state/toasts.ts";
import { Failed, Waiting } from "../parts/basics.tsx";
import { SelectField } from "../parts/fields.tsx";
import { count, plural } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Span } from "../parts/text.tsx";

/** Also what stands on the first page of an empty store: what fails comes first. */
export const SetupParts = () => (
  <div class="charts setup">
    <Checks />
    <div class="stack">
      <Import />
      <WhatHappens />
    </div>
  </div>
);

const WhatHappens = () => (
  <section class="chart">
    <h2 class="chart-head">How it works</h2>
    <ol class="setup-steps">
      <li>You work with Claude Code as always. Hooks hand each prompt and answer to Continuity.</li>
      <li>
        At the end of a turn it keeps what is worth keeping: decisions, preferences, facts, fixes.
        Secrets are taken out first, and nothing leaves this machine.
      </li>
      <li>
        The next session starts with what matters there, and each prompt gets what fits it. Prompts
        shows what was sent and why.
      </li>
    </ol>
    <p class="small soft">
      Write <code>remember that …</code> in a prompt, or press <kbd>n</kbd> here, to save something
      yourself. <a href={href("", { try: sample })}>Try a prompt</a> to see what Claude would be
      sent.
    </p>
  </section>
);

const sample = "Which package manager do I use, and what should I know before I touch the tests?";

const marks = { ok: "check", warning: "flag", failed: "cross", skipped: "right" } as const;

function Checks() {
  const found = useResource("doctor", () => answerOf(api.doctor.$post({ json: {} })));
  const { value, failure, isLoading } = found.state.value;
  return (
    <section class="chart">
      <h2 class="chart-head">
        Checks
        <button type="button" class="tool" disabled={isLoading} onClick={found.reload}>
          {isLoading ? "Checking…" : "Check again"}
        </button>
      </h2>
      {failure !== null && value === null ? (
        <Failed failure={failure} retry={found.reload} />
      ) : value === null ? (
        <Waiting lines={5} />
      ) : (
        <CheckList doctor={value} />
      )}
    </section>
  );
}

/** A command that a fix names, to be pasted into a terminal. */
function CopyCommand({ text }: { text: string }) {
  const command = /`([^`]+)`/.exec(text)?.[1];
  return command === undefined ? null : (
    <button
      type="button"
      class="tool bare"
      title={`Copy ${command}`}
      onClick={() => void copy(command)}
    >
      <Icon name="copy" />
      <span class="unseen">Copy {command}</span>
    </button>
  );
}

function CheckList({ doctor }: { doctor: DoctorJson }) {
  const told = doctor.checks.filter(({ state }) => state !== "skipped");
  const wrong = told.filter(({ state }) => state !== "ok");
  const line = ({ id, state, detail, fix }: DoctorJson["checks"][number]) => (
    <li key={id} class={`check check-${state}`}>
      <Icon name={marks[state]} />
      <span>
        <strong>{id}</strong> <span class="unseen">{state}</span>{" "}
        <span class="soft">
          <Span text={detail} />
        </span>
        {fix !== null && (
          <span class="small">
            {" "}
            <Span text={fix} />
            <CopyCommand text={fix} />
          </span>
        )}
      </span>
    </li>
  );
  return (
    <>
      <p class="small">
        {wrong.length === 0
          ? `All ${told.length} checks passed.`
          : `${wrong.length} of ${plural(told.length, "check")} ${wrong.length === 1 ? "needs" : "need"} attention`}
      </p>
      <ul class="checks">{wrong.map(line)}</ul>
      <details class="turn-text">
        <summary>{plural(told.length - wrong.length, "check")} passed</summary>
        <ul class="checks">{told.filter(({ state }) => state === "ok").map(line)}</ul>
      </details>
    </>
  );
}

const sources = {
  "claude-code": "Claude Code",
  "claude-mem": "claude-mem",
  codex: "Codex",
  gemini: "Gemini CLI",
  copilot: "GitHub Copilot CLI",
  opencode: "OpenCode",
} as const;
type Source = keyof typeof sources;
const isSource = (value: string): value is Source => Object.hasOwn(sources, value);

/** How often a running import is asked about. */
const askMs = 1_000;

interface Progress {
  readonly state: ImportStateJson | null;
  readonly stored: StatusJson["counts"] | null;
  readonly reading: BackfillJson | null;
}

/** How an import stands, asked about while one is under way or a model reads what came. */
function useImport() {
  const progress = useSignal<Progress>({ state: null, stored: null, reading: null });
  const look = async (): Promise<void> => {
    const [state, status, reading] = await Promise.all([
      answerOf(api.import.state.$get()),
      answerOf(api.status.$get({})),
      answerOf(api.backfill.$get()),
    ]);
    const before = progress.peek();
    progress.value = {
      state: state.ok ? state.value : before.state,
      stored: status.ok ? status.value.counts : before.stored,
      reading: reading.ok ? reading.value : before.reading,
    };
  };
  useEffect(() => void look(), []);
  const { state, reading } = progress.value;
  const isRunning = state?.state === "running";
  const isRead = (reading?.left ?? 0) > 0;
  useEffect(() => {
    if (!isRunning && !isRead) return undefined;
    const timer = setInterval(() => void look(), askMs);
    return () => {
      clearInterval(timer);
      noteChange();
    };
  }, [isRunning, isRead]);
  return { ...progress.value, isRunning, look };
}

export function Import() {
  const from = useSignal<Source>("claude-code");
  const { state, stored, reading, isRunning, look } = useImport();
  const start = async (): Promise<void> => {
    const answer = await answerOf(api.import.start.$post({ json: { from: from.peek() } }));
    if (!answer.ok) toast(answer.failure.message, { tone: "bad" });
    await look();
  };
  return (
    <section class="chart">
      <h2 class="chart-head">Import existing memories</h2>
      <p class="small soft">
        Earlier sessions are read where their program keeps them; nothing there is changed.
      </p>
      <SelectField
        label="From"
        value={from.value}
        options={sources}
        onChange={(value) => {
          if (isSource(value)) from.value = value;
        }}
      />
      <div class="form-actions">
        <button
          type="button"
          class="button primary"
          disabled={isRunning}
          onClick={() => void start()}
        >
          {isRunning ? "Importing…" : "Import"}
        </button>
      </div>
      <div role="status" class="small">
        {isRunning && <progress aria-label="Import" />}
        {stored !== null && (
          <p class="num">
            {count(stored.sessions)} sessions, {count(stored.turns)} turns, {count(stored.memories)}{" "}
            memories stored
          </p>
        )}
        <Outcome state={state} />
        {reading !== null && <Reading reading={reading} look={look} />}
      </div>
    </section>
  );
}

interface ReadingProps {
  readonly reading: BackfillJson;
  readonly look: () => Promise<void>;
}

/** A model reads what was imported once somebody says so: how far it is, what it has cost, and how it is stopped. */
function Reading({ reading, look }: ReadingProps) {
  const { provider, sessions, tokens, left, total, tokens_spent: spent, cost_usd: cost } = reading;
  const run = async (ask: () => Promise<Answer<object>>): Promise<void> => {
    const answer = await ask();
    if (!answer.ok) toast(answer.failure.message, { tone: "bad" });
    await look();
    if (answer.ok && "more" in answer.value && answer.value.more === true) await run(ask);
  };
  if (left > 0)
    return (
      <p class="num">
        <progress aria-label="Read by the model" value={total - left} max={total} />{" "}
        {count(total - left)} of {plural(total, "imported session")} read by the model ·{" "}
        {count(spent)} tokens{cost === null ? "" : `, $${cost.toFixed(2)}`} so far{" "}
        <button
          type="button"
          class="button"
          onClick={() => void run(() => answerOf(api.backfill.stop.$post({ json: {} })))}
        >
          Stop
        </button>
      </p>
    );
  return provider === "none" || sessions === 0 ? null : (
    <p>
      {provider} can read {plural(sessions, "imported session")} in the background: about{" "}
      {count(tokens)} tokens, within the daily budget.{" "}
      <button
        type="button"
        class="button"
        onClick={() => void run(() => answerOf(api.backfill.$post({ json: {} })))}
      >
        Read them
      </button>
    </p>
  );
}

function Outcome({ state }: { state: ImportStateJson | null }) {
  if (state === null || state.state === "none" || state.state === "running") return null;
  return state.state === "done" ? (
    <p>
      Done: {plural(state.read, "record")} read, {count(state.created)} new.
    </p>
  ) : (
    <p class="notice bad">
      The import failed. <Span text={state.message} />
    </p>
  );
}
