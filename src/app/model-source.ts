/**
 * The language model that is chosen now. Without one, nothing of src/models/llm is loaded and nobody is asked
 * anything; with one, its provider is opened in the background and opened anew when the settings name another.
 */
import { loadLlm, type OpenLlm } from "#models";
import {
  noModelWords,
  type Context,
  type Llm,
  type LlmLedger,
  type LlmSettings,
  type ProviderName,
} from "#domain";
import { explainLlmError, llmPlaceOf } from "#api/server";
import { msPerMinute, type Log } from "#kit";

export interface ModelSource {
  /** Null while no model is chosen. Opening happens inside the first question, if it has not happened before. */
  readonly current: () => Llm | null;
  /** The provider that answers and why, as far as it is known by now. */
  readonly status: () => ModelStatus;
  /** Ends calls under way. */
  readonly close: () => Promise<void>;
}

export interface ModelStatus {
  readonly provider: ProviderName | "auto";
  readonly reason: string;
  /** False when a model is chosen and cannot be had. */
  readonly isUsable: boolean;
}

export const unchosen: ModelStatus = {
  provider: "none",
  reason: noModelWords,
  isUsable: true,
};

/** A provider that could not be had is looked for again after this long: a server may have been started, a key set. */
const retryMs = 10 * msPerMinute;

interface Opened {
  /** The settings that it was opened for. */
  readonly stamp: string;
  readonly atMs: number;
  readonly llm: Promise<OpenLlm>;
  ready: OpenLlm | null;
}

/** Nothing happens before `current` or `status` is called with a model chosen. */
export function createModelSource(context: Context, ledger: LlmLedger): ModelSource {
  const settings = (): LlmSettings => context.settings.current().llm;
  let opened: Opened | null = null;
  const use = (): Opened => {
    const stamp = stampOf(settings());
    if (opened !== null && opened.stamp === stamp && !isWorthAnotherLook(opened)) return opened;
    if (opened !== null) void closeOf(opened, context.log);
    opened = openNow(context, ledger, stamp);
    return opened;
  };
  const isWorthAnotherLook = ({ ready, atMs }: Opened): boolean =>
    ready?.status().provider === "none" && context.clock.nowMs() - atMs > retryMs;
  const llm: Llm = {
    structured: async (request) => (await use().llm).structured(request),
    status: () => use().ready?.status() ?? { provider: "none", reason: "being opened" },
  };
  return {
    current: () => (settings().provider === "none" ? null : llm),
    status: () => {
      const { provider } = settings();
      if (provider === "none") return unchosen;
      const { ready } = use();
      if (ready === null)
        return { provider, reason: "chosen in the settings; being opened", isUsable: true };
      const status = ready.status();
      const failure = ready.failure();
      if (failure === null) return { ...status, isUsable: status.provider !== "none" };
      const place = llmPlaceOf(status.provider, settings(), context.paths.root);
      const reason = `failed the last time: ${explainLlmError(failure, place)}`;
      return { ...status, reason, isUsable: false };
    },
    close: async () => {
      if (opened !== null) await closeOf(opened, context.log);
      opened = null;
    },
  };
}

/** Everything that decides which provider answers; limits and models are read with each question. */
const stampOf = ({
  provider,
  model,
  claudeCli,
  anthropic,
  gemini,
  openrouter,
  ollama,
}: LlmSettings): string =>
  JSON.stringify([provider, model, claudeCli, anthropic, gemini, openrouter, ollama]);

function openNow(context: Context, ledger: LlmLedger, stamp: string): Opened {
  const llm = open(context, ledger);
  const opened: Opened = { stamp, atMs: context.clock.nowMs(), llm, ready: null };
  void note(context, opened);
  return opened;
}

async function note({ log }: Context, opened: Opened): Promise<void> {
  try {
    opened.ready = await opened.llm;
    log.write("info", "llm.opened", opened.ready.status());
  } catch {
    log.write("error", "llm.not-opened");
  }
}

async function open(context: Context, ledger: LlmLedger): Promise<OpenLlm> {
  const { chooseProvider, createLlm } = await loadLlm();
  const { clock, env, log, paths, random } = context;
  const settings = (): LlmSettings => context.settings.current().llm;
  const { provider, reason } = await chooseProvider(
    { home: paths.root, env, clock, random },
    settings(),
  );
  return createLlm({ provider, reason, ledger, settings, clock, log });
}

async function closeOf({ llm }: Opened, log: Log): Promise<void> {
  try {
    await (await llm).close();
  } catch {
    log.write("warn", "llm.not-closed");
  }
}
