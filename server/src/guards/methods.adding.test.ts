// An experiment: how much work it is to add a transfer method. It is added to the list and the records in a copy of the sources, generated files are
// updated, and everything is compiled.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../contract.ts'
import { filesThatName } from './source/methods.ts'

const run = promisify(execFile)

const packages = ['server', 'sdk', 'cli', 'console']
const copied = [...packages, 'bench', 'trust', 'tests', 'docs', 'package.json', 'tsconfig.json', 'openapi.json', '.env.example']

const planted = ['cli/src/planted.ts', 'console/src/planted.ts', 'server/src/processing/planted.ts']

/** The maximum number of files to touch, besides the migration. */
const most = 12

async function copySources(context: { after(done: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vostro-method-'))
  context.after(() => rm(folder, { recursive: true }))
  for (const name of copied)
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/node_modules|\/dist(\/|$)/.test(path.slice(root.length)),
    })
  // The packages of the project come from the copy, and all others from the installation.
  await mkdir(join(folder, 'node_modules/@vostro'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@vostro') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of packages) await symlink(join(folder, name), join(folder, 'node_modules/@vostro', name))
  return folder
}

async function change(path: string, pattern: RegExp, replace: (found: string) => string): Promise<void> {
  const text = await readFile(path, 'utf8')
  assert.equal([...text.matchAll(new RegExp(pattern, 'gm'))].length, 1, `${path} has one ${pattern}`)
  await writeFile(path, text.replace(new RegExp(pattern, 'm'), replace))
}

async function filesWithErrors(folder: string, project: string): Promise<string[]> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '--pretty', 'false', '-p', project], { cwd: folder, maxBuffer: 1e8 }).catch(
    (failed: { stdout: string }) => failed,
  )
  return [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file)
}

test('a method is added in few files, and in none of the console and the command line', async (context) => {
  const folder = await copySources(context)
  const life = join(folder, 'server/src/transfers/life')
  await change(join(life, 'transfers.status.ts'), /^export const transferMethods = .*'DOMESTIC'/, (found) => `${found}, 'PIGEON'`)
  await change(
    join(life, 'transfers.methods.ts'),
    /^ {2}SWIFT: \{\n[\s\S]*?\n {2}\},\n/,
    (found) => found + found.replaceAll('SWIFT', 'PIGEON'),
  )
  for (const script of ['server/src/contract.ts', 'sdk/src/make.ts'])
    await run(process.execPath, ['--conditions=@vostro/source', script], { cwd: folder })
  for (const made of ['console/src/values.made.ts', 'sdk/src/types.made.ts'])
    assert.match(await readFile(join(folder, made), 'utf8'), /'PIGEON'/, made)

  // Files that name the method by hand and files that do not compile are both found.
  for (const file of planted) await writeFile(join(folder, file), "export const planted: 'SEPA' = 'PIGEON'\n")
  const errors = [...(await filesWithErrors(folder, '.')), ...(await filesWithErrors(folder, 'console'))]
  const named = await filesThatName(folder)
  for (const file of planted) assert.ok(errors.includes(file) && named.includes(file), `${file} was not found`)
  const files = [...new Set([...errors, ...named])].filter((file) => !planted.includes(file)).sort()
  const list = files.map((file) => `${file}${errors.includes(file) ? ' does not compile' : ''}`).join('\n')
  context.diagnostic(list)
  assert.deepEqual(
    files.filter((file) => /^(console|cli)\//.test(file)),
    [],
    list,
  )
  assert.ok(files.length <= most, `${files.length} files:\n${list}`)
})
