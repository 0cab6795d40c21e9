// The Grafana board and the alert rules: every metric and every label in them exists.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Registry } from 'prom-client'
import { measureVop } from '../../payees/vop/payees.vop.metrics.ts'
import { createHttp } from '../../platform/http/http.ts'
import { createLog } from '../../platform/log.ts'
import { measure } from '../../platform/metrics.ts'
import { measureProcessing } from '../../processing/processing.metrics.ts'
import { measureInbox } from '../../rails/inbox/rails.inbox.metrics.ts'
import { measureRequestLog } from '../../requests/requests.metrics.ts'
import { measureScreening } from '../../screening/screening.metrics.ts'
import { program, run } from '../../testing/testing.programs.ts'
import { openBank } from '../../testing/testing.ts'
import { askingOver, certificateFolder, listeningFor, makeCertificates } from '../../testing/testing.vop.ts'
import { measureSignIns } from '../../users/users.metrics.ts'
import { measureAnchors } from '../../verify/verify.metrics.ts'
import { measureDeliveries } from '../../webhooks/webhooks.metrics.ts'
import { root, textOf, yamlOf } from './packaging.files.ts'

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string; description: string } }
type Panel = { type: string; title: string; targets?: { expr: string; legendFormat: string }[] }
type Board = {
  panels: Panel[]
  templating: { list: { name: string; query: string }[] }
  annotations: { list: { expr: string }[] }
}

const { groups } = yamlOf<{ groups: { name: string; rules: Rule[] }[] }>('deploy/prometheus/rules.yaml')
const rules = groups.flatMap((group) => group.rules)
const board = JSON.parse(textOf('deploy/grafana/vostro.json')) as Board
const graphs = board.panels.filter(({ type }) => type !== 'row')

const { server, client } = makeCertificates()
const folder = certificateFolder()
const certificates = { ...listeningFor(folder, server, [client]), ...askingOver(folder, 'https://127.0.0.1', client, server) }
const bank = await openBank(certificates, { files: 'simulated bank' })

/** Labels that Prometheus adds to every series, and series of its own. */
const everywhere = ['job', 'instance']
const prometheus: Readonly<Record<string, readonly string[]>> = {
  up: [],
  ALERTS: ['alertname', 'alertstate', 'severity', 'kind', 'route'],
}

/** Every series of the service, with its labels. */
async function seriesOf(registry: Registry): Promise<Record<string, readonly string[]>> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as { name: string; type: string }[]
  return Object.fromEntries(
    metrics.flatMap(({ name, type }) => {
      const { labelNames = [] } = registry.getSingleMetric(name) as unknown as { labelNames?: readonly string[] }
      if (type !== 'histogram') return [[name, labelNames]]
      return [
        [`${name}_bucket`, [...labelNames, 'le']],
        [`${name}_sum`, labelNames],
        [`${name}_count`, labelNames],
      ]
    }),
  )
}

const registry = measure(createHttp(createLog('silent')), bank.database)
measureDeliveries(registry, bank.database)
measureProcessing(registry, bank.database)
measureScreening(registry, { current: [] })
measureRequestLog(registry, { waiting: 0, dropped: 0 })
measureInbox(registry, { figures: { oldest_s: 0, last_round_s: 0, refused: new Map(), clock_off: 0 } })
measureSignIns(registry)
measureAnchors(registry, { failures: 0 })
measureVop(registry, {
  listener: { figures: { answered: new Map(), refused: new Map() }, expires_at: new Date(), onAnswer() {} },
  clientExpires_at: new Date(),
})
const series = { ...prometheus, ...(await seriesOf(registry)) }

/** The faults of one expression: series that do not exist, and labels that none of its series has. */
function faultsIn(expression: string): string[] {
  const plain = expression.replace(/"[^"]*"/g, '""').replace(/\[[^\]]*\]/g, '')
  const labels = [
    ...[...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
      [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name = '']) => name),
    ),
    ...[...plain.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)]
      .flatMap(([, inner = '']) => inner.split(/\s*,\s*/))
      .filter(Boolean),
  ]
  const rest = plain.replace(/\{[^}]*\}/g, '').replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '')
  const names = [...rest.matchAll(/(?<![\w$.])[A-Za-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['and', 'or', 'unless', 'bool'].includes(name))
  const known = [...everywhere, ...names.flatMap((name) => series[name] ?? [])]
  return [
    ...(names.length === 0 ? ['it uses no series'] : []),
    ...names.filter((name) => !Object.hasOwn(series, name)).map((name) => `there is no ${name}`),
    ...labels.filter((label) => !known.includes(label)).map((label) => `no series has the label ${label}`),
  ]
}

test('the metrics that are looked at here are those of the service', async () => {
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  const names = (lines: string) => [...lines.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name).sort()
  assert.deepEqual(names(text), names(await registry.metrics()))
})

test('every metric and label of an alert exists, and every alert says what to do', () => {
  assert.ok(rules.length >= 12)
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
  for (const { alert, expr, labels, annotations } of rules) {
    assert.deepEqual(faultsIn(expr), [], alert)
    assert.match(alert, /^Vostro[A-Z]/)
    assert.ok(['page', 'ticket'].includes(labels.severity), alert)
    assert.ok(annotations.summary.endsWith('.') && annotations.description.endsWith('.'), alert)
    const shown = [...`${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g)].map(([, name = '']) => name)
    for (const label of shown)
      assert.ok(label === 'instance' || new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr), `${alert} shows ${label}`)
  }
})

test('the guide lists every alert with its severity, and no other', () => {
  const rows = [...textOf('docs/production.md').matchAll(/^\| (`Vostro.*?) \| (\w+) \|/gm)]
  const listed = rows.flatMap(([, names = '', severity]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${severity}`))
  assert.deepEqual(listed.sort(), rules.map(({ alert, labels }) => `${alert} ${labels.severity}`).sort())
})

test('every metric and label of the board exists, and every metric of the bank is on it', () => {
  assert.ok(graphs.length >= 15)
  const expressions = [
    ...graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...board.annotations.list.map(({ expr }) => expr),
  ]
  for (const expression of expressions) assert.deepEqual(faultsIn(expression.replaceAll('$__rate_interval', '5m')), [], expression)
  for (const { title, targets = [] } of graphs) {
    for (const { expr, legendFormat } of targets) {
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(label === 'instance' || new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr), `${title} shows ${label}`)
    }
  }
  for (const { name, query } of board.templating.list) {
    const [, metric] = /^label_values\((\w+)/.exec(query) ?? []
    assert.ok(metric === undefined ? name === 'datasource' : Object.hasOwn(series, metric), name)
  }
  const ours = Object.keys(series).filter((name) =>
    /^(http|database|jobs|webhook|events|processing|cases|screening|exchange|sign_ins|anchor)(_|$)/.test(name),
  )
  assert.deepEqual(
    ours.filter((name) => !expressions.some((expression) => expression.includes(name))),
    [],
  )
})

test('a route in an expression is a route of the service', () => {
  const routes = new Set(bank.app.routeTable.map(({ method, url }) => `${method} ${url}`))
  const named = rules.flatMap(({ expr }) =>
    [...expr.matchAll(/route="([^"]*)", method="([^"]*)"/g)].map(([, route, method]) => `${method} ${route}`),
  )
  assert.ok(named.length > 0)
  for (const route of named) assert.ok(routes.has(route), route)
})

test('the check finds a metric and a label that do not exist', () => {
  assert.deepEqual(faultsIn('sum(rate(http_requests_total{job="vostro"}[5m])) > 1'), ['there is no http_requests_total'])
  assert.deepEqual(faultsIn('max by (queue) (jobs{job="vostro", state="dead"})'), ['no series has the label queue'])
  assert.deepEqual(faultsIn('jobs{kinds="a"}'), ['no series has the label kinds'])
  assert.deepEqual(faultsIn('1 > 0'), ['it uses no series'])
})

const promtool = program('promtool', { version: '--version', from: 'the package prometheus' })

test('Prometheus accepts rules and scrape configuration, and the alerts fire when they should', { skip: promtool.missing }, () => {
  const check = (...args: string[]) => run(promtool.path, args, { cwd: join(root, 'deploy/prometheus') })
  for (const args of [
    ['check', 'rules', 'rules.yaml'],
    ['test', 'rules', 'rules.test.yaml'],
  ]) {
    const { status, output } = check(...args)
    assert.equal(status, 0, output)
  }
  const folder = mkdtempSync(join(tmpdir(), 'vostro-prometheus-'))
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'vostro-metrics-key'), 'key')
  writeFileSync(join(folder, 'vostro-rules.yaml'), textOf('deploy/prometheus/rules.yaml'))
  writeFileSync(join(folder, 'prometheus.yaml'), textOf('deploy/prometheus/prometheus.yaml').replaceAll('/etc/prometheus', folder))
  const { status, output } = check('check', 'config', join(folder, 'prometheus.yaml'))
  assert.equal(status, 0, output)
  // The tests of the rules can fail.
  writeFileSync(join(folder, 'rules.yaml'), textOf('deploy/prometheus/rules.yaml').replace('> 0.01', '> 0.05'))
  writeFileSync(join(folder, 'rules.test.yaml'), textOf('deploy/prometheus/rules.test.yaml'))
  assert.notEqual(check('test', 'rules', join(folder, 'rules.test.yaml')).status, 0)
})
