// compose.yaml and the systemd units: every setting in them exists, required settings are set, and only the migrations get the owner's login.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig, settings } from '../../config.ts'
import { startCommand } from '../../testing/testing.process.ts'
import { program, run } from '../../testing/testing.programs.ts'
import { commandOf, filledIn, manifest, required, root, textOf, variablesOf, yamlOf } from './packaging.files.ts'

type Container = {
  image: string
  command?: string[]
  environment: Record<string, string>
  volumes?: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  profiles?: string[]
  networks?: string[]
}

type Compose = {
  services: Record<
    'postgres' | 'migrate' | 'vostro' | 'coordinator' | 'worker1' | 'worker2' | 'migrate-on-citus' | 'distribute' | 'vostro-on-citus',
    Container
  >
  networks: Record<string, { internal?: boolean; ipam: { config: { subnet: string }[] } } | null>
  volumes: object
}
const compose = yamlOf<Compose>('compose.yaml')
const { postgres, migrate, vostro } = compose.services
const isSetting = (name: string) => Object.hasOwn(settings, name)

/** The settings as the service gets them: variables are replaced, and required ones are set. */
function interpolated(environment: Record<string, string>, variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      text.replace(/\$\{(\w+):([?-])\}/g, (_, variable: string, mark: string) => {
        const value = variables[variable] ?? ''
        assert.ok(value !== '' || mark === '-', `${variable} is required and empty`)
        return value
      }),
    ]),
  )
}

test('compose gives the service every setting that production needs, and only settings that exist', () => {
  for (const { environment } of [migrate, vostro])
    assert.deepEqual(
      Object.keys(environment).filter((name) => !isSetting(name)),
      [],
    )
  for (const name of [...required.secret, ...required.plain]) assert.ok(name in vostro.environment, name)
  const used = [...textOf('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
  const example = variablesOf('deploy/compose/env.example')
  assert.deepEqual(Object.keys(example).sort(), [...new Set(used)].sort(), 'deploy/compose/env.example names what compose.yaml uses')
  const passwords = { POSTGRES_PASSWORD: 'p', OWNER_PASSWORD: 'o', LOGIN_PASSWORD: 'l' }
  const config = readConfig(interpolated(vostro.environment, { ...example, ...filledIn, ...passwords }))
  assert.equal(config.databaseUrl, 'postgres://vostro_login:l@postgres:5432/vostro')
  assert.deepEqual([config.sandbox, config.fourEyes, config.gateway], [false, true, undefined])
  // Once the first three admins have joined, nobody needs the admin key, and connectors have bank keys.
  const later = { ...example, ...filledIn, ...passwords, ADMIN_API_KEY: '', METRICS_API_KEY: '' }
  const { adminApiKey, adminApiKeyScopes, metricsApiKey } = readConfig(interpolated(vostro.environment, later))
  assert.deepEqual([adminApiKey, adminApiKeyScopes, metricsApiKey], [undefined, [], undefined])
  assert.throws(() => interpolated(vostro.environment, example), /ADMIN_API_KEY is required|LOGIN_PASSWORD is required/)
})

test('in compose, the owner migrates before the service starts, and the service cannot write to its own file system', () => {
  assert.deepEqual(migrate.command, commandOf(manifest.scripts.migrate))
  assert.equal(vostro.command, undefined, 'the image says what runs')
  assert.match(migrate.environment['MIGRATION_DATABASE_URL'] ?? '', /^postgres:\/\/vostro_owner:/)
  assert.ok(!('MIGRATION_DATABASE_URL' in vostro.environment) && !JSON.stringify(vostro).includes('OWNER_PASSWORD'))
  assert.deepEqual(migrate.depends_on, { postgres: { condition: 'service_healthy' } })
  assert.deepEqual(vostro.depends_on, { migrate: { condition: 'service_completed_successfully' } })
  for (const container of [migrate, vostro]) {
    assert.equal(container.image, `vostro:${manifest.version}`)
    assert.deepEqual([container.read_only, container.cap_drop, container.security_opt], [true, ['ALL'], ['no-new-privileges:true']])
    assert.equal(container.volumes, undefined)
  }
  assert.deepEqual(vostro.ports, ['127.0.0.1:8080:8080'], 'only a proxy on the machine reaches it')
  assert.equal(postgres.ports, undefined)
  for (const volume of postgres.volumes ?? []) {
    const [source = ''] = volume.split(':')
    assert.ok(source.startsWith('./') ? existsSync(join(root, source)) : source in compose.volumes, source)
  }
  const logins = textOf('deploy/compose/logins.sh')
  for (const variable of ['OWNER_PASSWORD', 'LOGIN_PASSWORD']) {
    assert.ok(logins.includes(`$${variable}`) && variable in postgres.environment, variable)
  }
})

test('in compose, the profile citus is a second bank on a cluster: nobody but its servers is in the network in which they trust each other', () => {
  const { coordinator, worker1, worker2, distribute, 'migrate-on-citus': migrateThere, 'vostro-on-citus': there } = compose.services
  const added = Object.entries(compose.services).filter(([, { profiles }]) => profiles !== undefined)
  assert.deepEqual(added.map(([name]) => name).sort(), [
    'coordinator',
    'distribute',
    'migrate-on-citus',
    'vostro-on-citus',
    'worker1',
    'worker2',
  ])
  for (const [name, { profiles, ports }] of added) {
    assert.deepEqual(profiles, ['citus'])
    assert.ok(ports === undefined || name === 'vostro-on-citus', name)
  }
  const inside = Object.entries(compose.services).filter(([, { networks }]) => networks?.includes('shards'))
  assert.deepEqual(inside.map(([name]) => name).sort(), ['coordinator', 'worker1', 'worker2'])
  const { shards } = compose.networks
  assert.equal(shards?.internal, true)
  const script = textOf('deploy/compose/citus.sh')
  assert.ok(script.includes(` ${shards?.ipam.config[0]?.subnet} trust\n`), 'the script lets in whom compose.yaml puts into the network')
  for (const server of [coordinator, worker1, worker2]) {
    for (const volume of server.volumes ?? []) {
      const [source = ''] = volume.split(':')
      assert.ok(source.startsWith('./') ? existsSync(join(root, source)) : source in compose.volumes, source)
    }
  }
  assert.deepEqual(migrateThere.command, migrate.command)
  assert.deepEqual(distribute.command, commandOf(manifest.scripts.distribute))
  assert.deepEqual(migrateThere.depends_on, { coordinator: { condition: 'service_healthy' } })
  assert.deepEqual(distribute.depends_on, { 'migrate-on-citus': { condition: 'service_completed_successfully' } })
  assert.deepEqual(there.depends_on, { distribute: { condition: 'service_completed_successfully' } })
  const { DATABASE_URL: _, ...same } = there.environment
  const { DATABASE_URL: __, ...settings } = vostro.environment
  assert.deepEqual(same, settings)
})

/** The lines of a unit, by section and name. */
function unitOf(text: string): Record<string, Record<string, string[]>> {
  const sections: Record<string, Record<string, string[]>> = {}
  let section: Record<string, string[]> = {}
  for (const line of text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? []
    if (title !== undefined) {
      section = {}
      sections[title] = section
    } else {
      const at = line.indexOf('=')
      const name = line.slice(0, at)
      section[name] = [...(section[name] ?? []), line.slice(at + 1)]
    }
  }
  return sections
}

const units = Object.fromEntries(
  ['vostro', 'vostro-migrate'].map((name) => [name, unitOf(textOf(`deploy/systemd/${name}.service`))] as const),
)
const home = '/opt/vostro'

test('the units run the commands of npm start and npm run migrate, as a user who may write nothing but a cache', () => {
  const [service, migration] = [units['vostro']?.['Service'] ?? {}, units['vostro-migrate']?.['Service'] ?? {}]
  const [, ...started] = commandOf(manifest.scripts.start)
  const [, ...migrated] = commandOf(manifest.scripts.migrate)
  assert.deepEqual(service['ExecStart'], [[`${home}/node_modules/.bin/node`, ...started].join(' ')])
  assert.deepEqual(migration['ExecStart'], [[`${home}/node_modules/.bin/node`, ...migrated].join(' ')])
  assert.deepEqual(
    service['Environment']?.map((line) => line.split('=')[0]),
    Object.keys(startCommand().environment),
  )
  assert.deepEqual(service['EnvironmentFile'], ['/etc/vostro/vostro.env'])
  assert.deepEqual(migration['EnvironmentFile'], ['/etc/vostro/vostro.env', '/etc/vostro/owner.env'])
  assert.deepEqual(units['vostro']?.['Unit']?.['Requires'], ['vostro-migrate.service'])
  assert.match(units['vostro']?.['Unit']?.['After']?.[0] ?? '', /\bvostro-migrate\.service$/)
  for (const { User, ProtectSystem, NoNewPrivileges, CapabilityBoundingSet } of [service, migration])
    assert.deepEqual([User, ProtectSystem, NoNewPrivileges, CapabilityBoundingSet], [['vostro'], ['strict'], ['yes'], ['']])
  const hardening = (lines: Record<string, string[]>) =>
    Object.entries(lines).filter(([name]) => /^(Protect|Private|Restrict|System|Lock|Remove|UMask|No)/.test(name))
  assert.deepEqual(hardening(migration), hardening(service))
})

test('the env files of systemd give every setting that production needs, and only settings that exist', () => {
  const given = variablesOf('deploy/systemd/vostro.env.example')
  const owner = variablesOf('deploy/systemd/owner.env.example')
  assert.deepEqual(
    Object.keys({ ...given, ...owner }).filter((name) => !isSetting(name)),
    [],
  )
  assert.deepEqual(Object.keys(owner), ['MIGRATION_DATABASE_URL'])
  assert.ok(!('MIGRATION_DATABASE_URL' in given))
  for (const name of [...required.secret, ...required.plain]) assert.ok(name in given, name)
  const filled = Object.entries(given).map(([name, value]) => [name, value === '' ? filledIn[name] : value])
  const { sandbox, host, fourEyes } = readConfig(Object.fromEntries(filled))
  assert.deepEqual({ sandbox, host, fourEyes }, { sandbox: false, host: '127.0.0.1', fourEyes: true })
})

test('the guide says why each of these settings is needed, and names only settings that exist', () => {
  const guide = textOf('docs/production.md')
  const table = guide.slice(guide.indexOf('\n## Settings\n'), guide.indexOf('\n## Two logins'))
  const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  assert.deepEqual(rows.sort(), [...required.secret, ...required.plain, 'MIGRATION_DATABASE_URL'].sort())
  assert.deepEqual(
    rows.filter((name) => !isSetting(name)),
    [],
  )
})

const analyze = program('systemd-analyze', { version: '--version', from: 'the package systemd' })

test('systemd accepts the units, and finds little that they could do to the machine', { skip: analyze.missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-units-'))
  after(() => rmSync(folder, { recursive: true }))
  // Here the code is in this checkout, and verify looks for the program.
  for (const name of Object.keys(units))
    writeFileSync(
      join(folder, `${name}.service`),
      textOf(`deploy/systemd/${name}.service`).replaceAll(`${home}/node_modules/.bin/node`, process.execPath),
    )
  const verify = () => run(analyze.path, ['verify', '--man=no', ...Object.keys(units).map((name) => join(folder, `${name}.service`))])
  const ours = (output: string) => output.split('\n').filter((line) => line.includes(folder) || /\bvostro/.test(line))
  const verified = verify()
  assert.deepEqual(ours(verified.output), [])
  for (const name of Object.keys(units)) {
    const { status, output } = run(analyze.path, [
      'security',
      '--offline=true',
      '--threshold=20',
      '--no-pager',
      join(folder, `${name}.service`),
    ])
    assert.equal(status, 0, output)
  }
  writeFileSync(
    join(folder, 'vostro.service'),
    `${textOf('deploy/systemd/vostro.service').replace('[Install]', 'Protect=everything\n[Install]')}`,
  )
  assert.match(ours(verify().output).join('\n'), /Unknown key (name )?'Protect'/)
})
