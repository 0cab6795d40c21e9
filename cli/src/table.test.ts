// What follows from the table of commands: parsing, help, completion.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run, someFolder } from './cli.testing.ts'
import { commands } from './main.ts'
import { globals, helpOf } from './table.ts'

const bin = fileURLToPath(new URL('../bin/vostro.js', import.meta.url))
const environment = { VOSTRO_CONFIG: someFolder() }

test('every command explains itself, with its arguments and options', async () => {
  for (const { words, summary, args = [], options = {} } of commands) {
    const { code, stdout } = await run([...words, '--help'], environment)
    assert.equal(code, 0)
    assert.ok(stdout.includes(summary))
    for (const { name, describe } of args) assert.ok(words.join(' ') === 'clock' || stdout.includes(name), `${words}: ${name} ${describe}`)
    const isGroup = commands.filter((other) => words.every((word, at) => other.words[at] === word)).length > 1
    if (isGroup) continue
    for (const name of [...Object.keys(options), ...Object.keys(globals)]) assert.ok(stdout.includes(`--${name}`), `${words}: --${name}`)
    assert.match(summary, /^[A-Z].*\.$/, words.join(' '))
  }
  const all = (await run([], environment)).stdout
  for (const { words } of commands) assert.ok(all.includes(`vostro ${words.join(' ')}`))
  assert.match((await run(['transfers', '--help'], environment)).stdout, /^The commands of `vostro transfers`\.\n/)
  assert.match(helpOf(['clock'], commands), /vostro clock advance DURATION/)
})

test('a wrong usage is one sentence and exit 2', async () => {
  for (const [args, message] of [
    [['transfer', 'list'], 'There is no command transfer. See `vostro --help`.'],
    [
      ['transfers'],
      '`vostro transfers` needs one of list, get, create, create-many, move, transitions, history. See `vostro transfers --help`.',
    ],
    [
      ['transfers', 'lst'],
      'There is no command transfers lst: use one of list, get, create, create-many, move, transitions, history. See `vostro transfers --help`.',
    ],
    [['transfers', 'get'], 'ID is missing. The id of the transfer. See `vostro transfers get --help`.'],
    [['transfers', 'get', 'a', 'b'], '`vostro transfers get` does not take the argument b. See `vostro transfers get --help`.'],
    [['transfers', 'list', '--stats', 'X'], "Unknown option '--stats'. See `vostro transfers list --help`."],
    [['transfers', 'list', '--json=yes'], "Option '--json' does not take an argument. See `vostro transfers list --help`."],
    [['ventures', 'create', 'A', '--control', 'CLOSED'], '--control must be one of OPEN, MANAGED, not CLOSED.'],
    [['completion', 'fish'], 'SHELL must be one of bash, zsh, not fish.'],
  ] as const) {
    const { code, stdout, stderr } = await run(args, environment)
    assert.deepEqual([code, stdout, stderr], [2, '', `${message}\n`])
  }
  const { code, stderr } = await run(['nonsense', '--json'], environment)
  assert.deepEqual([code, JSON.parse(stderr)], [2, { error: { message: 'There is no command nonsense. See `vostro --help`.' } }])
})

test('without a home folder nothing is kept in the folder in which the command happens to be started', () => {
  const config = (env: Record<string, string>) => spawnSync(process.execPath, [bin, 'config'], { env, encoding: 'utf8' })
  const { status, stdout, stderr } = config({ HOME: '' })
  assert.deepEqual([status, stdout, stderr], [2, '', 'There is no home folder for the config. Set VOSTRO_CONFIG to a folder.\n'])
  assert.equal(config({ HOME: '', VOSTRO_CONFIG: someFolder() }).status, 0)
})

test('options may stand before the command', async () => {
  const { code, json } = await run(['--json', '--url', 'http://bank.example/', 'open', 'x'], environment)
  assert.deepEqual([code, json], [0, { url: 'http://bank.example/console/find/x' }])
})

async function scriptFor(shell: string): Promise<string> {
  const file = join(someFolder(), `vostro.${shell}`)
  writeFileSync(file, (await run(['completion', shell], environment)).stdout)
  return file
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

test('the completion of bash offers commands, options and their values', {
  skip: has('bash') ? false : 'bash is not installed',
}, async () => {
  const file = await scriptFor('bash')
  assert.deepEqual([spawnSync('bash', ['-n', file]).status], [0])
  const offered = (...words: string[]): string[] => {
    const list = ['vostro', ...words].map((word) => `'${word}'`).join(' ')
    const code = `source '${file}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _vostro; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', code], { encoding: 'utf8' })
    assert.equal(stderr, '')
    return stdout.trim().split('\n')
  }
  assert.deepEqual(offered('tr'), ['trigger', 'transfers'])
  assert.deepEqual(offered('--json', 'transfers', 'm'), ['move'])
  assert.deepEqual(offered('--url', 'transfers', 'transfers', 'list', '--sta'), ['--status'])
  assert.deepEqual(offered('trigger', 'transfer.c'), ['transfer.created', 'transfer.completed'])
  assert.deepEqual(offered('ventures', 'create', 'A', '--control', 'M'), ['MANAGED'])
  assert.deepEqual(offered('completion', 'z'), ['zsh'])
  assert.deepEqual(offered('backup', '/etc/host'), offered('restore', '/etc/host'))
  assert.ok(offered('backup', '/etc/host').includes('/etc/hosts'))
})

/** What may follow some words of a line, by the table of commands. */
function following(words: readonly string[]): string[] {
  const next = commands.filter((one) => words.every((word, at) => one.words[at] === word)).flatMap((one) => one.words[words.length] ?? [])
  const { args = [], options = {} } = commands.find((one) => one.words.join(' ') === words.join(' ')) ?? {}
  const names = Object.keys({ ...options, ...globals }).map((name) => `--${name}`)
  const files = args.some(({ file }) => file) || 'data' in options ? ['(files)'] : []
  return [...new Set(next), ...args.flatMap(({ choices = [] }) => choices), ...names, ...files]
}

const inZsh = (code: string) => spawnSync('zsh', ['-f', '-c', code], { encoding: 'utf8', timeout: 60_000 })

test('the completion of zsh is a script that zsh reads', { skip: has('zsh') ? false : 'zsh is not installed' }, async () => {
  const file = await scriptFor('zsh')
  assert.equal(spawnSync('zsh', ['-n', file]).status, 0)
  const beginnings = commands.flatMap(({ words }) => words.map((_, at) => words.slice(0, at + 1)))
  const lines = [[], ...new Map(beginnings.map((words) => [words.join(' '), words])).values()].map((words) => ({
    typed: [...words, 'x'],
    offered: following(words),
  }))
  const values = commands.flatMap(({ words, options = {} }) =>
    Object.entries(options).flatMap(([name, { choices }]) =>
      choices === undefined ? [] : [{ typed: [...words, `--${name}`, 'x'], offered: [...choices] }],
    ),
  )
  assert.ok(values.length > 0)
  const asked = [...lines, ...values]
  const ask = ({ typed }: { typed: string[] }) => `words=(vostro ${typed.join(' ')}); CURRENT=${typed.length + 1}; _vostro; print -- ---`
  const stubs = `compdef() {}; compadd() { shift; print -l -- "$@" }; _files() { print '(files)' }`
  const { stdout, stderr } = inZsh(`${stubs}; source '${file}'\n${asked.map(ask).join('\n')}`)
  assert.equal(stderr, '')
  const answers = stdout.split('---\n').slice(0, -1)
  assert.deepEqual(
    answers.map((answer, at) => ({ typed: asked[at]?.typed, offered: answer.trim().split('\n') })),
    asked,
  )
})

test('a person who presses tab in zsh gets the word completed', { skip: has('zsh') ? false : 'zsh is not installed' }, async () => {
  const file = await scriptFor('zsh')
  const folder = someFolder()
  const startup = ["PROMPT='ready> '", 'autoload -U compinit; compinit -D', `source '${file}'`, 'vostro() { print -r -- "ran: $*." }']
  writeFileSync(join(folder, '.zshrc'), `${startup.join('\n')}\n`)
  const { stdout } = inZsh(`
    zmodload zsh/zpty
    zpty shell 'TERM=dumb ZDOTDIR=${folder} zsh -d -i'
    zpty -r shell seen '*ready> *'
    zpty -n -w shell $'vostro transf\\tcreate-m\\t\\n'
    zpty -r shell seen '*ran: *.*'
    print -r -- $seen
    zpty -d shell`)
  assert.match(stdout, /ran: transfers create-many\.\s/)
})
