/** Every bound of this room that is no setting, with its unit; and texts of providers cut to them. */
import { msPerDay, msPerMinute, msPerSecond, cutAtWord, oneLine } from "#kit";

export const llmLimits = {
  /** A reply is a few thousand tokens; whatever is larger is no reply. */
  replyBytesMax: 4_000_000,
  /** Of an error's body: enough for its type and message. */
  errorBytesMax: 64_000,
  /** Of a reply or a message that is shown to people. */
  excerptCharsMax: 120,
  detailCharsMax: 200,
  /** A probe is part of starting up. */
  probeMs: 5 * msPerSecond,
  /** docs/design/extraction.md, "Models": opens after three failures in a row, half-opens with backoff. */
  failuresMax: 3,
  backoffMsMin: 30 * msPerSecond,
  backoffMsMax: 30 * msPerMinute,
  /** A provider that asks for more than this gets asked once a day. */
  retryAfterMsMax: msPerDay,
  /** Output of a child process may trickle in after it ended, from a grandchild that holds the pipe. */
  drainMs: 500,
} as const;

// Texts of providers, made short and safe for a message: one line, bounded, without the key.

/** Makes an error text fit for a message. Takes out the key, which a gateway may echo. */
export const detailOf = (text: string, secret: string | null): string =>
  cutAtWord(
    oneLine(secret === null ? text : text.replaceAll(secret, "[key]")),
    llmLimits.detailCharsMax,
  );

/** Beginning of a reply that could not be read. For the log of a developer, never for memory. */
export const excerptOf = (text: string): string =>
  cutAtWord(oneLine(text), llmLimits.excerptCharsMax);
