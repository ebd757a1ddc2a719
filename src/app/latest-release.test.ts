/** The question about a newer release: what is asked, what is believed, and what is said when nobody answers. */
import { afterAll, expect, test } from "bun:test";
import { createLatestRelease } from "./latest-release.ts";

const asked: { readonly path: string; readonly headers: readonly string[] }[] = [];
const releases: Readonly<Record<string, () => Response>> = {
  "/good": () => Response.json({ version: "2.0.1", artefacts: [] }),
  "/pre": () => Response.json({ version: "2.1.0-rc.1" }),
  "/page": () => new Response("<html>log in to this network</html>"),
  "/number": () => Response.json({ version: 2 }),
  "/escape": () => Response.json({ version: "2.0.1\u001b[31m" }),
  "/huge": () => new Response(`{"version":"2.0.1","x":"${"x".repeat(100_000)}"}`),
  "/none": () => new Response("not found", { status: 404 }),
};
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    asked.push({ path: pathname, headers: [...request.headers.keys()].toSorted() });
    const name = pathname.replace("/latest/download/release.json", "");
    return releases[name]?.() ?? new Response("", { status: 500 });
  },
});
afterAll(() => server.stop(true));

const base = `http://127.0.0.1:${server.port}`;
const ask = async (address: string | undefined, binary: string | null = null) =>
  createLatestRelease({ env: { CONTINUITY_RELEASES_URL: address }, binary })();

test("the newest release is asked for by one request that tells nothing of who asks", async () => {
  expect(await ask(`${base}/good/`)).toMatchObject({ ok: true, value: { version: "2.0.1" } });
  expect(asked).toEqual([
    {
      path: "/good/latest/download/release.json",
      headers: ["accept", "accept-encoding", "connection", "host", "user-agent"],
    },
  ]);
});

test.each([
  {
    binary: "/opt/homebrew/Cellar/continuity/2.0.0/bin/continuity",
    how: "brew upgrade continuity",
  },
  {
    binary: "C:\\Users\\a\\scoop\\apps\\continuity\\continuity.exe",
    how: "scoop update continuity",
  },
  {
    binary: "/usr/lib/node_modules/continuity/node_modules/@continuity/linux-x64/continuity",
    how: "npm install -g continuity@latest && continuity install",
  },
  {
    binary: "/home/a/.local/bin/continuity",
    how: `curl -fsSL ${base}/good/latest/download/install.sh | sh`,
  },
])("how to upgrade follows from where the program lies: $binary", async ({ binary, how }) => {
  expect(await ask(`${base}/good`, binary)).toMatchObject({ ok: true, value: { how } });
});

test("a release that is not final is told as it is", async () => {
  expect(await ask(`${base}/pre`)).toMatchObject({ ok: true, value: { version: "2.1.0-rc.1" } });
});

test.each([
  { name: "a page of some proxy", path: "/page", says: "did not answer with a release" },
  { name: "a version that is no text", path: "/number", says: "did not answer with a release" },
  { name: "a version that colours terminals", path: "/escape", says: "did not answer" },
  { name: "an answer without end", path: "/huge", says: "did not answer with a release" },
  { name: "no release yet", path: "/none", says: "status 404" },
])("$name is not believed", async ({ path, says }) => {
  const answer = await ask(`${base}${path}`);
  expect(answer.ok).toBe(false);
  if (!answer.ok) expect(answer.error.message).toContain(says);
});

test.each([
  { name: "nobody listens", address: "http://127.0.0.1:1", says: "cannot be reached" },
  { name: "no address is known", address: undefined, says: "no release URL" },
  { name: "anybody could answer", address: "http://example.com", says: "not an https URL" },
  { name: "it is a file", address: "file:///etc/passwd", says: "not an https URL" },
  { name: "it is no address", address: "example", says: "not an https URL" },
])("when $name, one line says so and what to do", async ({ address, says }) => {
  const before = asked.length;
  const answer = await ask(address);
  expect(answer).toMatchObject({ ok: false, error: { type: "upgrade.unknown" } });
  if (!answer.ok) {
    expect(answer.error.message).toContain(says);
    expect(answer.error.message).not.toContain("\n");
    expect(answer.error.next).toBeString();
  }
  expect(asked.length).toBe(before);
});
