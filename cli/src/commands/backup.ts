// Backup and restore. They run the server's scripts, so they work only in a checkout.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exits, Refused, UsageError } from '../failures.ts'
import type { Call, Command } from '../table.ts'

const checkout = fileURLToPath(new URL('../../../', import.meta.url))
const file = { name: 'FILE', file: true } as const

export const backupCommands: readonly Command[] = [
  {
    words: ['backup'],
    summary: 'Back up the embedded database to a file; the service may keep running. Only in a checkout.',
    args: [{ ...file, describe: 'The file to write.' }],
    run: (call) => runScript('backup', [resolve(call.args[0] ?? '')], call),
  },
  {
    words: ['restore'],
    summary: 'Restore the embedded database from a backup. Only in a checkout.',
    args: [{ ...file, describe: 'A file that `vostro backup` wrote.' }],
    options: { replace: { describe: 'Move an existing database aside.' } },
    run: (call) => runScript('restore', [resolve(call.args[0] ?? ''), ...(call.flag('replace') ? ['--replace'] : [])], call),
  },
]

async function runScript(name: string, words: readonly string[], { stopped }: Call): Promise<number> {
  if (!existsSync(`${checkout}server/src/platform/backup/backup.ts`))
    throw new UsageError(`\`vostro ${name}\` works on the embedded database, so it runs only in a checkout of Vostro.`)
  // npm puts the checkout's Node first in the PATH.
  const child = spawn('npm', ['run', '--silent', name, '--', ...words], {
    cwd: checkout,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  // Ctrl-C also reaches the script, which has to clean up before this command exits.
  stopped()
  const ended = new Promise<{ code: number | null; signal: string | null }>((done, fail) => {
    child.once('exit', (code, signal) => done({ code, signal })).once('error', fail)
  })
  const { code, signal } = await ended.catch((error: Error) => {
    throw new Refused(`npm, which starts the script, cannot be started: ${error.message}.`)
  })
  if (signal === 'SIGINT' || code === exits.interrupted) return exits.interrupted
  return code === 0 ? exits.ok : exits.refused
}
