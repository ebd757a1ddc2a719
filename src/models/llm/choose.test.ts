import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LlmSettings, noModelWords, type Provider } from "#domain";
import { stoppedClock, systemRandom } from "#kit";
import { makeFakeClaude, printing } from "../../../test/support/fake-claude.ts";
import { chooseProvider } from "./choose.ts";
import { llmSettings, noonMs, tempHome } from "../../../test/support/models/llm.ts";

const hosts: Readonly<Record<string, Provider["name"]>> = {
  "ollama.test": "ollama",
  "anthropic.test": "anthropic",
  "gemini.test": "gemini",
  "openrouter.test": "openrouter",
};

/** Everything is configured and only some of it works. */
async function choose(options: {
  readonly home: string;
  readonly provider?: LlmSettings["provider"];
  readonly working?: readonly Provider["name"][];
  readonly keys?: readonly Provider["name"][];
  readonly over?: Partial<LlmSettings>;
  readonly env?: Readonly<Record<string, string>>;
}) {
  const { home, working = [], keys = [] } = options;
  mkdirSync(join(home, "keys"), { recursive: true });
  for (const name of keys) writeFileSync(join(home, "keys", name), "k", { mode: 0o600 });
  const isIn = working.includes("claude-cli");
  const status = printing(
    JSON.stringify({ loggedIn: isIn, authMethod: "claude.ai" }),
    isIn ? 0 : 1,
  );
  const claude = makeFakeClaude(join(home, "bin"), [status]);
  const asked: string[] = [];
  const chosen = await chooseProvider(
    {
      home,
      env: { PATH: `${join(home, "bin")}:${process.env["PATH"]}`, HOME: home, ...options.env },
      clock: stoppedClock(noonMs),
      random: systemRandom,
      fetch: async (url, init) => {
        asked.push(`${init.method} ${url}`);
        const name = hosts[new URL(url).hostname];
        if (name === undefined || !working.includes(name)) return new Response("", { status: 401 });
        return Response.json({ models: [{ name: "llama3.2:latest" }] });
      },
    },
    llmSettings({
      provider: options.provider ?? "auto",
      ollama: { endpoint: "http://ollama.test", model: "llama3.2" },
      anthropic: { apiKeyEnv: "", baseUrl: "https://anthropic.test" },
      gemini: { apiKeyEnv: "", baseUrl: "https://gemini.test" },
      openrouter: { apiKeyEnv: "", baseUrl: "https://openrouter.test/api/v1" },
      ...options.over,
    }),
  );
  return { chosen, asked, calls: claude.calls().map(({ args }) => args) };
}

const all: readonly Provider["name"][] = [
  "claude-cli",
  "ollama",
  "anthropic",
  "gemini",
  "openrouter",
];

test.each(all.map((name, index) => [name, all.slice(index)] as const))(
  "auto takes %s when %j work, and asks none behind it",
  async (name, working) => {
    using home = tempHome();
    const { chosen } = await choose({ home: home.path, working, keys: all.slice(2) });
    expect(chosen.provider?.name).toBe(name);
    expect(chosen.reason).toStartWith("auto: ");
  },
);

test("auto costs nothing: it looks at logins, models and keys, and asks no model", async () => {
  using home = tempHome();
  const { asked, calls } = await choose({
    home: home.path,
    keys: ["anthropic", "gemini", "openrouter"],
  });
  expect(asked).toEqual([
    "GET http://ollama.test/api/tags",
    "GET https://anthropic.test/v1/models?limit=1",
    "GET https://gemini.test/v1beta/models?pageSize=1",
    "GET https://openrouter.test/api/v1/models",
  ]);
  expect(calls).toEqual([["auth", "status"]]);
});

test("when nothing works, the reason says of each why, and no key leaves the machine for nothing", async () => {
  using home = tempHome();
  const { chosen, asked } = await choose({ home: home.path });
  expect(chosen.provider).toBeNull();
  for (const words of [
    "claude-cli: ",
    "not logged in",
    "ollama: ",
    "anthropic: no key",
    "gemini: no key",
    "openrouter: no key",
  ])
    expect(chosen.reason).toContain(words);
  expect(asked).toEqual(["GET http://ollama.test/api/tags"]);
});

test("none asks no provider, looks at nothing and says so", async () => {
  using home = tempHome();
  const { chosen, asked, calls } = await choose({
    home: home.path,
    provider: "none",
    working: all,
  });
  expect(chosen).toEqual({ provider: null, reason: noModelWords });
  expect([asked, calls]).toEqual([[], []]);
});

test.each(all)("%s by name is taken without asking it anything", async (provider) => {
  using home = tempHome();
  const { chosen, asked, calls } = await choose({ home: home.path, provider, keys: all.slice(2) });
  expect(chosen).toMatchObject({
    provider: { name: provider },
    reason: "chosen in the settings",
  });
  expect([asked, calls]).toEqual([[], []]);
});

test.each<
  readonly [string, Parameters<typeof choose>[0]["provider"], Partial<LlmSettings>, string]
>([
  ["a missing key", "anthropic", {}, "anthropic is configured, but no key: put it into"],
  [
    "an address that is none",
    "ollama",
    { ollama: { endpoint: "localhost:11434", model: "m" } },
    "ollama is configured, but llm.ollama.endpoint: localhost:// is no address of a model; http:// or https:// is",
  ],
  [
    "a key that would cross the network in the clear",
    "gemini",
    { gemini: { apiKeyEnv: "K", baseUrl: "http://gemini.test" } },
    "gemini is configured, but llm.gemini.base_url: a key is not sent over plain http to gemini.test; use https",
  ],
  [
    "a login that would",
    "claude-cli",
    { claudeCli: { path: "", apiKeyEnv: "", baseUrl: "http://gate.test" } },
    "claude-cli is configured, but llm.claude-cli.base_url: a key is not sent over plain http to gate.test; use https",
  ],
])(
  "with %s there is no provider, and the reason says what to do",
  async (_, provider, over, reason) => {
    using home = tempHome();
    const { chosen } = await choose({
      home: home.path,
      ...(provider ? { provider } : {}),
      over,
      env: { K: "k" },
    });
    expect(chosen.provider).toBeNull();
    expect(chosen.reason).toStartWith(reason);
  },
);

test("a server in one's own network needs no key", async () => {
  using home = tempHome();
  const { chosen } = await choose({
    home: home.path,
    provider: "openrouter",
    over: { openrouter: { apiKeyEnv: "", baseUrl: "http://gpu-box:8000/v1" } },
  });
  expect(chosen.provider?.name).toBe("openrouter");
});

test.each(["anthropic", "gemini", "openrouter"] as const)(
  "%s without a key names its key file as the one next step",
  async (provider) => {
    using home = tempHome();
    const { chosen } = await choose({ home: home.path, provider });
    const reason = `${provider} is configured, but no key: put it into ${home.path}/keys/${provider}, mode 0600`;
    expect(chosen.reason).toBe(reason);
  },
);
