/** The same cases for every provider, each over its own wire: what a caller gets, and what the ledger says. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentCliName, LlmError, LlmRequest, Provider } from "#domain";
import { stoppedClock, systemRandom } from "#kit";
import {
  claudeError,
  claudeResult,
  hanging,
  isAlive,
  makeFakeClaude,
  printing,
  printingError,
  type ClaudeScript,
} from "../../../test/support/fake-claude.ts";
import {
  startProvider,
  testKey,
  type Turn,
  type Wire,
} from "../../../test/support/provider-servers.ts";
import { createProvider } from "./choose.ts";
import { createLlm } from "./create-llm.ts";
import {
  keptLog,
  llmSettings,
  memoryLedger,
  noonMs,
  tempHome,
  wordRequest,
  type Word,
} from "../../../test/support/models/llm.ts";

const answer = '{"word": "naïve \\"quoted\\" {braces} 🦜"}';
const word = 'naïve "quoted" {braces} 🦜';

/** A case in the words of the server's turns and of the client's script. */
interface Case {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly claude: readonly ClaudeScript[];
  /** The value's word, or the error. */
  readonly expected: string | Partial<LlmError>;
  /** The differences of a provider that cannot say the same. */
  readonly except?: Partial<Readonly<Record<Provider["name"], string | Partial<LlmError>>>>;
  /** Outcomes in the ledger, one per attempt. */
  readonly ledger: readonly string[];
  readonly exceptLedger?: Partial<Readonly<Record<Provider["name"], readonly string[]>>>;
  readonly timeoutMs?: number;
}

const ok = printing(claudeResult({ structured_output: JSON.parse(answer) as unknown }));
const cannot = "llm.unreadable";

const cases: readonly Case[] = [
  { name: "an answer", turns: [{ say: answer }], claude: [ok], expected: word, ledger: ["ok"] },
  {
    name: "401",
    turns: [{ status: 401 }],
    claude: [printing(claudeError(401, "Failed to authenticate. API Error: 401 scripted"), 1)],
    expected: { type: "llm.unauthorised" },
    ledger: ["llm.unauthorised"],
  },
  {
    name: "a login prompt, or a key that is not known",
    turns: [{ status: 403, message: "Please run /login" }],
    claude: [printing(claudeError(null, "Not logged in · Please run /login"), 1)],
    expected: { type: "llm.unauthorised" },
    ledger: ["llm.unauthorised"],
  },
  {
    name: "429 that says how long to wait",
    turns: [{ status: 429, retryAfter: 7 }],
    claude: [printing(claudeError(429, `Claude AI usage limit reached|${noonMs / 1_000 + 7}`), 1)],
    expected: { type: "llm.rate-limited", retryAfterMs: 7_000 },
    // Gemini says it in fractions of a second, in the body.
    except: { gemini: { type: "llm.rate-limited", retryAfterMs: 6_750 } },
    ledger: ["llm.rate-limited"],
  },
  {
    name: "429 that does not say",
    turns: [{ status: 429 }],
    claude: [printing(claudeError(null, "You've hit your weekly limit · resets 3pm"), 1)],
    expected: { type: "llm.rate-limited", retryAfterMs: null },
    ledger: ["llm.rate-limited"],
  },
  {
    name: "500",
    turns: [{ status: 500 }],
    claude: [printing(claudeError(500, "API Error: 500 scripted"), 1)],
    expected: { type: "llm.unavailable" },
    ledger: ["llm.unavailable"],
  },
  {
    name: "529",
    turns: [{ status: 529 }],
    claude: [printing(claudeError(529, "API Error: 529 scripted"), 1)],
    expected: { type: "llm.unavailable" },
    ledger: ["llm.unavailable"],
  },
  {
    name: "an unknown model",
    turns: [{ status: 404, message: "model: no-such-model" }],
    claude: [printing(claudeError(404, "There's an issue with the selected model"), 1)],
    expected: { type: "llm.refused", status: 404 },
    ledger: ["llm.refused"],
  },
  {
    name: "an error in the midst of the answer",
    turns: [{ failMidway: 529 }],
    claude: [printingError("Error: socket ECONNRESET", 1)],
    expected: { type: "llm.unavailable" },
    ledger: ["llm.unavailable"],
  },
  {
    name: "a hang",
    turns: [{ hang: true }],
    claude: [hanging],
    timeoutMs: 300,
    expected: { type: "llm.timeout", afterMs: 300 },
    ledger: ["llm.timeout"],
  },
  {
    name: "an answer that stops half-way",
    turns: [{ stall: answer }],
    claude: [`printf '{"type": "result", "is_er'\nsleep 300`],
    timeoutMs: 300,
    expected: { type: "llm.timeout", afterMs: 300 },
    ledger: ["llm.timeout"],
  },
  {
    name: "a connection that is dropped at once",
    turns: [{ reset: "at once" }],
    claude: ["kill -9 $$"],
    expected: { type: "llm.unavailable" },
    ledger: ["llm.unavailable"],
  },
  {
    name: "a connection that is dropped half-way",
    turns: [{ reset: "midway" }],
    claude: [`printf '{"type": "result", "is_er'\nkill -9 $$`],
    expected: { type: "llm.unavailable" },
    ledger: ["llm.unavailable"],
  },
  {
    name: "a stream that ends early, as if it were done",
    turns: [{ endEarly: answer }],
    claude: [`printf '{"type": "result", "is_er'`],
    expected: { type: "llm.unavailable" },
    except: { "claude-cli": { type: cannot } },
    ledger: ["llm.unavailable"],
    exceptLedger: { "claude-cli": [cannot, cannot] },
  },
  {
    name: "a page instead of the API",
    turns: [{ page: "<html>{}</html>" }],
    claude: [printingError("error: unknown option '--json-schema'", 1)],
    expected: { type: "llm.unavailable" },
    ledger: ["llm.unavailable"],
  },
  {
    name: "JSON that breaks off, twice",
    turns: [{ say: '{"word": "hal' }],
    claude: [printing(claudeResult({ result: '{"word": "hal' }))],
    expected: { type: cannot },
    ledger: [cannot, cannot],
  },
  {
    name: "an answer that was cut off, and a whole one when asked again",
    turns: [{ cutOff: answer }, { say: answer }],
    claude: [printing(claudeResult({ result: answer.slice(0, 9) })), ok],
    expected: word,
    ledger: [cannot, "ok"],
  },
  {
    name: "prose around the JSON",
    turns: [{ say: `Sure! Here it is: ${answer} I hope that helps.` }],
    claude: [`echo 'warning: something old'\n${ok}`],
    expected: word,
    ledger: ["ok"],
  },
  {
    name: "JSON in a fence",
    turns: [{ say: `Here:\n\`\`\`json\n${answer}\n\`\`\`\nDone.` }],
    // The client's text is not its answer: only the structured output counts.
    claude: [printing(claudeResult({ result: `\`\`\`json\n${answer}\n\`\`\`` }))],
    expected: word,
    except: { "claude-cli": { type: cannot } },
    ledger: ["ok"],
    exceptLedger: { "claude-cli": [cannot, cannot] },
  },
  {
    name: "prose without JSON",
    turns: [{ say: "I'd be glad to help with rate limits and logins!" }],
    claude: [printing(claudeResult({ result: "I'd be glad to help!" }))],
    expected: { type: cannot },
    ledger: [cannot, cannot],
  },
  {
    name: "an empty reply",
    turns: [{ say: "" }],
    claude: ["exit 0"],
    expected: { type: cannot },
    ledger: [cannot, cannot],
  },
  {
    name: "an answer of the wrong shape, twice",
    turns: [{ say: '{"words": []}' }],
    claude: [printing(claudeResult({ structured_output: { words: [] } }))],
    expected: { type: cannot, detail: "word must be a string" },
    ledger: [cannot, cannot],
  },
  {
    name: "an answer of the wrong shape, and a good one when told so",
    turns: [{ say: '{"words": []}' }, { say: answer }],
    claude: [printing(claudeResult({ structured_output: [] })), ok],
    expected: word,
    ledger: [cannot, "ok"],
  },
  {
    name: "an error's JSON as if it were the answer",
    turns: [{ say: '{"type": "error", "error": {"type": "overloaded_error"}, "word": "x"}' }],
    claude: [printing(claudeError(null, '{"word": "x"}'))],
    expected: { type: cannot },
    except: { "claude-cli": { type: "llm.unavailable" } },
    ledger: [cannot, cannot],
    exceptLedger: { "claude-cli": ["llm.unavailable"] },
  },
  {
    name: "a refusal by the model",
    turns: [{ decline: true }],
    claude: [
      printing(
        claudeResult({ is_error: true, terminal_reason: "structured_output_retry_exhausted" }),
        1,
      ),
    ],
    expected: { type: "llm.refused", status: 200 },
    // Ollama's models say no in words.
    except: { ollama: { type: cannot }, "claude-cli": { type: cannot } },
    ledger: ["llm.refused"],
    exceptLedger: { ollama: [cannot, cannot], "claude-cli": [cannot, cannot] },
  },
];

/** The clients of other agents have a test of their own. */
type ServerName = Exclude<Provider["name"], "claude-cli" | AgentCliName>;

const wires: Readonly<Record<ServerName, Wire>> = {
  anthropic: "anthropic",
  gemini: "gemini",
  openrouter: "openai",
  ollama: "ollama",
};

const home = tempHome();
afterAll(() => home[Symbol.dispose]());
mkdirSync(join(home.path, "keys"));
for (const name of ["anthropic", "gemini", "openrouter"])
  writeFileSync(join(home.path, "keys", name), `${testKey}\n`, { mode: 0o600 });

interface Subject {
  readonly provider: Provider;
  /** Prompts that arrived. */
  readonly prompts: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const providerDeps = {
  home: home.path,
  env: { PATH: process.env["PATH"], HOME: home.path },
  clock: stoppedClock(noonMs),
  random: systemRandom,
};

async function subjectOf(name: ServerName | "claude-cli", given: Case): Promise<Subject> {
  return name === "claude-cli" ? claudeSubject(given) : serverSubject(name, given);
}

async function serverSubject(name: ServerName, { turns }: Case): Promise<Subject> {
  const server = await startProvider(wires[name], turns);
  const baseUrl = name === "openrouter" ? `${server.url}/api/v1` : server.url;
  const settings = llmSettings({
    provider: name,
    ollama: { endpoint: server.url, model: "llama3.2" },
    ...(name === "ollama" ? {} : { [name]: { apiKeyEnv: "", baseUrl } }),
  });
  const made = createProvider(providerDeps, settings, name);
  if (!made.ok) throw new Error(made.error);
  return {
    provider: made.value,
    prompts: () => server.requests.map(({ body }) => JSON.stringify(body)),
    stop: server.stop,
  };
}

let claudes = 0;

function claudeSubject({ claude }: Case): Subject {
  claudes += 1;
  const fake = makeFakeClaude(join(home.path, `claude-${claudes}`), claude);
  const settings = llmSettings({
    provider: "claude-cli",
    claudeCli: { path: fake.program, apiKeyEnv: "", baseUrl: "" },
  });
  const made = createProvider(providerDeps, settings, "claude-cli");
  if (!made.ok) throw new Error(made.error);
  return {
    provider: made.value,
    prompts: () => fake.calls().map(({ input }) => input),
    stop: async () => expect(fake.pids().filter(isAlive)).toEqual([]),
  };
}

async function ask(provider: Provider, over: Partial<LlmRequest<Word>>) {
  const ledger = memoryLedger();
  const log = keptLog();
  const llm = createLlm({
    provider,
    reason: "test",
    ledger,
    settings: () => llmSettings(),
    clock: stoppedClock(noonMs),
    log,
  });
  const outcome = await llm.structured(wordRequest(over));
  await llm.close();
  return { outcome, ledger, log };
}

describe.each([...Object.keys(wires), "claude-cli"] as (ServerName | "claude-cli")[])(
  "%s",
  (name) => {
    test.each([...cases])("$name", async (given) => {
      const subject = await subjectOf(name, given);
      const limits = { replyTokensMax: 100, timeoutMs: given.timeoutMs ?? 5_000 };
      const { outcome, ledger, log } = await ask(subject.provider, { limits });
      await subject.stop();

      const expected = given.except?.[name] ?? given.expected;
      if (typeof expected === "string") {
        expect(outcome).toMatchObject({ ok: true, value: { value: { word: expected } } });
        expect(ledger.calls.at(-1)).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      } else {
        expect(outcome).toMatchObject({ ok: false, error: expected });
        expect(outcome).not.toHaveProperty("value");
        expect(outcome.ok ? {} : outcome.error).not.toHaveProperty("usage");
      }
      expect(ledger.calls.map((call) => call.outcome)).toEqual([
        ...(given.exceptLedger?.[name] ?? given.ledger),
      ]);
      expect(subject.prompts()).toHaveLength(ledger.calls.length);
      const [first = "", second] = subject.prompts();
      expect(first).toContain("The data: quetzal.");
      expect(first).not.toContain("could not be used");
      if (second !== undefined) {
        expect(second).toContain("could not be used");
        expect(second.length - first.length).toBeLessThan(400); // No history.
      }
      expect(JSON.stringify(outcome)).not.toContain(testKey);
      expect(log.lines.join()).not.toMatch(/quetzal|naïve|scripted|test-key/);
    });
  },
);
