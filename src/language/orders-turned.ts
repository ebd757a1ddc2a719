/** Another task behind an order that points: "remember that for me, and then run the tests". Pure. */

const turn = new RegExp(
  String.raw`(?:[,;]|\s[—–-]{1,2})\s+(?:and|then|now|und|dann|danach|jetzt|et|puis|ensuite|maintenant|y|luego|` +
    String.raw`después|ahora|e|depois|agora|и|а|потом|затем|теперь)\s+(?!that\s)|\s(?:and|und|et|y|e|и|а) ` +
    String.raw`(?:then|now|please|dann|danach|jetzt|puis|ensuite|maintenant|luego|después|ahora|depois|agora|` +
    String.raw`потом|затем|теперь)\s`,
  "iu",
);

/** The words before the turn to another task; null where there is none. */
export function beforeTurn(rest: string): string | null {
  const next = turn.exec(rest);
  return next === null ? null : rest.slice(0, next.index);
}
