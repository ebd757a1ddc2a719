/**
 * Milliseconds of CPU time of this thread so far: what a bound on the cost of a pure function is measured with, since
 * the wall clock also counts what other processes of the machine do.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
