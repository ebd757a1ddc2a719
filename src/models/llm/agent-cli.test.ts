/** Other agents' own clients as providers, each with the form in which the real one prints. */
import { expect, test } from "bun:test";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentCliNames, type AgentCliName } from "#domain";
import { stoppedClock, systemRandom } from "#kit";
import {
  hanging,
  makeFakeClaude,
  printing,
  printingError,
  type ClaudeScript,
} from "../../../test/support/fake-claude.ts";
import { agentClis, createAgentCli } from "./agent-clis.ts";
import { noonMs, tempHome, wordRequest } from "../../../test/support/models/llm.ts";

const said = JSON.stringify('{"word":"hi"}');

const answers: Readonly<Record<AgentCliName, string>> = {
  "codex-cli": `{"type":"thread.started","thread_id":"t"}
{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found"}}
{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":${said}}}
{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":0,"output_tokens":20}}`,
  "gemini-cli": `{"session_id":"s","response":${said},
"stats":{"models":{"gemini-3.1-pro":{"tokens":{"prompt":100,"candidates":15,"thoughts":5,"total":120}}}}}`,
  "opencode-cli": `{"type":"step_start","part":{"type":"step-start"}}
{"type":"text","part":{"type":"text","text":${said}}}
{"type":"step_finish","part":{"tokens":{"total":120,"input":100,"output":20},"cost":0}}`,
  "copilot-cli": `{"type":"session.info","data":{"message":"hello"},"ephemeral":true}
{"type":"assistant.message","data":{"model":"m","content":${said},"toolRequests":[]}}
{"type":"result","sessionId":"s","usage":{"premiumRequests":1}}`,
};

const failures: Readonly<Record<AgentCliName, string>> = {
  "codex-cli": '{"type":"turn.failed","error":{"message":"401 Unauthorized"}}',
  "gemini-cli": '{"session_id":"s","error":{"type":"Error","message":"Not logged in","code":41}}',
  "opencode-cli":
    '{"type":"error","error":{"name":"ProviderAuthError","data":{"message":"authentication failed"}}}',
  "copilot-cli": '{"type":"session.error","data":{"message":"Authentication required"}}',
};

function open(home: string, name: AgentCliName, scripts: readonly ClaudeScript[]) {
  const bin = join(home, "bin");
  const fake = makeFakeClaude(bin, scripts);
  renameSync(fake.program, join(bin, agentClis[name].program));
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, FOREIGN_KEY: "k", GH_TOKEN: "g" };
  const clock = stoppedClock(noonMs);
  return { fake, provider: createAgentCli({ home, env, clock, random: systemRandom }, name) };
}

const { system, schema } = wordRequest();
const question = (over: { readonly model?: string; readonly timeoutMs?: number } = {}) => ({
  model: "",
  system,
  prompt: "The data: quetzal.",
  schema,
  replyTokensMax: 700,
  timeoutMs: 5_000,
  ...over,
});

test.each(agentCliNames)(
  "%s answers, is counted, and is asked on standard input alone",
  async (name) => {
    using home = tempHome();
    const { fake, provider } = open(home.path, name, [printing(answers[name])]);
    const isCounted = name !== "copilot-cli";
    expect(await provider.call(question())).toMatchObject({
      ok: true,
      value: {
        reply: { word: "hi" },
        usage: isCounted
          ? { inputTokens: 100, outputTokens: 20, isEstimate: false }
          : { isEstimate: true },
      },
    });
    const [seen] = fake.calls();
    expect(seen?.input).toContain("You give one word.");
    expect(seen?.input).toContain(JSON.stringify(schema));
    expect(seen?.input).toEndWith("The data: quetzal.");
    expect(seen?.args.join(" ")).not.toMatch(/quetzal|--model/);
    expect(seen?.args).toEqual([...agentClis[name].args(null)]);
    expect(seen?.cwd).toEndWith("model-cwd");
    expect(seen?.inFolder).toBe("");
    // At the marker our own hooks in that client exit; nothing else of the caller goes along.
    expect(seen?.env).toMatchObject({ CONTINUITY_INTERNAL: "1", ...agentClis[name].env });
    expect(Object.keys(seen?.env ?? {})).not.toContain("FOREIGN_KEY");
    expect(Object.keys(seen?.env ?? {}).includes("GH_TOKEN")).toBe(name === "copilot-cli");
  },
);

test.each(agentCliNames)("%s is given the model that is set", async (name) => {
  using home = tempHome();
  const { fake, provider } = open(home.path, name, [printing(answers[name])]);
  await provider.call(question({ model: "small" }));
  expect(fake.calls()[0]?.args.join(" ")).toContain("--model small");
});

test.each(agentCliNames)("%s without a login is no answer", async (name) => {
  using home = tempHome();
  const { provider } = open(home.path, name, [printing(failures[name], 1)]);
  expect(await provider.call(question())).toMatchObject({
    ok: false,
    error: { type: "llm.unauthorised" },
  });
  expect(await provider.probe()).toMatchObject({ usable: name === "copilot-cli" });
  for (const file of agentClis[name].loginFiles) {
    mkdirSync(join(home.path, file, ".."), { recursive: true });
    writeFileSync(join(home.path, file), "{}");
  }
  expect(await provider.probe()).toMatchObject({ usable: true });
});

test.each(agentCliNames)(
  "%s that breaks, says nothing or hangs is unavailable, in words",
  async (name) => {
    using home = tempHome();
    const scripts = [printingError("boom", 3), printing(""), hanging, printing("no JSON at all")];
    const { provider } = open(home.path, name, scripts);
    expect(await provider.call(question())).toMatchObject({
      ok: false,
      error: { type: "llm.unavailable", detail: expect.stringContaining("boom") },
    });
    expect(await provider.call(question())).toMatchObject({ error: { type: "llm.unavailable" } });
    expect(await provider.call(question({ timeoutMs: 300 }))).toMatchObject({
      error: { type: "llm.timeout", afterMs: 300 },
    });
    expect(await provider.call(question())).toMatchObject({ error: { type: "llm.unavailable" } });
  },
);

test.each(agentCliNames)("%s that is not there is named", async (name) => {
  using home = tempHome();
  const clock = stoppedClock(noonMs);
  const env = { PATH: join(home.path, "bin"), HOME: home.path };
  const provider = createAgentCli({ home: home.path, env, clock, random: systemRandom }, name);
  const detail = `there is no \`${agentClis[name].program}\` on the PATH`;
  expect(await provider.call(question())).toEqual({
    ok: false,
    error: { type: "llm.none", detail },
  });
  expect(await provider.probe()).toEqual({ usable: false, reason: detail });
});
