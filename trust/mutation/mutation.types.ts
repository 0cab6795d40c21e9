// Checks whether a mutant compiles, in a copy of the sources, because the work tree must not change.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Change, changed } from './mutation.seam.ts'
import { root } from './mutation.source.ts'

export class TypeCheck {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** For changes in these files. */
  static async open(paths: readonly string[]): Promise<TypeCheck> {
    const folder = await mkdtemp(join(tmpdir(), 'vostro-mutation-'))
    const include = [...new Set(paths.map((path) => (path.startsWith('server/') ? 'server/src' : dirname(path))))]
    for (const path of [...include, 'package.json', 'tsconfig.json']) await cp(join(root, path), join(folder, path), { recursive: true })
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    // Keeps the incremental build state, so that later runs check only code that a change can affect.
    const compilerOptions = { incremental: true, tsBuildInfoFile: 'built.json' }
    await writeFile(join(folder, 'types.json'), JSON.stringify({ extends: './tsconfig.json', compilerOptions, include }))
    return new TypeCheck(folder)
  }

  /** The first error; undefined if the mutant compiles. */
  async errorOf(change: Change): Promise<string | undefined> {
    const path = join(this.#folder, change.path)
    const text = await readFile(path, 'utf8')
    await writeFile(path, changed(change, text))
    try {
      await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'types.json'], {
        cwd: this.#folder,
      })
      return undefined
    } catch (error) {
      const { stdout } = error as { stdout?: string }
      if (stdout === undefined || !/error TS\d+/.test(stdout)) throw error
      return stdout.split('\n').find((line) => /error TS/.test(line))
    } finally {
      await writeFile(path, text)
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }
}
