/** Brings in what other programs kept, and tells how far that is and what a model's reading of it has cost. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ImportStateJson, StatusJson, UsageJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { noteChange } from "../state/live.ts";
import { toast } from "../state/toasts.ts";
import { count, plural } from "../parts/format.ts";
import { SelectField } from "../parts/select-field.tsx";
import { Span } from "../parts/text.tsx";

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
  readonly status: StatusJson | null;
  readonly usage: UsageJson | null;
}

/** How an import stands, asked about while one is under way or a model reads what came. */
function useImport() {
  const progress = useSignal<Progress>({ state: null, status: null, usage: null });
  const look = async (): Promise<void> => {
    const [state, status, usage] = await Promise.all([
      answerOf(api.import.state.$get()),
      answerOf(api.status.$get({})),
      answerOf(api.usage.$get({ query: {} })),
    ]);
    const before = progress.peek();
    progress.value = {
      state: state.ok ? state.value : before.state,
      status: status.ok ? status.value : before.status,
      usage: usage.ok ? usage.value : before.usage,
    };
  };
  useEffect(() => void look(), []);
  const { state, status } = progress.value;
  const isRunning = state?.state === "running";
  const isRead = (status?.model.backfill?.left ?? 0) > 0;
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
  const { state, status, usage, isRunning, look } = useImport();
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
        {status !== null && <Stored status={status} usage={usage} />}
        <Outcome state={state} />
      </div>
    </section>
  );
}

const Stored = ({
  status: { counts, model },
  usage,
}: {
  status: StatusJson;
  usage: UsageJson | null;
}) => (
  <>
    <p class="num">
      {count(counts.sessions)} sessions, {count(counts.turns)} turns, {count(counts.memories)}{" "}
      memories stored
    </p>
    {model.backfill !== null && (
      <p class="num">
        <progress
          aria-label="Read by the model"
          value={model.backfill.total - model.backfill.left}
          max={model.backfill.total}
        />{" "}
        {count(model.backfill.total - model.backfill.left)} of{" "}
        {plural(model.backfill.total, "imported session")} read by the model
        {usage !== null && usage.total.cost_usd !== null && (
          <> · ${usage.total.cost_usd.toFixed(2)} in the last 30 days</>
        )}
      </p>
    )}
  </>
);

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
