import { expect, test } from "bun:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { filesOf, viewerFiles } from "./index.ts";

const bundle = (): Uint8Array => {
  const [script, style] = ["let a = '{{nonce}}\\n'", "a{}"].map((text) =>
    brotliCompressSync(text),
  ) as [Buffer, Buffer];
  const header = {
    page: '<script nonce="{{nonce}}"></script><link nonce="{{nonce}}">',
    assets: [
      { name: "a.js", type: "text/javascript", start: 0, end: script.length },
      {
        name: "a.css",
        type: "text/css",
        start: script.length,
        end: script.length + style.length,
      },
    ],
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), script, style]);
};

test("the page carries the nonce at every script and style, and files come out as they went in", () => {
  const files = filesOf(bundle);
  expect(files.page("abc")).toBe('<script nonce="abc"></script><link nonce="abc">');
  const asset = files.asset("a.css");
  expect(asset).toMatchObject({ type: "text/css" });
  expect(brotliDecompressSync(asset?.brotli ?? new Uint8Array()).toString()).toBe("a{}");
});

test.each(["", "b.js", "A.js", "../a.js", "__proto__", "constructor"])(
  "there is no file called %p",
  (name) => {
    expect(filesOf(bundle).asset(name)).toBeNull();
  },
);

test("the bundle is read once, and not before somebody asks", () => {
  let reads = 0;
  const files = filesOf(() => {
    reads += 1;
    return bundle();
  });
  expect(reads).toBe(0);
  files.page("a");
  files.asset("a.js");
  expect(reads).toBe(1);
});

test("a program that runs from source has no viewer", () => {
  expect(viewerFiles()).toBeNull();
});
