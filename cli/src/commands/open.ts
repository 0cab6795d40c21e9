import { spawn } from 'node:child_process'
import type { Command } from '../table.ts'

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['xdg-open'],
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

export const openCommands: readonly Command[] = [
  {
    words: ['open'],
    summary: 'Open the console, or the page of an object.',
    args: [{ name: 'ID', describe: 'The id of a transfer, an account, a client, … or a reference.', optional: true }],
    async run({ args: [id], settings, out }) {
      const url = `${settings.url}/console${id === undefined ? '' : `/find/${encodeURIComponent(id)}`}`
      out.result({ url }, url)
      // With output to a pipe or file, no browser is opened.
      if (out.isTerminal && !out.json) await openBrowser(url)
    },
  },
]

/** Without a browser, printing the address is enough. */
async function openBrowser(url: string): Promise<void> {
  const [program, ...words] = openers[process.platform] ?? []
  if (program === undefined) return
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true })
  await new Promise<void>((resolve) => child.once('spawn', resolve).once('error', () => resolve()))
  child.unref()
}
