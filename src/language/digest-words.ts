/** How the parts of a digest by rules begin that tell no more than the log of the repository does. Pure data. */
export const digestWords = {
  committed: "Committed",
  edited: "Edited",
  /** An order whose end was not recorded. */
  unfinished: "Not finished",
} as const;
