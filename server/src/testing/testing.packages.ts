// Packages as they are published, built from the workspaces without touching the checkout.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Compiles a workspace as `npm run build` does, into another folder. */
export function build(workspace: string, outDir: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const own = join(root, workspace, 'tsconfig.build.json')
  execFileSync(process.execPath, [tsc, '-p', existsSync(own) ? own : join(root, workspace), '--outDir', outDir], { stdio: 'pipe' })
}

/** Packs a workspace as `npm publish` does, and returns the path of the tarball. */
export function pack(workspace: string, folder: string): string {
  const copy = join(folder, workspace)
  mkdirSync(copy, { recursive: true })
  for (const name of ['package.json', 'README.md', 'LICENSE', 'bin']) {
    const from = join(root, workspace, name)
    if (existsSync(from)) cpSync(from, join(copy, name), { recursive: true })
  }
  build(workspace, join(copy, 'dist'))
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: copy,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return join(folder, filename)
}

/** Installs tarballs into an empty folder, without asking a registry. */
export function install(folder: string, tarballs: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  execFileSync('npm', ['install', '--prefix', folder, ...flags, ...tarballs], { cwd: folder, stdio: 'pipe' })
}

/** The machine's own Node, which users have, rather than the one that runs the tests. */
export function plainNode(): string {
  // biome-ignore lint/style/noProcessEnv: where Node is installed depends on the machine.
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return folders.map((folder) => join(folder, 'node')).find(existsSync) ?? process.execPath
}
