/** A call that the user refused, as a tool use holds it: what it printed is what the user said instead. */

const refused = "The user refused this call";

export const isRefusedCall = (text: string | null): boolean => text?.startsWith(refused) === true;

export const refusedCall = (said: string | null): string =>
  said === null ? `${refused}.` : `${refused}, the user said: ${said}`;
