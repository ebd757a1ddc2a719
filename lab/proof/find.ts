/** Asks `find` of a home, as an agent would on its command line. */
import { join } from "node:path";

export interface Place {
  readonly binary: string;
  readonly home: string;
  readonly project: string;
  readonly atMs: number;
}

const limit = 5;

/** The texts that it found, best first. */
export function findIn({ binary, home, project, atMs }: Place, asked: string): readonly string[] {
  const { stdout } = Bun.spawnSync([binary, "find", "--json", "--limit", `${limit}`, "--", asked], {
    cwd: join(home, project),
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      CONTINUITY_HOME: join(home, ".continuity"),
      CONTINUITY_PORT: "0",
      CONTINUITY_NOW: `${atMs}`,
    },
    stderr: "ignore",
  });
  const text = stdout.toString();
  if (!text.startsWith("{")) return [];
  const { results } = JSON.parse(text) as {
    readonly results: readonly { readonly l0: string; readonly l1?: string | null }[];
  };
  return results.map(({ l0, l1 }) => [l0, l1 ?? ""].join("\n").trim());
}
