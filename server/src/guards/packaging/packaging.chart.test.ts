// The Helm chart: it refuses wrong values, renders the right objects, and names only existing settings.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parseAllDocuments } from 'yaml'
import { readConfig, settings } from '../../config.ts'
import { program, run } from '../../testing/testing.programs.ts'
import { renderTemplate, type Values } from './packaging.chart.ts'
import { parseDockerfile } from './packaging.dockerfile.ts'
import { commandOf, filledIn, manifest, required, root, textOf, yamlOf } from './packaging.files.ts'

const chart = 'deploy/helm/vostro'
const defaults = yamlOf<Values>(`${chart}/values.yaml`)
const example = yamlOf<Values>('deploy/helm/example.yaml')
const { version, appVersion } = yamlOf<{ version: string; appVersion: string }>(`${chart}/Chart.yaml`)

/** Values of an installation replace the defaults, field by field. */
function merged(base: Values, over: Values): Values {
  const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(over).map(([name, value]) => {
    const before = base[name]
    return [name, isObject(value) && isObject(before) ? merged(before, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

const refusals = (values: Values): string[] => {
  const ajv = new Ajv({ allErrors: true, strict: false })
  const validate = ajv.compile(JSON.parse(textOf(`${chart}/values.schema.json`)))
  validate(values)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function render(values: Values): Values[] {
  const context = { Values: values, Release: { Name: 'vostro', Namespace: 'bank' }, Chart: { AppVersion: appVersion } }
  const names = readdirSync(join(root, chart, 'templates')).filter((name) => name.endsWith('.yaml'))
  return names.flatMap((name) => renderTemplate(textOf(`${chart}/templates/${name}`), context))
}

type Container = {
  image: string
  command?: string[]
  env?: { name: string }[]
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  resources: { limits: Record<string, string>; requests: Record<string, string> }
  securityContext: object
  lifecycle?: { preStop: { exec: { command: string[] } } }
} & Record<string, { httpGet: { path: string; port: string }; timeoutSeconds: number }>

type Pod = {
  securityContext: { runAsUser: number; runAsNonRoot: boolean }
  terminationGracePeriodSeconds: number
  initContainers: [Container]
  containers: [Container]
}

type Rendered = Values & { kind: string; metadata: { name: string; labels: Values }; spec: Values }

const objects = render(merged(defaults, example)) as Rendered[]
const one = (kind: string): Rendered => objects.find((object) => object.kind === kind) ?? assert.fail(`there is no ${kind}`)
const pod = (one('Deployment').spec['template'] as { spec: Pod }).spec
const [container] = pod.containers
const [migration] = pod.initContainers
const labels = { 'app.kubernetes.io/name': 'vostro', 'app.kubernetes.io/instance': 'vostro' }

test('an installation without what production needs, or with a secret among the settings, is refused', () => {
  assert.deepEqual(refusals(merged(defaults, example)), [])
  const missing = required.plain.filter((name) => !['SANDBOX', 'VERIFIER'].includes(name))
  const found = refusals(defaults)
  for (const name of missing) assert.ok(found.includes(`/settings must have required property '${name}'`), name)
  for (const name of required.plain) {
    const { [name]: _, ...others } = merged(defaults, example)['settings'] as Values
    assert.equal(refusals({ ...merged(defaults, example), settings: others }).length, 1, name)
  }
  const secret = Object.keys(settings).filter(
    (name) => /(_KEY|_SECRET|_TOKEN|PASSWORD|DATABASE_URL)$/.test(name) && name !== 'RAILS_SFTP_HOST_KEY',
  )
  assert.ok(secret.length >= 10)
  for (const name of secret)
    assert.equal(refusals(merged(merged(defaults, example), { settings: { [name]: 'x' } })).length, 1, `${name} is no plain setting`)
  assert.equal(refusals(merged(merged(defaults, example), { settings: { PUBLIC_URL: 'http://bank.example' } })).length, 1)
  assert.equal(refusals(merged(merged(defaults, example), { settings: { RATE_LIMIT_PER_MINUTE: 600 } })).length, 1, 'settings are text')
  assert.ok(
    refusals(merged(merged(defaults, example), { ingress: { hosts: [] } })).includes('/ingress/hosts must NOT have fewer than 1 items'),
  )
})

test('the settings of the chart exist, and the service accepts them', () => {
  const data = one('ConfigMap')['data'] as Record<string, string>
  assert.deepEqual(
    Object.keys(data).filter((name) => !Object.hasOwn(settings, name)),
    [],
  )
  const commented = [...textOf(`${chart}/values.yaml`).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name)
  assert.deepEqual(
    commented.filter((name) => !Object.hasOwn(settings, name)),
    [],
  )
  for (const name of required.secret) assert.ok(commented.includes(name), `values.yaml says where ${name} comes from`)
  // Without the admin key, as in production after the first three admins have joined.
  const { ADMIN_API_KEY: _, ...later } = filledIn
  assert.equal(readConfig({ ...later, ...data }).adminApiKey, undefined)
  const { sandbox, fourEyes, host, port } = readConfig({ ...filledIn, ...data })
  assert.deepEqual({ sandbox, fourEyes, host, port }, { sandbox: false, fourEyes: true, host: '0.0.0.0', port: 8080 })
})

test('the objects belong together, and the image is that of this version', () => {
  assert.deepEqual(objects.map(({ kind }) => kind).sort(), [
    'ConfigMap',
    'Deployment',
    'Ingress',
    'PodDisruptionBudget',
    'Service',
    'ServiceAccount',
    'ServiceMonitor',
  ])
  assert.deepEqual(render(merged(merged(defaults, example), { ingress: { enabled: false }, serviceMonitor: { enabled: false } })).length, 5)
  for (const { kind, metadata } of objects) assert.deepEqual([metadata.name, metadata.labels], ['vostro', labels], kind)
  const template = one('Deployment').spec['template'] as { metadata: { labels: Values } }
  assert.deepEqual(template.metadata.labels, labels)
  for (const kind of ['Deployment', 'PodDisruptionBudget', 'ServiceMonitor'])
    assert.deepEqual(one(kind).spec['selector'], { matchLabels: labels }, kind)
  assert.deepEqual(one('Service').spec['selector'], labels)
  assert.deepEqual(one('Service').spec['ports'], [{ name: 'http', port: 80, targetPort: container.ports?.[0]?.name }])
  assert.deepEqual([version, appVersion], [manifest.version, manifest.version])
  for (const { image } of [container, migration]) assert.equal(image, `vostro:${manifest.version}`)
  const hosts = ['api.bank.example', 'console.bank.example']
  assert.deepEqual(one('Ingress').spec['tls'], [{ hosts, secretName: 'vostro-tls' }])
  assert.deepEqual(
    (one('Ingress').spec['rules'] as { host: string }[]).map(({ host }) => host),
    hosts,
  )
})

test('only the migration has the login of the owner, and it is over before the service starts', () => {
  assert.deepEqual(migration.command, commandOf(manifest.scripts.migrate))
  assert.deepEqual(migration.envFrom, [{ secretRef: { name: 'vostro-owner' } }])
  assert.deepEqual(
    migration.env?.map(({ name }) => name),
    ['DATABASE_URL'],
  )
  assert.deepEqual(container.envFrom, [{ configMapRef: { name: 'vostro' } }, { secretRef: { name: 'vostro' } }])
  assert.ok(!JSON.stringify(container).includes('vostro-owner') && container.command === undefined)
  assert.deepEqual(one('Deployment').spec['strategy'], { type: 'Recreate' })
})

test('the containers have no rights, bounded memory, and probes that ask routes of the service', () => {
  const { stages } = parseDockerfile(textOf('Dockerfile'))
  const user = stages
    .at(-1)
    ?.instructions.find(({ name }) => name === 'USER')
    ?.text.split(':')[0]
  assert.deepEqual([String(pod.securityContext.runAsUser), pod.securityContext.runAsNonRoot], [user, true])
  for (const { securityContext, resources } of [container, migration]) {
    assert.deepEqual(securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
    assert.ok(resources.limits['memory'] !== undefined && resources.requests['cpu'] !== undefined)
  }
  const { paths } = JSON.parse(textOf('openapi.json')) as { paths: Values }
  const probed = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container[name]?.httpGet.path ?? '')
  assert.deepEqual(probed, ['/healthz', '/healthz', '/readyz'])
  for (const path of probed) assert.ok(path in paths, path)
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    assert.equal(container[probe]?.httpGet.port, container.ports?.[0]?.name)
  assert.ok(
    (container['readinessProbe']?.timeoutSeconds ?? 0) * 1000 > readConfig({}).databaseWait_ms,
    'the service answers before the probe gives up',
  )
  const wait_s = Number(container.lifecycle?.preStop.exec.command[1])
  assert.ok(pod.terminationGracePeriodSeconds > wait_s + 10)
})

const helm = program('helm', { version: 'version', from: 'Helm 3' })

test('Helm renders the same', { skip: helm.missing }, () => {
  const given = [chart, '--values', 'deploy/helm/example.yaml']
  const lint = run(helm.path, ['lint', '--strict', ...given], { cwd: root })
  assert.equal(lint.status, 0, lint.output)
  // Without a cluster, Helm assumes a version of Kubernetes.
  const template = (...args: string[]) =>
    run(helm.path, ['template', 'vostro', ...args, '--namespace', 'bank', '--kube-version', '1.34.0'], { cwd: root })
  const { status, output } = template(...given)
  assert.equal(status, 0, output)
  const theirs = parseAllDocuments(output).flatMap((document) => (document.toJS() === null ? [] : [document.toJS() as Rendered]))
  // The two write YAML differently, so the checksum over it differs.
  const comparable = (all: Rendered[]) =>
    Object.fromEntries(
      all.map((object) => [object.kind, JSON.parse(JSON.stringify(object).replace(/("checksum\/settings":)"[0-9a-f]{64}"/, '$1""'))]),
    )
  assert.deepEqual(comparable(theirs), comparable(objects))
  const refused = template(chart)
  assert.notEqual(refused.status, 0)
  assert.match(refused.output, /PUBLIC_URL/)
})

test('a template that uses what does not exist is noticed', () => {
  const context = { Values: { a: { b: 'c' }, list: ['x', 'y'], none: '' }, Release: { Name: 'r' } }
  assert.deepEqual(renderTemplate('a: {{ .Values.a.b | quote }}\n{{- if .Values.none }}\nb: 1\n{{- end }}\n', context), [{ a: 'c' }])
  const range = 'all:\n  {{- range $one := .Values.list }}\n  - {{ $one }}-{{ $.Release.Name }}\n  {{- end }}\n'
  assert.deepEqual(renderTemplate(range, context), [{ all: ['x-r', 'y-r'] }])
  assert.deepEqual(renderTemplate('a:\n  {{- toYaml .Values.a | nindent 2 }}\n', context), [{ a: { b: 'c' } }])
  assert.throws(() => renderTemplate('a: {{ .Values.missing }}\n', context), /there is no \.Values\.missing/)
  assert.throws(() => renderTemplate('a: {{ include "x" . }}\n', context), /function include is not known/)
  assert.throws(() => renderTemplate('a: b: {{ .Release.Name }}\n', context), /Nested mappings/)
})
