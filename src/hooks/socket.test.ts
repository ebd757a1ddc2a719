import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { homePaths } from "#domain";
import { findSocket, socketFolderName } from "./socket.ts";

test("a home with a long path that was copied does not reach the daemon of the first one", async () => {
  const base = mkdtempSync(`${tmpdir()}/continuity-socket-`);
  const [first, copy] = ["a", "b"].map((name) => homePaths(`${base}/${name.repeat(120)}`));
  if (first === undefined || copy === undefined) throw new Error("no homes");
  const folder = `${base}/${socketFolderName(first)}`;
  const server =
    (mkdirSync(folder), Bun.listen({ unix: `${folder}/s`, socket: { data: () => {} } }));
  for (const { root, daemonJson } of [first, copy]) {
    mkdirSync(root);
    writeFileSync(daemonJson, JSON.stringify({ pid: 1, version: "1", socket: `${folder}/s` }));
  }
  expect((await findSocket(first)).type).toBe("ours");
  expect((await findSocket(copy)).type).toBe("absent");
  server.stop(true);
  rmSync(base, { recursive: true });
});
