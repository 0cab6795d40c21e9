// The files of the console, from its last build, which console/dist/current names. They are served from memory. The files of the previous
// build stay, for pages that are still open.
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type ServedFile = { type: string; plain: Buffer; br: Buffer; gzip: Buffer }

type Build = { stamp: string; index: string; files: ReadonlyMap<string, ServedFile> }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export const consoleFolder = fileURLToPath(new URL('../../../console/', import.meta.url))

export class ConsoleFiles {
  readonly #dist: string
  #build: Build | undefined
  #before: Build | undefined
  #seen = 0

  constructor(folder = consoleFolder) {
    this.#dist = join(folder, 'dist')
  }

  /** The page that loads everything else; undefined if the console was never built. */
  async index(): Promise<string | undefined> {
    await this.#refresh()
    return this.#build?.index
  }

  async file(name: string): Promise<ServedFile | undefined> {
    if (this.#build === undefined) await this.#refresh()
    return this.#build?.files.get(name) ?? this.#before?.files.get(name)
  }

  /** Reads the current build if it has changed. */
  async #refresh(): Promise<void> {
    const pointer = join(this.#dist, 'current')
    const changed = await stat(pointer).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    if (changed === 0 || changed === this.#seen) return
    const stamp = (await readFile(pointer, 'utf8')).trim()
    if (stamp !== this.#build?.stamp) {
      const build = await readBuild(join(this.#dist, stamp), stamp).catch(() => undefined)
      // The next build has removed it; its pointer will be there by the next request.
      if (build === undefined) return
      this.#before = this.#build
      this.#build = build
    }
    this.#seen = changed
  }
}

async function readBuild(folder: string, stamp: string): Promise<Build> {
  const files = new Map<string, ServedFile>()
  for (const name of await readdir(join(folder, 'assets'))) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = join(folder, 'assets', name)
    const [plain, br, gzip] = await Promise.all([readFile(path), readFile(`${path}.br`), readFile(`${path}.gz`)])
    files.set(name, { type, plain, br, gzip })
  }
  return { stamp, index: await readFile(join(folder, 'index.html'), 'utf8'), files }
}
