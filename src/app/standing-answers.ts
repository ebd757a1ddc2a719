/**
 * Where the build put the answers of `standingAnswers`, packed. From source there is no such file: they are made anew.
 */
export const answersPath: string | null = null;
