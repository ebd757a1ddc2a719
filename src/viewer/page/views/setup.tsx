/** The first visit, and any on which one wonders whether all is well: checks, import, and how it works. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DoctorJson, ImportStateJson, StatusJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { noteChange } from "../state/live.ts";
import { href } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { toast } from "../state/toasts.ts";
import { count, plural } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { Span } from "../parts/text.tsx";

/** Also what stands on the first page of an empty store: what fails comes first. */
export const SetupParts = () => (
  <div class="charts setup">
    <Checks />
    <Import />
    <WhatHappens />
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

const sources = {
  "claude-code": "Claude Code",
  "claude-mem": "claude-mem",
  codex: "Codex",
  gemini: "Gemini CLI",
  copilot: "GitHub Copilot CLI",
  opencode: "OpenCode",
} as const;
type Source = keyof typeof sources;

/** How often a running import is asked about. */
const askMs = 1_000;

/** How an import stands, asked about while one is under way. */
function useImport() {
  const state = useSignal<ImportStateJson | null>(null);
  const counts = useSignal<StatusJson["counts"] | null>(null);
  const look = async (): Promise<void> => {
    const [now, status] = await Promise.all([
      answerOf(api.import.state.$get()),
      answerOf(api.status.$get({})),
    ]);
    if (now.ok) state.value = now.value;
    if (status.ok) counts.value = status.value.counts;
  };
  useEffect(() => void look(), []);
  const isRunning = state.value?.state === "running";
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void look(), askMs);
    return () => {
      clearInterval(timer);
      noteChange();
    };
  }, [isRunning]);
  return { state, counts, isRunning };
}

function Import() {
  const from = useSignal<Source>("claude-code");
  const { state, counts, isRunning } = useImport();
  const start = async (): Promise<void> => {
    const answer = await answerOf(api.import.start.$post({ json: { from: from.peek() } }));
    if (answer.ok) state.value = answer.value;
    else toast(answer.failure.message, { tone: "bad" });
  };
  return (
    <section class="chart">
      <h2 class="chart-head">Import existing memories</h2>
      <p class="small soft">
        Earlier sessions are read where their program keeps them; nothing there is changed.
      </p>
      <div class="field-pair">
        <label class="field grow">
          <span>From</span>
          <select
            class="input"
            value={from.value}
            onChange={({ currentTarget: { value } }) => {
              if (value in sources) from.value = value as Source;
            }}
          >
            {Object.entries(sources).map(([source, title]) => (
              <option key={source} value={source}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
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
        {counts.value !== null && (
          <p class="num">
            {count(counts.value.sessions)} sessions, {count(counts.value.turns)} turns,{" "}
            {count(counts.value.memories)} memories stored
          </p>
        )}
        <Outcome state={state.value} />
      </div>
    </section>
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
