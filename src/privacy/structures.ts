/**
 * Names and values that stand in fields of their own: `name: DB_PASSWORD`, `value: X`; Terraform variables; `.pgpass`
 * lines.
 */
import { isSecret, type Assignment } from "./judge.ts";
import { promiseOf, type Trust } from "./names.ts";
import { isRandom } from "./values.ts";
import { hits, matchAt, type Detector, type Haystack, type Span } from "./spans.ts";

const nameBefore =
  /(?:name|key|variable)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?([\w.-]{3,64})\\?["']?,?\s{0,40}(?:-\s)?\\?["']?$/i;
const valueAfter = /value\\?["']?[ \t]{0,3}[:=][ \t]{0,3}(\\?["']?)([^\s"',}\\]{4,300})/iy;
/** Enough to see the name in the field before. */
const lookBehind = 140;

const variable =
  /variable\s+"([\w-]{1,64})"\s{0,3}\{([^{}]{0,600}?)\bdefault\s{0,20}=\s{0,3}"([^"\n]{1,200})"/y;
const pgpass = /(?<![^\s])[\w.*-]{1,100}:(?:5432|\*):[\w*-]{1,60}:[\w*-]{1,60}:(\S{4,100})/y;

export const detectStructures: Detector = (hay) => [
  ...fields(hay),
  ...variables(hay),
  ...passFiles(hay),
  ...registries(hay),
];

const kindOf = (trust: string): string => (trust === "password" ? "password" : "secret");

/** The value of a field, if it is a secret. */
const secretAt = (field: Omit<Assignment, "isWholeLine">, trust: Trust): readonly Span[] =>
  isSecret({ ...field, isWholeLine: () => true }, trust)
    ? [{ start: field.start, end: field.start + field.value.length, kind: kindOf(trust) }]
    : [];

function fields(hay: Haystack): readonly Span[] {
  return hits(hay, ["value"]).flatMap((at): readonly Span[] => {
    const match = matchAt(valueAfter, hay.text, at);
    const name =
      match === null
        ? undefined
        : nameBefore.exec(hay.text.slice(Math.max(0, at - lookBehind), at))?.[1];
    const value = match?.[2];
    const trust = name === undefined ? null : promiseOf(name);
    if (match === null || name === undefined || value === undefined || trust === null) return [];
    const start = at + match[0].length - value.length;
    return secretAt({ name, joint: "env", quoted: match[1] !== "", value, start }, trust);
  });
}

function variables(hay: Haystack): readonly Span[] {
  return hits(hay, ['variable "']).flatMap((at): readonly Span[] => {
    const match = matchAt(variable, hay.text, at);
    const [, name = "", , value = ""] = match ?? [];
    const trust = promiseOf(name);
    if (match === null || trust === null) return [];
    const start = at + match[0].length - value.length - 1;
    return secretAt({ name, joint: "code", quoted: true, value, start }, trust);
  });
}

/** Docker's configuration: `{"auths": {"registry": {"auth": "X"}}}`. */
const registryAuth = /"auth\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9+/_-]{16,4000}={0,2})\\?"/y;

const registries = (hay: Haystack): readonly Span[] =>
  hits(hay, ['"auth']).flatMap((at): readonly Span[] => {
    const match = matchAt(registryAuth, hay.text, at);
    const value = match?.[1] ?? "";
    if (match === null || !isRandom(value, 16, 3)) return [];
    const start = at + match[0].lastIndexOf(value);
    return [{ start, end: start + value.length, kind: "registry-auth" }];
  });

/** `host:port:database:user:password` */
function passFiles(hay: Haystack): readonly Span[] {
  return hits(hay, [":5432:", ":*:"]).flatMap((at): readonly Span[] => {
    const from = hay.text.slice(Math.max(0, at - 100), at).search(/\S+$/);
    if (from === -1) return [];
    const match = matchAt(pgpass, hay.text, Math.max(0, at - 100) + from);
    const value = match?.[1];
    if (match === null || value === undefined) return [];
    const end = match.index + match[0].length;
    return [{ start: end - value.length, end, kind: "password" }];
  });
}
