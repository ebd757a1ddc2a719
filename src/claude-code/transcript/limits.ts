/** Every bound of this room, with units. */
export const transcriptLimits = {
  /** Longer lines are counted and skipped: they are pasted images or whole files, never speech. */
  lineBytesMax: 8 * 1_024 * 1_024,
  /** One call of readTranscript stops at the first line end beyond this and says there is more. */
  readBytesMax: 32 * 1_024 * 1_024,
  chunkBytes: 256 * 1_024,
  /** A tool's target is one line of a listing. */
  targetCharsMax: 300,
  errorLineCharsMax: 300,
  /** How far into a tool's output an error line is looked for. */
  errorScanCharsMax: 64 * 1_024,
  filesPerCallMax: 20,
} as const;
