/** A registry of npm packages on this machine, and the package managers that install from it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
const tools = join(root, ".cache", "first-day");
/** Folder of the registry's and the package managers' programs. */
const toolsBin = join(tools, "node_modules", ".bin");
/** Yarn's two lines give their programs one name. */
export const yarns = {
  first: join(tools, "node_modules", "yarn", "bin", "yarn.js"),
  berry: join(tools, "node_modules", "@yarnpkg", "cli-dist", "bin", "yarn.js"),
};
const wanted = ["verdaccio@6", "pnpm@10", "yarn@1", "@yarnpkg/cli-dist@4", "bun@1.4.4"];

export const toolPath = (name: string): string => join(toolsBin, name);

/** Installs the registry and the package managers, once; throws with npm's words where they cannot be had. */
export function installTools(): void {
  if (existsSync(toolPath("verdaccio"))) return;
  mkdirSync(tools, { recursive: true });
  // One of verdaccio's packages names a version of `node-fetch` by a label that some mirrors of npm do not carry.
  const overrides = { "verdaccio-audit": { "node-fetch": "2.7.0" } };
  writeFileSync(join(tools, "package.json"), JSON.stringify({ private: true, overrides }));
  runOrThrow(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", ...wanted], {
    cwd: tools,
  });
  // Bun's own script, which links its binary; npm 11 does not run it unasked.
  runOrThrow(["node", join(tools, "node_modules", "bun", "install.js")], { cwd: tools });
}

/** Runs a command to its end; throws with what it printed when it fails. */
export function runOrThrow(
  command: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const ran = Bun.spawnSync([...command], { cwd, env, timeout: 180_000, stdin: "ignore" });
  const printed = `${ran.stdout.toString()}${ran.stderr.toString()}`;
  if (!ran.success) throw new Error(`${command.join(" ")}: ${printed.trim().slice(-800)}`);
  return printed;
}

export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** Publishes a tarball as `npm publish` does. */
  readonly publish: (tarball: string) => void;
}

/** Starts an empty registry that asks no other one. */
export async function openRegistry(): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), "continuity-registry-"));
  using free = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const listen = `127.0.0.1:${free.port}`;
  await free.stop(true);
  const config = join(folder, "config.yaml");
  writeFileSync(
    config,
    `storage: ${folder}/storage
auth: { htpasswd: { file: ${folder}/htpasswd } }
uplinks: {}
packages: { "**": { access: $all, publish: $all } }
max_body_size: 200mb
log: { type: stdout, level: fatal }
`,
  );
  const npmrc = join(folder, "npmrc");
  // npm publishes only with a token, whatever the registry makes of it.
  writeFileSync(npmrc, `registry=http://${listen}/\n//${listen}/:_authToken=nobody\n`);
  const server = Bun.spawn([toolPath("verdaccio"), "--config", config, "--listen", listen], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const isUp = async (): Promise<boolean> =>
    fetch(`http://${listen}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error("the registry does not start");
    await Bun.sleep(100);
  }
  return {
    url: `http://${listen}/`,
    publish: (tarball) =>
      void runOrThrow(["npm", "publish", "--userconfig", npmrc, tarball], { cwd: folder }),
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
