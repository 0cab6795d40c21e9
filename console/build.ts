// Builds the console, unless its sources are unchanged since the last build. Each build is a folder in dist/ named by the hash of its sources, and
// dist/current names the one to serve, so readers get a complete build, old or new.
import { createHash } from 'node:crypto'
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const checkout = fileURLToPath(new URL('..', import.meta.url))
const console_dir = join(checkout, 'console')
const dist = join(console_dir, 'dist')

/** The inputs of a build: the sources of the console and of the SDK, and the packages. */
const sources = ['console/src/**/*.{ts,tsx,css}', 'console/index.html', 'console/build.ts', 'sdk/src/**/*.ts', 'package-lock.json']

async function stampOf(patterns: readonly string[]): Promise<string> {
  const files: string[] = []
  for (const pattern of patterns) for await (const file of glob(pattern, { cwd: checkout })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.filter((name) => !name.endsWith('.test.ts')).toSorted()) {
    const content = await readFile(join(checkout, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 24)
}

async function buildInto(outDir: string): Promise<void> {
  // Loading Vite takes longer than finding out that nothing has changed.
  const { build } = await import('vite')
  await build({
    root: console_dir,
    configFile: false,
    logLevel: 'warn',
    base: '/console/',
    resolve: { conditions: ['@vostro/source', 'module', 'browser', 'production'] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // These browsers support light-dark(). Its fallback for older ones follows the system setting and ignores the choice made in the console.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        // Mantine marks its files with "use client", for React on a server, which is not used here.
        onLog: (level, log, handle) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : handle(level, log)),
        output: {
          // One file holds what every page needs; what only pages behind the sign-in need is in others.
          codeSplitting: {
            groups: [
              { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
              { name: 'tanstack', test: /node_modules\/@tanstack\// },
            ],
          },
        },
      },
    },
  })
}

/** Writes compressed copies next to each file. */
async function compress(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const content = await readFile(join(folder, name))
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content, best))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
  }
}

const stamp = await stampOf(sources)
const current = join(dist, 'current')
const last = await readFile(current, 'utf8').catch(() => '')
if (last.trim() === stamp) {
  console.log('The console is up to date.')
} else {
  const begun = performance.now()
  const folder = join(dist, `${stamp}.${process.pid}`)
  await mkdir(dist, { recursive: true })
  try {
    await buildInto(folder)
    await compress(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  // Another process may have made the same build meanwhile.
  await rename(folder, join(dist, stamp)).catch(() => rm(folder, { recursive: true, force: true }))
  await writeFile(`${current}.${process.pid}`, `${stamp}\n`)
  await rename(`${current}.${process.pid}`, current)
  // The previous build stays for pages that are still open.
  const kept = new Set([stamp, last.trim(), 'current'])
  for (const name of await readdir(dist)) if (!kept.has(name) && !/\.\d+$/.test(name)) await rm(join(dist, name), { recursive: true })
  console.log(`The console was built in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
}
