/** The door of the viewer room, on the daemon's side: the page's files and nothing of the page. */
import { readFileSync } from "node:fs";
import type { ViewerFiles } from "#api/server";

// The page's files as they lie in the program: one bundle, written by scripts/build-viewer.ts, read when a browser
// first asks. Runs in the daemon; must know nothing of what the page does.

/** The bundle: one line of JSON, then the files that it speaks of, as Brotli. */
export interface BundleHeader {
  readonly page: string;
  readonly assets: readonly {
    readonly name: string;
    readonly type: string;
    /** Bytes behind the line. */
    readonly start: number;
    readonly end: number;
  }[];
}

/** The bundle, at the path where the build laid it; absent in a program that runs from source. */
const pathKey = Symbol.for("continuity.viewer");
const lineEnd = 10;

/** The page and its files, or null when this program was built without them. */
export function viewerFiles(): ViewerFiles | null {
  const path: unknown = Reflect.get(globalThis, pathKey);
  return typeof path === "string" ? filesOf(() => readFileSync(path)) : null;
}

/** The same over any bundle. `read` is called once, when the first file is asked for. */
export function filesOf(read: () => Uint8Array): ViewerFiles {
  let opened: ReturnType<typeof open> | null = null;
  const bundle = () => (opened ??= open(read()));
  return {
    page: (nonce) => bundle().page.replaceAll("{{nonce}}", nonce),
    asset: (name) => {
      const { assets, bytes } = bundle();
      const found = assets.find((asset) => asset.name === name);
      if (found === undefined) return null;
      return { type: found.type, brotli: bytes.subarray(found.start, found.end) };
    },
  };
}

function open(file: Uint8Array) {
  const at = file.indexOf(lineEnd);
  // We wrote it ourselves, in the same build.
  const header = JSON.parse(new TextDecoder().decode(file.subarray(0, at))) as BundleHeader;
  return { ...header, bytes: file.subarray(at + 1) };
}
