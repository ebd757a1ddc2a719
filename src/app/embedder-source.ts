/**
 * The embedder that the settings name. The one in the program is there at once; one that a server answers for is known
 * by its settings alone, and its transport is loaded with the first question. What is set wrongly costs the vectors and
 * nothing else: words carry on, and `status` says what is missing.
 */
import { createRemoteEmbedder, loadEmbeddedModel, remoteIdentity, type EmbedPost } from "#embed";
import { loadLlm } from "#models";
import type {
  Embedder,
  EmbedderIdentity,
  EmbedderSettings,
  HookEnvelope,
  PrivacyGate,
  Context,
} from "#domain";
import { err, ok, type Result, textField } from "#kit";
import type { Reader } from "./context.ts";

interface Usual {
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly needsKey: boolean;
}

type RemoteProvider = Exclude<EmbedderSettings["provider"], "embedded">;

const usual: Readonly<Record<RemoteProvider, Usual>> = {
  ollama: {
    model: "nomic-embed-text",
    baseUrl: "http://localhost:11434",
    apiKeyEnv: "",
    needsKey: false,
  },
  openai: {
    model: "text-embedding-3-small",
    baseUrl: "https://api.openai.com/v1",
    apiKeyEnv: "OPENAI_API_KEY",
    needsKey: false,
  },
  voyage: {
    model: "voyage-3.5",
    baseUrl: "https://api.voyageai.com/v1",
    apiKeyEnv: "VOYAGE_API_KEY",
    needsKey: true,
  },
};

/** A question waits this long for its vector: below what a hook may take, and one round trip to a server nearby. */
const promptWaitMs = 250;
const searchWaitMs = 1_500;

export function openEmbedder(
  deps: Context,
  settings: EmbedderSettings,
  modelFolder: string | null = null,
): Result<Embedder, { readonly detail: string }> {
  if (settings.provider === "embedded") {
    const loaded = loadEmbeddedModel(modelFolder);
    return loaded.ok ? loaded : err({ detail: JSON.stringify(loaded.error) });
  }
  const { provider } = settings;
  const remote = {
    wire: provider,
    model: settings.model === "" ? usual[provider].model : settings.model,
    dimension: settings.dimension,
  };
  const known = remoteIdentity(remote);
  const identity = known.ok ? known.value : refusingEmbedder(`${provider}/${remote.model}`);
  const post = known.ok ? postOf(deps, settings, provider) : refusing(known.error);
  return ok(createRemoteEmbedder({ ...deps, post, pause: Bun.sleep }, remote, identity));
}

/** `refusingEmbedder` stands for a model that cannot be asked: no vector is ever stored under it. */
function refusingEmbedder(model: string): EmbedderIdentity {
  const one = remoteIdentity({ wire: "ollama", model, dimension: 1 });
  if (!one.ok) throw new Error("a dimension is given");
  return one.value;
}

const refusing =
  (reason: string): EmbedPost =>
  async () =>
    err({ reason, retryAfterMs: null });

function postOf(
  { paths, env, clock, random }: Context,
  settings: EmbedderSettings,
  provider: RemoteProvider,
): EmbedPost {
  const { baseUrl, apiKeyEnv, needsKey } = usual[provider];
  let opened: Promise<EmbedPost> | null = null;
  const open = async (): Promise<EmbedPost> => {
    const { openJsonPost } = await loadLlm();
    const made = openJsonPost(
      { home: paths.root, env, clock, random },
      {
        provider,
        baseUrl: settings.baseUrl === "" ? baseUrl : settings.baseUrl,
        apiKeyEnv: settings.apiKeyEnv === "" ? apiKeyEnv : settings.apiKeyEnv,
        needsKey: needsKey && settings.baseUrl === "",
      },
    );
    return made.ok ? made.value : refusing(made.error);
  };
  return async (path, body, timeoutMs) => {
    const post = await (opened ??= open());
    return post(path, body, timeoutMs);
  };
}

/**
 * Lets a server embed the prompts of a batch before it is accepted; the gate goes first, as with everything that
 * leaves.
 */
export async function preparePrompts(
  embedder: Embedder,
  { gate, privateWords }: Reader,
  envelopes: readonly HookEnvelope[],
): Promise<void> {
  const { remote } = embedder;
  if (remote === undefined || remote.restingMs() > 0) return;
  const prompts = envelopes.flatMap(({ hook, payload }) => {
    const prompt = hook === "submit" ? payload["prompt"] : null;
    if (typeof prompt !== "string" || typeof payload["agent_id"] === "string") return [];
    const gated = gate.clean(prompt);
    const session = textField(payload, "session_id") ?? "";
    privateWords.addSecrets(session, gated.secrets);
    return gated.whollyPrivate ? [] : [privateWords.withoutSecrets(session, gated.text).trim()];
  });
  await Promise.all(prompts.map((prompt) => remote.prepare(prompt, promptWaitMs)));
}

/** The same for a search over HTTP. */
export async function prepareSearch(
  embedder: Embedder,
  gate: PrivacyGate,
  request: Request,
): Promise<void> {
  const { remote } = embedder;
  if (remote === undefined || remote.restingMs() > 0) return;
  const { pathname, searchParams } = new URL(request.url);
  const text = searchParams.get("q");
  if (pathname !== "/api/search" || text === null) return;
  // Text that the gate would change is searched for by words alone: no other text than what it lets pass ever leaves.
  if (gate.clean(text).text === text) await remote.prepare(text, searchWaitMs);
}
