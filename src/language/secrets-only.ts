/** Does a text say anything besides the secret that was taken out of it? Pure. */

const marker = /\[redacted:[\w-]{1,60}\]/u;
const markers = /\[redacted:[\w-]{1,60}\]/gu;
/** The labels of secrets; see also the labels of the privacy gate. */
const label = new RegExp(
  String.raw`^(?:passwor\p{L}*|pass|passwd|passphrase|passcode|codes?|pw|pwd|pin|key|keys|api|token|tokens` +
    String.raw`|secret\p{L}*|access|credentials?|creds|login|user|username|kennw\p{L}*|schlüssel|zugangsdaten` +
    String.raw`|mot|passe|mdp|clé|jeton|contraseñ\p{L}*|clave|senha|chave|парол\p{L}*|ключ\p{L}*|токен\p{L}*` +
    String.raw`|секрет\p{L}*)$`,
  "iu",
);
const glue = new RegExp(
  String.raw`^(?:the|my|our|his|her|its|is|are|was|and|for|of|to|on|in|at|a|an|this|that|now|it|das|der|die|mein` +
    String.raw`|ist|lautet|und|für|von|le|la|les|mon|ma|est|de|du|des|et|el|es|mi|y|o|é|мой|это|от|для|и)$`,
  "iu",
);
const wordsOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}][\p{L}\p{N}'’._-]*/gu) ?? [];

/** So many words that are neither glue nor a label name whose secret it is. */
const ownersMax = 2;
/** So many words tell something by themselves. */
const tellingMin = 3;

/** True for "the admin password is [redacted:password]": without the secret there is no news in it. */
export function saysOnlySecrets(text: string): boolean {
  if (!marker.test(text)) return false;
  // A value below its label belongs to it.
  const clauses = text
    .replaceAll(/\s*\n\s*(?=\[redacted:)/gu, " ")
    .split(/[\n,;|，；、]+|[.!?。！？](?:\s|$)|\s(?:and|und|et|y|и)\s/u);
  return clauses.every((clause) => {
    const words = wordsOf(clause.replaceAll(markers, " "));
    const telling = words.filter((word) => !glue.test(word) && !label.test(word));
    return marker.test(clause)
      ? (telling.length <= ownersMax && words.some((word) => label.test(word))) ||
          telling.length <= 1
      : words.length < tellingMin;
  });
}
