/**
 * Describes one line by itself: patterns of formats, and whether it addresses a person. Numbers of
 * traits are positions in these tables: append, never reorder, or train anew.
 */
import type { LineShape } from "./shape.ts";

/** A pattern, or one with a piece of text without which it cannot match. */
type Format = RegExp | readonly [needs: string, pattern: RegExp];

/** The ways in which programs, files and reports begin and write their lines. */
const formats: readonly Format[] = [
  /^\s*(?:[-*•‣◦]|\+)\s/,
  /^\s*\(?\d{1,3}[.)]\s/,
  /^\s*\(?[a-zA-Z][.)]\s/,
  ["#", /^\s*#{1,6}\s/],
  [">", /^\s*>/],
  /^\s*(?:```|~~~|"""|''')/,
  ["|", /^\s*\|.*\|\s*$/],
  ["**", /\*\*[^*]+\*\*/],
  /^\s*(?:[-*•]|\d{1,3}[.)])\s+\*\*/,
  ["`", /`[^`]+`/],
  /^\s*(?:[$%❯➜]|>>>|PS [A-Z]:\\?)\s?\S/,
  /^\S{1,60}[@:~]\S{0,60}[$#%>]\s/,
  /\d{4}[-/]\d\d[-/]\d\d/,
  [":", /\b\d{1,2}:\d\d(?::\d\d)?\b/],
  /^\s*\[?(?:\d{4}[-/]\d\d|\d{1,2}:\d\d:\d\d|[A-Z][a-z]{2}\s+\d{1,2}\s\d)/,
  /\b(?:TRACE|DEBUG|DEBU|INFO|WARN|WARNING|ERROR|FATAL|PASS|FAIL|OK|SKIP|NOTICE|CRITICAL)\b/,
  /^\s*(?:error|warning|fatal|panic|note|hint|info|debug|usage|exit)\b[\w ]{0,20}[:[(]/i,
  /^\s*at\s+\S.{0,200}[:(]/,
  ['File "', /File ".{1,200}", line \d/],
  ["E", /\w(?:Error|Exception)\b/],
  [":", /\b[\w./\\-]+\.[a-z]{1,5}:\d+/i],
  /(?:^|\s)(?:~|\.{1,2})?\/[\w.@-]+\/[\w./@-]*/,
  /\b[A-Z]:\\/,
  ["http", /\bhttps?:\/\//],
  ["http", /^\s*https?:\/\/\S+\s*$/],
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/,
  new RegExp(
    String.raw`\b[\w.-]+\.(?:go|ts|tsx|js|jsx|py|rs|java|rb|php|c|h|cpp|cs|kt|swift|md|json|ya?ml|toml|sh|sql` +
      String.raw`|html|css|lock|txt|log|xml)\b`,
  ),
  /[{};]\s*$/,
  /^\s*[}\])]+[;,)]*\s*$/,
  ["(", /\w\([^()]*\)/],
  /=>|->|::|:=|==|!=|&&|\|\|/,
  ["=", /^\s*[\w.-]{1,40}\s*=\s*\S/],
  /^\s*["']?[\w.-]{1,40}["']?\s*:\s+\S/,
  /^\s*["'][^"']{1,60}["']\s*:/,
  /^\s*<\/?[a-z!]/i,
  /^\s*(?:\/\/|\/\*|\*\/|--\s|<!--|;;|%%)/,
  new RegExp(
    String.raw`^\s*(?:import|export|const|let|var|function|func|fn|class|def|return|public|private|package|use` +
      String.raw`|using|if|for|while|else|try|catch|switch|case|type|struct|interface)\b.*(?:[;{(:=]|\)|\]` +
      String.raw`|\bfrom\b.*)\s*$`,
  ),
  /^\s*(?:diff --git|index [0-9a-f]{6,}|@@ |[+-]{3} |[+-](?![-+\s])\S)/,
  /^\s*(?:On branch|Your branch|Changes |Untracked|commit [0-9a-f]{6,}|Author:|Date:|From:|To:|Subject:|Sent:|Cc:)/,
  /^\s*[-dl][rwx-]{9}/,
  /[│┃├└┌╭╰┐┘─━═▌█⎿●⏺✓✔✗✘✅❌⚠⨯•→]/u,
  /^\s*[⏺⎿●✻✽▶✦›]/u,
  ["[", /\x1b\[|\[\d{1,2}m/],
  /\s{3,}\S/,
  /\S\s{2,}\S/,
  /\s$/,
  /\s{4,}$/,
  /[a-z][A-Z]/,
  ["_", /[a-z0-9]_[a-z0-9]/],
  /(?:^|\s)--?[a-z][\w-]*/,
  ["_", /\b[A-Z]{2,}_[A-Z0-9_]+\b/],
  ["$", /(?:^|\s)\$\{?\w+/],
  /(?:[A-Z][a-z]+[ ,]+){3,}[A-Z]/,
  /\b(?:high|medium|low|critical|major|minor|blocker|nit|p[0-4])\b\s*(?:severity|priority|[:)\]–—-])/i,
  /\b(?:lines?|L)\s?\d+\b/,
  /^\s*[\p{Lu}][^.!?。]{3,80}$/u,
  /^\s*\p{Lu}\p{L}*(?:\s\p{L}+){0,3}\s?[:：]\s*$/u,
  /^\s*\p{Lu}\p{L}*(?:\s\p{L}+){0,3}\s?[:：]\s+\S/u,
  /[:：]\s*$/,
  /[?？]["')\]]*\s*$/,
  /[.。!！]["')\]]*\s*$/,
  /,\s*$/,
  /\\\s*$/,
  /\.\.\.|…/,
  /[—–]/,
  /[“”‘’]/,
  /^\s*\p{Ll}/u,
  /^\s*\p{Lu}/u,
  /^\s*\p{Nd}/u,
  /^\s{2,}\S/,
  /^\s*\S+\s*$/,
  /^\s*\S+\s+\S+\s*$/,
  /\b\d+(?:\.\d+)?\s?(?:ms|s|sec|m|h|kb|mb|gb|kib|mib|%|bytes?|px|files?|tests?|lines?)\b/i,
  /\b\d+\/\d+\b|\b\d+\.\d+\.\d+\b/,
  ["=", /\b[\w-]+=\S+\s+[\w-]+=\S+/],
  /[.!?]\s+\p{Lu}\p{L}*\s.*[.!?]\s+\p{Lu}/u,
  ["@", /\b[\w.+-]+@[\w-]+\.\w{2,}/],
  /^\s*(?:[-=_*]\s?){3,}\s*$/,
  /^\s*\[[ xX]?\]|\[(?:\w|\s){1,20}\]/,
  [":", /:\S.*:\S/],
  /(?:GET|POST|PUT|PATCH|DELETE)\s+\//,
  /\b(?:SELECT|INSERT|CREATE|ALTER|JOIN)\b/,
  /^\s*(?:hi|hello|hey|dear|hallo|liebe|moin|bonjour|hola|olá|oi|привет|здравствуйте|你好|您好|こんにちは|お疲れ様)\b/iu,
  new RegExp(
    String.raw`^\s*(?:best|regards|cheers|thanks|thank you|grüße|gruß|viele grüße|cordialement|saludos|abraços` +
      String.raw`|att|с уважением|best regards|kind regards|mit freundlichen grüßen)[,.!]?\s*$`,
    "iu",
  ),
  /^\s*@[\w.~/-]+/,
  /^\s*[\w@.~/-]+\/[\w./@-]+(?::\d+(?:-\d+)?|#L\d+(?:-L?\d+)?)?\s*$/,
  /^\s*(?:exit (?:status|code) \d+|null|undefined|true|false|ok|done)\s*$/i,
  /["“'][^"”']{12,}["”']\s*$/,
  /\b(?:wrote|schrieb|a écrit|escribió|escreveu|написал|написала)\s?:\s*$|さん\s*\d|AM\s*$|PM\s*$/iu,
];

/** The words of address: first and second person, requests, asking. Closed classes of eight languages, by word. */
const voices: readonly string[] = [
  "i me my mine myself i'm i'd i've i'll im ive",
  "we our us let's lets we're we'd we've",
  "you your u yours you're",
  "please pls plz thanks thx sorry",
  "what why how where when which who whats what's",
  "can could should would will do does did is are has have",
  "add fix make remove use update change create run check show try move rename write implement look go commit " +
    "push continue explain review read test help give tell find keep put set let",
  "also and but so or then now still again instead too",
  "ok okay yes no yeah yep nope nah hmm hm well oh ah ugh hey lol btw fyi imo tho gonna wanna cool great perfect " +
    "nice good",
  "don't dont doesn't doesnt can't cant won't wont that's thats it's isn't didn't didnt there's",
  "think want like need wonder guess prefer believe feel saw got tried expected mean understand",
  "maybe actually basically probably really just kind somehow something stuff thing things",
  "ich wir mir mich uns du dir dein deine mein meine unser unsere bitte kannst könntest mach schau soll sollen " +
    "nicht doch mal noch warum wieso danke ja nein",
  "je j'ai tu nous on mon ma mes notre peux pouvez stp svp s'il merci pourquoi veux voudrais fais ça c'est qu'on " +
    "oui non pas",
  "yo tú me mi mis nosotros nuestro nuestra puedes podrías favor gracias quiero necesito haz creo también porque " +
    "qué sí no",
  "eu você voce meu minha nós nosso nossa gente pode poderia obrigado obrigada quero preciso acho não também faz " +
    "porque pra sim",
  "я мы ты вы мне нам меня мой моя наш наша можешь можете пожалуйста спасибо сделай давай надо нужно хочу почему " +
    "не это а ещё еще думаю да нет",
  "the this that these those when which because since however therefore currently already never ensure consider should",
];

/** Signs of the same in scripts without blanks. */
const unspaced: readonly RegExp[] = [
  /[我你您咱们请帮吗呢吧]/u,
  /です|ます|ください|して|ません|だけど|よね|かな|って|たい/u,
];

const voicesByWord: ReadonlyMap<string, readonly number[]> = voices.reduce((all, words, n) => {
  for (const word of words.split(" ")) all.set(word, [...(all.get(word) ?? []), n]);
  return all;
}, new Map<string, readonly number[]>());

/** Voices once anywhere, once among the first words, once as the very first; then the unspaced ones. */
const voiceCount = voices.length * 3 + unspaced.length;

/** The number of traits; hashed features begin there: traits and measures have numbers of their own below it. */
export const traitCount = formats.length + voiceCount;

/** A pattern looks at this much of a line. */
const traitChars = 300;

/** Words with which a person begins to speak: a log may hang on a typed sentence. */
const headWords = 8;

/** Numbers of the traits that a line has. */
export function traitsOf(line: string, shape: LineShape): readonly number[] {
  const text = line.length > traitChars ? line.slice(0, traitChars) : line;
  const found: number[] = [];
  for (const [n, format] of formats.entries()) {
    const [needs, pattern] = format instanceof RegExp ? ["", format] : format;
    if (text.includes(needs) && pattern.test(text)) found.push(n);
  }
  for (const n of spokenBy(text)) found.push(formats.length + n);
  if (shape.caseless === 0) return found;
  for (const [n, pattern] of unspaced.entries())
    if (pattern.test(text)) found.push(formats.length + voices.length * 3 + n);
  return found;
}

/** Numbers of the voices in a text: anywhere, among its first words, as its first. */
function spokenBy(text: string): ReadonlySet<number> {
  const voiced = new Set<number>();
  let at = 0;
  for (const word of text.toLowerCase().match(words) ?? []) {
    for (const n of voicesByWord.get(word) ?? []) {
      voiced.add(n);
      if (at < headWords) voiced.add(voices.length + n);
      if (at === 0) voiced.add(voices.length * 2 + n);
    }
    at += 1;
  }
  return voiced;
}

const words = /[\p{L}'’]+/gu;

/** Measures of a line in steps, each with a number; `from` is the first free one. */
export function measuresOf(line: string, shape: LineShape): readonly number[] {
  const { read, letters, upper, digits, blanks, signs, stops, caseless } = shape;
  const solid = Math.max(1, read - blanks);
  const values: readonly number[] = [
    step(line.length, [8, 16, 30, 50, 75, 82, 100, 140, 200, 320, 600]),
    step(wordsIn(shape), [1, 2, 3, 5, 8, 12, 16, 24, 40]),
    step(letters / solid, [0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, 0.97, 0.99]),
    step(digits / solid, [0.001, 0.03, 0.08, 0.15, 0.3, 0.5]),
    step(signs / solid, [0.001, 0.015, 0.04, 0.08, 0.12, 0.2, 0.35]),
    step(stops / solid, [0.001, 0.015, 0.03, 0.05, 0.08, 0.15]),
    step(upper / Math.max(1, letters), [0.001, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9]),
    step(shape.indent, [1, 2, 3, 4, 5, 8, 12]),
    step(shape.longestWord, [5, 8, 12, 16, 22, 30, 45]),
    step(blanks / Math.max(1, read), [0.05, 0.12, 0.16, 0.2, 0.25, 0.4]),
    step(caseless / Math.max(1, letters), [0.01, 0.5]),
  ];
  return values.map((value, n) => n * measureSteps + value);
}

const measureSteps = 12;
export const measureCount = 11 * measureSteps;

const step = (value: number, bounds: readonly number[]): number => {
  const at = bounds.findIndex((bound) => value < bound);
  return at < 0 ? bounds.length : at;
};

const wordsIn = ({ codes }: LineShape): number =>
  codes.reduce((count, code) => count + (code === 32 || code === 5 ? 1 : 0), 1);
