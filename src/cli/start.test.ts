/** Tests what a command loads before it does anything: people wait for it. */
import { expect, test } from "bun:test";
import { join } from "node:path";

/** Runs a command line in a process of its own; which of the schema library's modules it loaded. */
async function loadedBy(argv: readonly string[]): Promise<{ readonly out: string; zod: number }> {
  const script = `
    import { runCli } from ${JSON.stringify(join(import.meta.dir, "index.ts"))};
    let out = "";
    const io = { out: (text) => void (out += text), err: () => undefined, isTerminal: false, columns: 100, ask: null };
    const clock = { nowMs: () => 0 };
    await runCli({ argv: ${JSON.stringify(argv)}, io, clock, env: {}, version: "1.2.3" });
    const zod = Object.keys(require.cache).filter((path) => path.includes("/node_modules/zod/"));
    console.log(JSON.stringify({ out, zod: zod.length }));
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text()) as { out: string; zod: number };
}

test("a command that shows no help loads no schemas", async () => {
  expect(await loadedBy(["version"])).toEqual({ out: "1.2.3\n", zod: 0 });
});

test.each([[["list", "--help"]], [["help", "list"]], [["list", "-h"]]])(
  "%p shows the fields of --json, which the forms of the API say",
  async (argv) => {
    const { out, zod } = await loadedBy(argv);
    expect(out).toContain("evidence_count  how often it was learnt");
    expect(zod).toBeGreaterThan(0);
  },
);
