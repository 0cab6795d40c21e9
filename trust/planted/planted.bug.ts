// A planted bug documents an attack or an incident that would hurt a bank. Each stands for a kind of mistake.

export type Bug = {
  name: string
  /** The wrong behaviour of the product while the bug is planted. */
  about: string
  /** A folder of server/src, `service` for the files directly in server/src, or `console`, `sdk` or `cli`. */
  folder: string
  /** The function, constant or class member that contains the piece; members are named `Class.member`. */
  within: string
  /** The piece of source that is replaced. White space does not matter. It must occur exactly once. */
  find: string
  replace: string
  /** A test file that fails while the bug is planted. */
  caughtBy: string
  /** The title of the test in that file, if the whole file takes long. */
  test?: string
  /** The test catches the bug by hanging: the event that it waits for never happens. */
  hangs?: true
}
