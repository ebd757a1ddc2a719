/** Whether somebody listens on a loopback port. */

const answerMs = 300;

/** One connection attempt, closed at once; nothing is sent. */
export async function isPortTaken(port: number): Promise<boolean> {
  const attempt = Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: { data: () => undefined, open: (socket) => void socket.end() },
  }).then(
    () => true,
    () => false,
  );
  return Promise.race([attempt, Bun.sleep(answerMs).then(() => false)]);
}
