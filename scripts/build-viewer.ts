/**
 * Builds the viewer's page into one file that the program carries: the page, and its script and style sheet under
 * names that change with their content.
 *
 *   bun scripts/build-viewer.ts PATH      writes the bundle and says how large it is
 */
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { BundleHeader } from "#viewer";

/** What a person waits for, in bytes as they travel; the promise is 150 KB. */
const bytesMax = 70_000;

const folder = join(import.meta.dir, "..", "src", "viewer", "page");
const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly etag: string;
  readonly text: Uint8Array<ArrayBuffer>;
}

/** Bundles the page and writes it to `outfile`. Resolves to its size in bytes. Throws when the page does not compile. */
export async function buildViewer(outfile: string): Promise<number> {
  const [script, style] = [await assetOf("main.tsx", "js"), await assetOf("app.css", "css")];
  const html = await Bun.file(join(folder, "index.html")).text();
  const page = html
    .replaceAll("{{script}}", script.name)
    .replaceAll("{{style}}", style.name)
    .replaceAll(/>\s+</g, "><");
  let end = 0;
  const header: BundleHeader = {
    page,
    assets: [script, style].map(({ name, type, etag, text }) => {
      const start = end;
      end += text.byteLength;
      return { name, type, etag, start, end };
    }),
  };
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  await Bun.write(
    outfile,
    Buffer.concat([line, brotliCompressSync(Buffer.concat([script.text, style.text]))]),
  );
  const sent = [script, style].reduce((sum, { text }) => sum + Bun.gzipSync(text).byteLength, 0);
  if (sent > bytesMax) throw new Error(`the viewer has ${sent} bytes, more than ${bytesMax}`);
  return sent;
}

async function assetOf(entry: string, kind: "js" | "css"): Promise<Asset> {
  const result = await Bun.build({
    entrypoints: [join(folder, entry)],
    target: "browser",
    format: "esm",
    minify: true,
    // In development the JSX runtime carries file names and lines along.
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  const [output] = result.outputs;
  if (!result.success || output === undefined)
    throw new Error(result.logs.map(({ message }) => message).join("\n"));
  const text = await output.text();
  const etag = new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 16);
  return {
    name: `continuity-${etag}.${kind}`,
    type: types[kind] ?? "application/octet-stream",
    etag,
    text: new TextEncoder().encode(text),
  };
}

if (import.meta.main) {
  const [outfile = ""] = process.argv.slice(2);
  if (outfile === "") {
    console.error("usage: bun scripts/build-viewer.ts PATH");
    process.exit(2);
  }
  console.log(`${outfile}: ${await buildViewer(outfile)} bytes`);
}
