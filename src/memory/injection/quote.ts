/** A text in quotation marks that it cannot close; marks of its own, as in `-run "TestSync"`, stay. Pure. */
export const quote = (text: string): string =>
  text.includes('"') ? `“${text.replaceAll(/[“”]/gu, "'")}”` : `"${text}"`;
