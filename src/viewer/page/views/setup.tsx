/** The first visit, and any on which one wonders whether all is well: checks, import, and how it works. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BackfillJson, DoctorJson, ImportStateJson, StatusJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import type { Reply } from "../state/failure.ts";
import { noteChange } from "../state/live.ts";
import { useResource } from "../state/resource.ts";
import { href } from "../state/router.ts";
import { complain, copy } from "../state/toasts.ts";
import { Answered, Button, Card, Tool } from "../parts/basics.tsx";
import { SelectField } from "../parts/fields.tsx";
import { count, plural } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Span } from "../parts/text.tsx";

/** Also what stands on the first page of an empty store: what fails comes first. */
export const SetupParts = () => (
  <div class="charts">
    <Checks />
    <div class="stack">
      <Import />
      <HowItWorks />
    </div>
  </div>
);

const sample = "Which package manager do I use, and what should I know before I touch the tests?";

const HowItWorks = () => (
  <Card title="How it works">
    <ol class="setup-steps stack tight">
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
  </Card>
);

function Checks() {
  const found = useResource("doctor", () => api.doctor.$post({ json: {} }));
  const again = (
    <button type="button" class="tool" disabled={found.isLoading} onClick={found.reload}>
      {found.isLoading ? "Checking…" : "Check again"}
    </button>
  );
  return (
    <Card title="Checks" aside={again}>
      <Answered of={found}>{(doctor) => <CheckList doctor={doctor} />}</Answered>
    </Card>
  );
}

const marks = { ok: "check", warning: "flag", failed: "cross", skipped: "right" } as const;
const tones = { ok: "good", warning: "warn", failed: "bad", skipped: "" } as const;

const Check = ({ check: { id, state, detail, fix } }: { check: DoctorJson["checks"][number] }) => {
  // A command that the fix names, to be pasted into a terminal; without one, the fix itself.
  const command = fix === null ? null : (/`([^`]+)`/.exec(fix)?.[1] ?? fix);
  return (
    <li class="check">
      <span class={tones[state]}>
        <Icon name={marks[state]} />
      </span>
      <span>
        <strong>{id}</strong> <span class="unseen">{state}</span>{" "}
        <span class="soft">
          <Span text={detail} />
        </span>{" "}
        {fix !== null && command !== null && (
          <>
            <Span text={fix} />{" "}
            <Tool
              class="bare"
              icon="copy"
              label={`Copy ${command}`}
              onClick={() => void copy(command)}
            />
          </>
        )}
      </span>
    </li>
  );
};

function CheckList({ doctor }: { doctor: DoctorJson }) {
  const told = doctor.checks.filter(({ state }) => state !== "skipped");
  const wrong = told.filter(({ state }) => state !== "ok");
  const listOf = (checks: DoctorJson["checks"]) => (
    <ul class="checks stack tight small">
      {checks.map((check) => (
        <Check key={check.id} check={check} />
      ))}
    </ul>
  );
  return (
    <>
      <p class="small">
        {wrong.length === 0
          ? `All ${told.length} checks passed.`
          : `${wrong.length} of ${plural(told.length, "check")} ${wrong.length === 1 ? "needs" : "need"} attention`}
      </p>
      {listOf(wrong)}
      <details>
        <summary class="small faint">{plural(told.length - wrong.length, "check")} passed</summary>
        {listOf(told.filter(({ state }) => state === "ok"))}
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

/** Milliseconds between two questions about a running import. */
const askMs = 1_000;

interface Progress {
  readonly state: ImportStateJson | null;
  readonly stored: StatusJson["counts"] | null;
  readonly reading: BackfillJson | null;
}

/** The state of an import, asked about while one is under way or a model reads what came. */
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

/** Brings in what other programs kept, and tells how far that is and what a model's reading of it has cost. */
function Import() {
  const from = useSignal<keyof typeof sources>("claude-code");
  const { state, stored, reading, isRunning, look } = useImport();
  const start = async (): Promise<void> => {
    complain(await answerOf(api.import.start.$post({ json: { from: from.peek() } })));
    await look();
  };
  return (
    <Card title="Import existing memories">
      <p class="small soft">
        Earlier sessions are read where their program keeps them; nothing there is changed.
      </p>
      <SelectField
        label="From"
        value={from.value}
        options={sources}
        onChange={(value) => (from.value = value)}
      />
      <div>
        <Button class="primary" disabled={isRunning} onClick={() => void start()}>
          {isRunning ? "Importing…" : "Import"}
        </Button>
      </div>
      <div role="status" class="small">
        {isRunning && <progress aria-label="Import" />}
        {stored !== null && (
          <p class="num">
            {count(stored.sessions)} sessions, {count(stored.turns)} turns, {count(stored.memories)}{" "}
            memories stored
          </p>
        )}
        {state?.state === "done" && (
          <p>
            Done: {plural(state.read, "record")} read, {count(state.created)} new.
          </p>
        )}
        {state?.state === "failed" && (
          <p class="notice bad">
            The import failed. <Span text={state.message} />
          </p>
        )}
        {reading !== null && <Reading reading={reading} look={look} />}
      </div>
    </Card>
  );
}

interface ReadingProps {
  readonly reading: BackfillJson;
  readonly look: () => Promise<void>;
}

/** A model reads what was imported once somebody says so: how far it is, what it has cost, and how it is stopped. */
function Reading({ reading, look }: ReadingProps) {
  const { provider, sessions, tokens, left, total, tokens_spent: spent, cost_usd: cost } = reading;
  const run = async (send: () => Promise<Reply<object>>): Promise<void> => {
    const answer = await answerOf(send());
    complain(answer);
    await look();
    if (answer.ok && "more" in answer.value && answer.value.more === true) await run(send);
  };
  if (left > 0)
    return (
      <p class="num">
        <progress aria-label="Read by the model" value={total - left} max={total} />{" "}
        {count(total - left)} of {plural(total, "imported session")} read by the model ·{" "}
        {count(spent)} tokens{cost === null ? "" : `, $${cost.toFixed(2)}`} so far{" "}
        <Button onClick={() => void run(() => api.backfill.stop.$post({ json: {} }))}>Stop</Button>
      </p>
    );
  return provider === "none" || sessions === 0 ? null : (
    <p>
      {provider} can read {plural(sessions, "imported session")} in the background: about{" "}
      {count(tokens)} tokens, within the daily budget.{" "}
      <Button onClick={() => void run(() => api.backfill.$post({ json: {} }))}>Read them</Button>
    </p>
  );
}
