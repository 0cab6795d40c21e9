// What a planted bug is. It documents an attack or an incident that would hurt a bank; each stands for a kind of mistake.

export type Bug = {
  name: string
  /** What is wrong with the product while the bug is planted. */
  about: string
  /** A folder of server/src, `service` for the files beside them, or `console`, `sdk` or `cli`. */
  folder: string
  /** The function, constant or class member in that folder that has the piece; members are called `Class.member`. */
  within: string
  /** The piece of source that is replaced. White space does not matter. It must occur exactly once. */
  find: string
  replace: string
  /** A test file that fails while the bug is planted. */
  caughtBy: string
  /** The title of the test in that file, where running the whole file takes long. */
  test?: string
  /** What the test waits for does not happen while the bug is planted, so it does not end. That is how it catches the bug. */
  hangs?: true
}
