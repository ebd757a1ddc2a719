/** The first visit: how it works, and how what was known before comes in. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BackfillJson } from "#api";
import { answerOf, api } from "../state/connection.ts";
import type { Reply } from "../state/failure.ts";
import { noteChange } from "../state/live.ts";
import { href } from "../state/router.ts";
import { complain } from "../state/toasts.ts";
import { Button, Card } from "../parts/basics.tsx";
import { count, plural } from "../parts/format.ts";

/** Also stands on the first page of an empty store. */
export const SetupParts = () => (
  <div class="charts">
    <HowItWorks />
    <Import />
  </div>
);

const sample = "Which package manager do I use, and what should I know before I touch the tests?";

/** Milliseconds between two questions about a model's reading. */
const askMs = 1_000;

const HowItWorks = () => (
  <Card title="How it works">
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
      yourself. <code>continuity doctor</code> checks the installation.{" "}
      <a href={href("", { try: sample })}>Try a prompt</a> to see what Claude would be sent.
    </p>
  </Card>
);

/** Asks how far a model is with what was imported, again and again while it reads. */
function Import() {
  const progress = useSignal<BackfillJson | null>(null);
  const look = async (): Promise<void> => {
    const answer = await answerOf(api.backfill.$get());
    if (answer.ok) progress.value = answer.value;
  };
  useEffect(() => void look(), []);
  const reading = progress.value;
  const isRead = (reading?.left ?? 0) > 0;
  useEffect(() => {
    if (!isRead) return undefined;
    const timer = setInterval(() => void look(), askMs);
    return () => {
      clearInterval(timer);
      noteChange();
    };
  }, [isRead]);
  return (
    <Card title="Import existing memories">
      <p class="small soft">
        <code>continuity import --from claude-code</code> reads earlier sessions where their program
        keeps them; nothing there is changed. It also reads claude-mem and other agents.
      </p>
      <div role="status" class="small">
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
