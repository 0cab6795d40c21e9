// The files of the console, as its last build has left them: console/dist/current names the build. They are served from memory. Files of the build
// before stay, for pages that were opened with it.
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

  /** The page in which everything else is loaded; undefined if the console was never built. */
  async index(): Promise<string | undefined> {
    await this.#refresh()
    return this.#build?.index
  }

  async file(name: string): Promise<ServedFile | undefined> {
    if (this.#build === undefined) await this.#refresh()
    return this.#build?.files.get(name) ?? this.#before?.files.get(name)
  }

  /** Reads the build if another one has become the current one. */
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
      // Removed since by the next build, whose pointer is there by the next request.
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
