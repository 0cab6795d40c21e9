// Which test files take long, and are left to `npm run test:deep`, and which need a process of their own. `npm test` runs all others.

/** Patterns of files, each with why `npm test` leaves them out. A file that nothing here names is run by both. */
export const deep: Readonly<Record<string, string>> = {}

/** Files that change their process for good. */
export const alone: Readonly<Record<string, string>> = {}
