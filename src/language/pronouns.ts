/** Points at something said elsewhere, so that it cannot stand alone. */
export const startsWithPronoun = (text: string): boolean =>
  /^(?:it|its|this|that|they|these|those|there|he|she|both|the (?:same|former|latter))\b/i.test(
    text,
  );
