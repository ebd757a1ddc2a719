/**
 * Builds the viewer's page into one file that the program carries: the page, and its script and style sheet under
 * names that change with their content.
 *
 *   bun scripts/build-viewer.ts PATH      writes the bundle and says how large it is
 */
import { basename, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { BundleHeader } from "#viewer";

/** The weight limit of script and style sheet, in bytes as they travel. */
const bytesMax = 55_000;

const folder = join(import.meta.dir, "..", "src", "viewer", "page");
const types = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
} as const;

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly brotli: Uint8Array;
}

/** Bundles the page and writes it to `outfile`. Resolves to its size in bytes. Throws when the page does not compile. */
export async function buildViewer(outfile: string): Promise<number> {
  const [script, style] = [await assetOf("main.tsx", "js"), await assetOf("app.css", "css")];
  const html = await Bun.file(join(folder, "index.html")).text();
  const page = html
    .replaceAll("{{script}}", script.name)
    .replaceAll("{{style}}", style.name)
    .replaceAll(/>\s+</g, "><");
  const assets = [script, style];
  let end = 0;
  const header: BundleHeader = {
    page,
    assets: assets.map(({ name, type, brotli }) => {
      const start = end;
      end += brotli.byteLength;
      return { name, type, start, end };
    }),
  };
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  await Bun.write(outfile, Buffer.concat([line, ...assets.map(({ brotli }) => brotli)]));
  if (end > bytesMax) throw new Error(`the viewer has ${end} bytes, more than ${bytesMax}`);
  return end;
}

async function assetOf(entry: string, kind: "js" | "css"): Promise<Asset> {
  const result = await Bun.build({
    entrypoints: [join(folder, entry)],
    target: "browser",
    format: "esm",
    minify: true,
    naming: "continuity-[hash].[ext]",
    // In development the JSX runtime carries file names and lines along.
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [output] = result.outputs;
  if (!result.success || output === undefined)
    throw new Error(result.logs.map(({ message }) => message).join("\n"));
  const brotli = brotliCompressSync(await output.text());
  return { name: basename(output.path), type: types[kind], brotli };
}

if (import.meta.main) {
  const [outfile = ""] = process.argv.slice(2);
  if (outfile === "") {
    console.error("usage: bun scripts/build-viewer.ts PATH");
    process.exit(2);
  }
  console.log(`${outfile}: ${await buildViewer(outfile)} bytes`);
}
