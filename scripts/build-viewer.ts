/**
 * Builds the viewer's page into one file that the program carries: the page, and its script and style sheet under
 * names that change with their content.
 *
 *   bun scripts/build-viewer.ts PATH      writes the bundle and says how large it is
 */
import { basename, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { BundleHeader } from "#viewer";

/**
 * The weight limit of what a person waits for, in bytes as they travel; the promise is 150 KB.
 * Views that are loaded later are not part of it.
 */
const bytesMax = 55_000;

const folder = join(import.meta.dir, "..", "src", "viewer", "page");
const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: Uint8Array<ArrayBuffer>;
}

/** Bundles the page and writes it to `outfile`. Resolves to its size in bytes. Throws when the page does not compile. */
export async function buildViewer(outfile: string): Promise<number> {
  const [scripts, [style]] = [await assetsOf("main.tsx", "js"), await assetsOf("app.css", "css")];
  const [script] = scripts;
  if (script === undefined || style === undefined)
    throw new Error("the viewer has no script or no style sheet");
  const first = atFirst(scripts);
  const html = await Bun.file(join(folder, "index.html")).text();
  const page = html
    .replaceAll("{{script}}", script.name)
    .replaceAll("{{style}}", style.name)
    .replaceAll(/>\s+</g, "><")
    .replace("{{scripthash}}", hashOf(script.text))
    .replace("{{hashes}}", hashesOf(scripts))
    // The browser fetches them together, not one after the other.
    .replace("</head>", `${first.slice(1).map(preload).join("")}</head>`);
  const assets = [...scripts, style];
  let end = 0;
  const header: BundleHeader = {
    page,
    assets: assets.map(({ name, type, text }) => {
      const start = end;
      end += text.byteLength;
      return { name, type, start, end };
    }),
  };
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const packed = brotliCompressSync(Buffer.concat(assets.map(({ text }) => text)));
  await Bun.write(outfile, Buffer.concat([line, packed]));
  const sent = [...first, style].reduce((sum, { text }) => sum + Bun.gzipSync(text).byteLength, 0);
  if (sent > bytesMax) throw new Error(`the viewer has ${sent} bytes, more than ${bytesMax}`);
  return sent;
}

const hashOf = (text: Uint8Array): string =>
  `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`;

/** Hashes of all scripts: the browser runs no other, whoever answers at this address when a view is loaded later. */
const hashesOf = (scripts: readonly Asset[]): string =>
  JSON.stringify({
    integrity: Object.fromEntries(
      scripts.map(({ name, text }) => [`/assets/${name}`, hashOf(text)]),
    ),
  });

const preload = ({ name, text }: Asset): string =>
  `<link rel="modulepreload" nonce="{{nonce}}" href="/assets/${name}" integrity="${hashOf(text)}" />`;

/** The script and all that it imports before it runs; views that are loaded later are imported by a call. */
function atFirst(scripts: readonly Asset[]): readonly Asset[] {
  const found = new Set(scripts.slice(0, 1));
  for (const { text } of found)
    for (const [, name] of new TextDecoder()
      .decode(text)
      .matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      for (const asset of scripts) if (asset.name === name) found.add(asset);
  return [...found];
}

/** The entry comes first; what views that are loaded later consist of follows. */
async function assetsOf(entry: string, kind: "js" | "css"): Promise<readonly Asset[]> {
  const result = await Bun.build({
    entrypoints: [join(folder, entry)],
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    naming: { entry: "continuity-[hash].[ext]", chunk: "continuity-[hash].[ext]" },
    // In development the JSX runtime carries file names and lines along.
    define: { "process.env.NODE_ENV": '"production"' },
    throw: false,
  });
  if (!result.success) throw new Error(result.logs.map(({ message }) => message).join("\n"));
  const ordered = result.outputs.toSorted(
    (a, b) => Number(b.kind === "entry-point") - Number(a.kind === "entry-point"),
  );
  return Promise.all(
    ordered.map(async (output): Promise<Asset> => {
      const text = await output.text();
      return {
        name: basename(output.path),
        type: types[kind] ?? "application/octet-stream",
        text: new TextEncoder().encode(text),
      };
    }),
  );
}

if (import.meta.main) {
  const [outfile = ""] = process.argv.slice(2);
  if (outfile === "") {
    console.error("usage: bun scripts/build-viewer.ts PATH");
    process.exit(2);
  }
  console.log(`${outfile}: ${await buildViewer(outfile)} bytes`);
}
