// The limits of reading. Reading a file of 5,000 transactions takes about 200 MB of memory, and memory grows with the transactions.

export const limits = {
  file_bytes: 64 * 1024 * 1024,
  transactions: 5_000,
  /** The deepest element that is read is at about level 15; skipped elements may contain deeper ones. */
  depth: 64,
  /** Elements, attributes and comments: 200 per transaction, three times as many as a complete one has. */
  nodes: 1_000_000,
  /** For one tag, with its attributes. */
  tag_bytes: 16 * 1024,
} as const
