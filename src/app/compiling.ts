/**
 * The program starts out interpreted (scripts/build.ts): most of its processes end before compiled code pays for
 * itself. Whoever runs longer, or computes, says so first.
 */
export const compileHotCode = (): void => Bun.unsafe.setJITPolicy(1);
