/**
 * What one line looks like by itself: patterns of formats, and whether it addresses somebody. Numbers of traits are
 * positions in these tables: append, never reorder, or train anew.
 */
import type { LineShape } from "./shape.ts";

/** How programs, files and reports begin and write their lines. */
const formats: readonly RegExp[] = [
  /^\s*(?:[-*•‣◦]|\+)\s/,
  /^\s*\(?\d{1,3}[.)]\s/,
  /^\s*\(?[a-zA-Z][.)]\s/,
  /^\s*#{1,6}\s/,
  /^\s*>/,
  /^\s*(?:```|~~~|"""|''')/,
  /^\s*\|.*\|\s*$/,
  /\*\*[^*]+\*\*/,
  /^\s*(?:[-*•]|\d{1,3}[.)])\s+\*\*/,
  /`[^`]+`/,
  /^\s*(?:[$%❯➜]|>>>|PS [A-Z]:\\?)\s?\S/,
  /^\S{1,60}[@:~]\S{0,60}[$#%>]\s/,
  /\d{4}[-/]\d\d[-/]\d\d/,
  /\b\d{1,2}:\d\d(?::\d\d)?\b/,
  /^\s*\[?(?:\d{4}[-/]\d\d|\d{1,2}:\d\d:\d\d|[A-Z][a-z]{2}\s+\d{1,2}\s\d)/,
  /\b(?:TRACE|DEBUG|DEBU|INFO|WARN|WARNING|ERROR|FATAL|PASS|FAIL|OK|SKIP|NOTICE|CRITICAL)\b/,
  /^\s*(?:error|warning|fatal|panic|note|hint|info|debug|usage|exit)\b[\w ]{0,20}[:[(]/i,
  /^\s*at\s+\S.{0,200}[:(]/,
  /File ".{1,200}", line \d/,
  /\b\w+(?:Error|Exception)\b/,
  /\b[\w./\\-]+\.[a-z]{1,5}:\d+/i,
  /(?:^|\s)(?:~|\.{1,2})?\/[\w.@-]+\/[\w./@-]*/,
  /\b[A-Z]:\\/,
  /\bhttps?:\/\//,
  /^\s*https?:\/\/\S+\s*$/,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/,
  /\b[\w.-]+\.(?:go|ts|tsx|js|jsx|py|rs|java|rb|php|c|h|cpp|cs|kt|swift|md|json|ya?ml|toml|sh|sql|html|css|lock|txt|log|xml)\b/,
  /[{};]\s*$/,
  /^\s*[}\])]+[;,)]*\s*$/,
  /\w\([^()]*\)/,
  /=>|->|::|:=|==|!=|&&|\|\|/,
  /^\s*[\w.-]{1,40}\s*=\s*\S/,
  /^\s*["']?[\w.-]{1,40}["']?\s*:\s+\S/,
  /^\s*["'][^"']{1,60}["']\s*:/,
  /^\s*<\/?[a-z!]/i,
  /^\s*(?:\/\/|\/\*|\*\/|--\s|<!--|;;|%%)/,
  /^\s*(?:import|export|const|let|var|function|func|fn|class|def|return|public|private|package|use|using|if|for|while|else|try|catch|switch|case|type|struct|interface)\b.*(?:[;{(:=]|\)|\]|\bfrom\b.*)\s*$/,
  /^\s*(?:diff --git|index [0-9a-f]{6,}|@@ |[+-]{3} |[+-](?![-+\s])\S)/,
  /^\s*(?:On branch|Your branch|Changes |Untracked|commit [0-9a-f]{6,}|Author:|Date:|From:|To:|Subject:|Sent:|Cc:)/,
  /^\s*[-dl][rwx-]{9}/,
  /[│┃├└┌╭╰┐┘─━═▌█⎿●⏺✓✔✗✘✅❌⚠⨯•→]/u,
  /^\s*[⏺⎿●✻✽▶✦›]/u,
  /\x1b\[|\[\d{1,2}m/,
  /\s{3,}\S/,
  /\S\s{2,}\S/,
  /\s$/,
  /\s{4,}$/,
  /\b[a-z]+[A-Z]\w*/,
  /\b[a-z0-9]+_[a-z0-9_]+\b/,
  /(?:^|\s)--?[a-z][\w-]*/,
  /\b[A-Z]{2,}_[A-Z0-9_]+\b/,
  /(?:^|\s)\$\{?\w+/,
  /(?:\b[A-Z][a-z]+\b[ ,]*){4,}/,
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
  /\b(?:i|i'm|im|i'd|i've|ive|dont|doesnt|cant|wont|thats|lets|u|pls|plz|btw|hmm+|ok|okay|yeah|yep|nope|nah|gonna|wanna|oh|ah|ugh|hey|lol|fyi|imo|afaik|tho)\b/,
  /\b(?:[a-z]+)'(?:t|s|re|ve|ll|d|m)\b/i,
  /^\s*\p{Ll}/u,
  /^\s*\p{Lu}/u,
  /^\s*\p{Nd}/u,
  /^\s{2,}\S/,
  /^\s*\S+\s*$/,
  /^\s*\S+\s+\S+\s*$/,
  /\b\d+(?:\.\d+)?\s?(?:ms|s|sec|m|h|kb|mb|gb|kib|mib|%|bytes?|px|files?|tests?|lines?)\b/i,
  /\b\d+\/\d+\b|\b\d+\.\d+\.\d+\b/,
  /\b[\w-]+=\S+\s+[\w-]+=\S+/,
  /[.!?]\s+\p{Lu}\p{L}*\s.*[.!?]\s+\p{Lu}/u,
  /\b[\w.+-]+@[\w-]+\.\w{2,}/,
  /^\s*(?:[-=_*]\s?){3,}\s*$/,
  /^\s*\[[ xX]?\]|\[(?:\w|\s){1,20}\]/,
  /:\S.*:\S/,
  /(?:GET|POST|PUT|PATCH|DELETE)\s+\//,
  /\b(?:SELECT|INSERT|UPDATE|CREATE|ALTER|FROM|WHERE|JOIN)\b/,
  /^\s*(?:hi|hello|hey|dear|hallo|liebe|moin|bonjour|hola|olá|oi|привет|здравствуйте|你好|您好|こんにちは|お疲れ様)\b/iu,
  /^\s*(?:best|regards|cheers|thanks|thank you|grüße|gruß|viele grüße|cordialement|saludos|abraços|att|с уважением|best regards|kind regards|mit freundlichen grüßen)[,.!]?\s*$/iu,
  /^\s*@[\w.~/-]+/,
  /^\s*[\w@.~/-]+\/[\w./@-]+(?::\d+(?:-\d+)?|#L\d+(?:-L?\d+)?)?\s*$/,
  /^\s*(?:exit (?:status|code) \d+|null|undefined|true|false|ok|done)\s*$/i,
  /["“'][^"”']{12,}["”']\s*$/,
  /\S.{20,}:\s+\S.*\b(?:error|fail|panic|at|line)\b/i,
  /\b(?:wrote|schrieb|a écrit|escribió|escreveu|написал|написала)\s?:\s*$|さん\s*\d|AM\s*$|PM\s*$/iu,
];

/** Who speaks to whom: first and second person, requests, asking. Closed classes of eight languages. */
const voices: readonly RegExp[] = [
  /\b(?:I|i|me|my|mine|myself|I'm|I'd|I've|I'll)\b/,
  /\b(?:we|our|us|let's|lets|we're|we'd|we've)\b/i,
  /\b(?:you|your|u|yours|you're)\b/i,
  /\b(?:can|could|would|will|did|do|should|is|are|does|have) (?:you|we|i|this|that|it|there)\b/i,
  /\b(?:please|pls|plz|thanks|thx|sorry)\b/i,
  /^\s*(?:what|why|how|where|when|which|who|is|are|does|do|did|can|could|should|would|has|have)\b/i,
  /^\s*(?:add|fix|make|remove|use|update|change|create|run|check|show|try|move|rename|write|implement|let|look|do|don't|go|commit|push|continue|explain|review|read|test|help|give|tell|find|keep|put|set|also|and|but|so|or|then|now|ok|okay|yes|no|yeah|maybe|actually|hmm|well|next|still|just|not|great|good|cool|perfect|nice)\b/i,
  /\b(?:think|want|like|need|wonder|guess|prefer|believe|feel|saw|got|tried|expected|mean|understand)\b/i,
  /\b(?:maybe|actually|basically|probably|really|just|kind of|somehow|something|stuff|thing|things|like)\b/i,
  /\b(?:ich|wir|mir|mich|uns|du|dir|dein\w*|mein\w*|unser\w*|bitte|kannst|könntest|mach|schau|soll\w*|nicht|doch|mal|noch|warum|wieso|danke)\b/i,
  /\b(?:je|j'ai|tu|nous|on|mon|ma|mes|notre|peux|pouvez|stp|svp|s'il|merci|pourquoi|veux|voudrais|fais|ça|c'est|qu'on)\b/iu,
  /\b(?:yo|tú|me|mi|mis|nosotros|nuestr\w+|puedes|podrías|por favor|gracias|quiero|necesito|haz|creo|también|porque|qué)(?![\p{L}])/iu,
  /\b(?:eu|você|voce|meu|minha|nós|nosso|nossa|gente|pode|poderia|obrigado|obrigada|quero|preciso|acho|não|também|faz|porque|pra)(?![\p{L}])/iu,
  /(?<!\p{L})(?:я|мы|ты|вы|мне|нам|меня|мой|моя|наш|наша|можешь|можете|пожалуйста|спасибо|сделай|давай|надо|нужно|хочу|почему|не|это|а|ещё|еще|думаю)(?!\p{L})/iu,
  /[我你您咱]|我们|请|帮|吗|呢|吧|为什么|怎么/u,
  /です|ます|ください|してほしい|ませんか|だけど|よね|かな|って|たい/u,
  /\b(?:the|this|that|these|those|when|which|because|since|however|therefore|instead|currently|already|never|ensure|consider|should)\b/i,
];

/** Where hashed features begin: traits and measures have numbers of their own below it. */
export const traitCount = formats.length + voices.length * 2;

/** A pattern looks at this much of a line. */
const traitChars = 300;
const headChars = 48;

/** Numbers of the traits that a line has. */
export function traitsOf(line: string): readonly number[] {
  const text = line.length > traitChars ? line.slice(0, traitChars) : line;
  const found: number[] = [];
  for (let n = 0; n < formats.length; n += 1) if (formats[n]?.test(text) === true) found.push(n);
  for (let n = 0; n < voices.length; n += 1)
    if (voices[n]?.test(text) === true) found.push(formats.length + n);
  if (text.length <= headChars) return found;
  // Who begins to speak: a log may hang on a typed sentence.
  const head = text.slice(0, headChars);
  for (let n = 0; n < voices.length; n += 1)
    if (voices[n]?.test(head) === true) found.push(formats.length + voices.length + n);
  return found;
}

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
