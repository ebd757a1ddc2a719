/** Whether a program listens on a loopback port. */
import { loopbackHost } from "#domain";

const answerMs = 300;

/** One connection attempt, closed at once; nothing is sent. */
export async function isPortTaken(port: number): Promise<boolean> {
  const attempt = Bun.connect({
    hostname: loopbackHost,
    port,
    socket: { data: () => undefined, open: (socket) => void socket.end() },
  }).then(
    () => true,
    () => false,
  );
  return Promise.race([attempt, Bun.sleep(answerMs).then(() => false)]);
}
