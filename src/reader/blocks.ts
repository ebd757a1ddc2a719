/**
 * Parts of a prompt between tags. Blocks of the client are not the user's words. What stands between tags of an unknown
 * name was wrapped by some program; elements of HTML are what people write about. Linear in the text.
 */
import { clientTags } from "#domain";
import { tagsIn, type Tag } from "#kit";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text without the client's blocks. An opening tag without its end stays: a user may have typed it. */
export const withoutClientBlocks = (text: string): string =>
  text.includes("<") ? without(text, closedSpans(tagsIn(text, clientTags), "tags")) : text;

/**
 * Blanks the client's blocks and the content of unknown elements: same length, same lines, so that positions agree.
 */
export function blankedBlocks(text: string): { readonly own: string; readonly client: string } {
  if (!text.includes("<")) return { own: text, client: text };
  const client = blanked(text, closedSpans(tagsIn(text, clientTags), "tags"));
  const unknown = tagsIn(client, null).filter(({ name }) => !html.has(name));
  return { client, own: blanked(client, closedSpans(unknown, "content")) };
}

/** Outermost pairs of an opening and a closing tag of one name, with their tags or without. */
function closedSpans(tags: readonly Tag[], what: "tags" | "content"): readonly Span[] {
  const openByName = new Map<string, Tag[]>();
  const spans: Span[] = [];
  for (const tag of tags) {
    const open = openByName.get(tag.name) ?? [];
    openByName.set(tag.name, open);
    if (tag.kind === "open") open.push(tag);
    const partner = tag.kind === "close" ? open.pop() : undefined;
    if (tag.kind === "empty" && what === "tags") spans.push(tag);
    if (partner === undefined) continue;
    spans.push(
      what === "tags"
        ? { start: partner.start, end: tag.end }
        : { start: partner.end, end: tag.start },
    );
  }
  return outermost(spans);
}

function outermost(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  let end = -1;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start < end) continue;
    kept.push(span);
    end = span.end;
  }
  return kept;
}

function without(text: string, spans: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end } of spans) {
    out += text.slice(from, start);
    from = end;
  }
  return out + text.slice(from);
}

function blanked(text: string, spans: readonly Span[]): string {
  let out = "";
  let from = 0;
  for (const { start, end } of spans) {
    out += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, " ");
    from = end;
  }
  return out + text.slice(from);
}

/** Elements that people ask about and format with; of other names nothing is known. */
const html: ReadonlySet<string> = new Set(
  (
    "a abbr article aside audio b blockquote body br button canvas code details dialog div em fieldset figure footer " +
    "form head header hr html i iframe img input ins kbd label legend li link main mark menu meta nav ol optgroup " +
    "option p path picture progress s section select slot small source span strong sub summary sup svg table tbody " +
    "td template textarea tfoot th thead time title tr u ul video"
  ).split(" "),
);
