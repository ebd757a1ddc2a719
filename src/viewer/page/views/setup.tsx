/** The first visit, and any on which one wonders whether all is well: checks, import, and how it works. */
import type { DoctorJson } from "#api";
import { answerOf, api } from "../state/api.ts";
import { copy } from "../state/copy.ts";
import { href } from "../state/router.ts";
import { useResource } from "../state/resource.ts";
import { plural } from "../parts/format.ts";
import { Icon } from "../parts/icons.tsx";
import { Failed, Waiting } from "../parts/states.tsx";
import { Span } from "../parts/text.tsx";
import { Import } from "./import-card.tsx";

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
