/** Files and symbols that a statement names. Generous: what is not in the working tree is no anchor. Pure. */

export interface Named {
  readonly paths: readonly string[];
  readonly symbols: readonly string[];
}

const namesMax = 8;
const textCharsMax = 2_000;

const path = /(?<![\w@:/.~-])(?:\.\/)?((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?![\w/])/gu;
const bare = String.raw`(?<![\w$./-])`;
/** In backticks, called, or written as only names in code are. */
const symbol = new RegExp(
  [
    "`([A-Za-z_$][\\w$]{2,60})(?:\\(\\))?`",
    String.raw`${bare}([A-Za-z_$][\w$]{2,60})\(\)`,
    String.raw`${bare}([a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z]+(?:_[A-Za-z0-9]+)+)(?![\w$./-])`,
  ].join("|"),
  "gu",
);

export function namedIn(text: string): Named {
  const said = text.slice(0, textCharsMax);
  const paths = [...said.matchAll(path)].flatMap(([, name = ""]) =>
    name.includes("..") ? [] : [name],
  );
  const symbols = [...said.matchAll(symbol)].flatMap(([, a, b, c]) => a ?? b ?? c ?? []);
  return {
    paths: [...new Set(paths)].slice(0, namesMax),
    symbols: [...new Set(symbols)].slice(0, namesMax),
  };
}
