// How much is read. A file of 5,000 transactions needs about 200 MB of memory while it is read, and memory grows with the transactions.

export const limits = {
  file_bytes: 64 * 1024 * 1024,
  transactions: 5_000,
  /** The deepest element that is read is about 15 levels deep; more can be below elements that are skipped. */
  depth: 64,
  /** Elements, attributes and comments: 200 for each transaction, which is three times as many as a full one has. */
  nodes: 1_000_000,
  /** Of one tag, with its attributes. */
  tag_bytes: 16 * 1024,
} as const
