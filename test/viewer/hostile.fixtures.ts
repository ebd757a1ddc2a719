/** Memories whose text would do harm if it were anything but text. `window.pwned` is what their code would set. */
export interface HostileMemory {
  readonly slug: string;
  readonly l0: string;
  readonly l1: string;
  readonly l2: string;
}

const script = "<script>window.pwned = 'script'</script>";
const image = "<img src=x onerror=\"window.pwned = 'image'\">";
const svg =
  '<svg onload="window.pwned = \'svg\'"><animate onbegin="window.pwned = 1" attributeName=x /></svg>';
const link = '<a href="javascript:window.pwned = 1">click</a> [md](javascript:window.pwned=1)';
const template =
  "{{constructor.constructor('window.pwned = 1')()}} ${window.pwned = 1} %3Cscript%3E";

export const longLine = `${"a".repeat(39_900)} and the end`;
/** A direction override that would show `exe.gpj` as `jpg.exe`, an isolate left open, and right-to-left words. */
export const rightToLeft = "invoice\u202egpj.exe \u2067 left open, then שלום and مرحبا";
export const terminal =
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell\u0007 back\u0008space nul\u0000 \u009b2J";

export const hostileMemories: readonly HostileMemory[] = [
  {
    slug: "hostile-html",
    l0: `HTML in a memory ${script}${image}`,
    l1: `${svg}\n${link}`,
    l2: `${script}\n${image}\n${svg}\n${link}\n${template}`,
  },
  {
    slug: "hostile-svg",
    l0: `SVG with events ${svg}`,
    l1: `</textarea></title></style>${script}`,
    l2: `<iframe srcdoc="${script.replaceAll('"', "&quot;")}"></iframe><math><mtext></form><form><mglyph><style></math>${image}`,
  },
  {
    slug: "hostile-long-line",
    l0: "A line of 40,000 characters",
    l1: longLine.slice(0, 7_000),
    l2: longLine,
  },
  {
    slug: "hostile-rtl",
    l0: `Direction overrides ${rightToLeft}`,
    l1: rightToLeft,
    l2: rightToLeft.repeat(20),
  },
  { slug: "hostile-ansi", l0: `Terminal codes ${terminal}`, l1: terminal, l2: terminal },
];
