// Unpacks another commit of this repository, ready to start.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CannotCompare } from './against.options.ts'
import type { Side } from './against.statistics.ts'

export const ourRoot = fileURLToPath(new URL('../..', import.meta.url))

/** A commit and its display name. */
export type Commit = { commit: string; title: string }

/** A version that can be started. */
export type Checkout = Commit & { root: string }

async function gitIn(root: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, signal })
  return stdout.trim()
}

/** The current work tree, and the commit it is compared with. */
export async function findVersions(commit: string, signal: AbortSignal, root = ourRoot): Promise<Record<Side, Commit>> {
  const git = (...args: string[]) => gitIn(root, args, signal)
  const head = await git('rev-parse', '--verify', 'HEAD').catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    signal.throwIfAborted()
    if (error.code === 'ENOENT') throw new CannotCompare('The program git is needed to unpack another commit, and it is not installed.')
    const [said = ''] = (error.stderr ?? error.message).trim().split('\n')
    throw new CannotCompare(`git cannot read this repository: ${said}`)
  })
  const theirs = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`).catch(() => {
    signal.throwIfAborted()
    throw new CannotCompare(`There is no commit ${commit} in this repository.`)
  })
  const titleOf = (hash: string) => git('log', '-1', '--format=%h %s', hash)
  const changes = (await git('status', '--porcelain')) === '' ? '' : ' (with uncommitted changes)'
  return {
    ours: { commit: head, title: `${await titleOf(head)}${changes}` },
    theirs: { commit: theirs, title: await titleOf(theirs) },
  }
}

/** Unpacks a commit into a folder with the packages it needs: this checkout's if they are the same, otherwise its own. */
export async function unpack(commit: string, folder: string, say: (what: string) => void, signal: AbortSignal): Promise<void> {
  const archive = join(folder, 'commit.tar')
  await gitIn(ourRoot, ['archive', '--format=tar', `--output=${archive}`, commit], signal)
  await promisify(execFile)('tar', ['-xf', archive, '-C', folder], { signal })
  await rm(archive)
  for (const needed of ['package.json', 'package-lock.json', 'server/src/main.ts']) {
    if (!existsSync(join(folder, needed))) throw new CannotCompare(`The commit ${commit} has no ${needed}, so it cannot be started.`)
  }
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { scripts?: { start?: string } }
  if (scripts?.start === undefined) throw new CannotCompare(`The commit ${commit} has no script "start", so it cannot be started.`)
  const lockOf = (root: string) => readFile(join(root, 'package-lock.json'), 'utf8')
  if ((await lockOf(folder)) === (await lockOf(ourRoot))) {
    await shareModules(join(ourRoot, 'node_modules'), join(folder, 'node_modules'))
  } else {
    say('installing the packages of the other commit, whose package-lock.json differs (npm ci)')
    await install(folder, signal)
  }
}

/**
 * Links every package of this checkout. Workspaces stay relative links, so that they point to the other commit's folders. Caches
 * are not shared, so that they hold nothing of the other commit.
 */
export async function shareModules(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    if (name === '.cache') continue
    const [source, target] = [join(from, name), join(to, name)]
    if (name.startsWith('@')) await shareModules(source, target)
    else if ((await lstat(source)).isSymbolicLink()) await shareWorkspace({ source, target, leads: await readlink(source) })
    else await symlink(source, target)
  }
}

async function shareWorkspace({ source, target, leads }: { source: string; target: string; leads: string }): Promise<void> {
  await symlink(leads, target)
  // A workspace may need other versions of some packages.
  if (existsSync(join(source, 'node_modules'))) await shareModules(join(source, 'node_modules'), join(target, 'node_modules'))
}

async function install(folder: string, signal: AbortSignal): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: npm needs its environment, but not the directory it was called from
  const { npm_config_local_prefix, INIT_CWD, ...env } = process.env
  // In its own process group, so that its children can be ended with it.
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => npm.pid !== undefined && process.kill(-npm.pid, 'SIGTERM')
  signal.addEventListener('abort', end)
  let said = ''
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(npm, 'close').catch((error: Error) => {
    said = error.message
    return [1]
  })
  signal.removeEventListener('abort', end)
  signal.throwIfAborted()
  const reason = said.split('\n').find((line) => /^npm (error|ERR!) (?!code|errno)/.test(line)) ?? said.trim().split('\n').at(-1)
  if (code !== 0) throw new CannotCompare(`npm ci failed for the other commit: ${reason}`)
}
