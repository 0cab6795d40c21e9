// The guides: Markdown files of the repository as pages of the running service. Files that are not in this list are never read.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Html, html } from '../http/html.ts'
import type { DocsPage } from './docs.layout.ts'

type Guide = { file: string; title: string; about: string }

export const guides = {
  'getting-started': {
    file: 'README.md',
    title: 'Getting started',
    about: 'What Vostro is, how to start it, and a first completed transfer in ten lines.',
  },
  'first-session': {
    file: 'docs/first-session.md',
    title: 'A first session',
    about: 'Step by step over HTTP: a venture, a client, payments, SEPA messages, a watch list, a card payment.',
  },
  sdk: {
    file: 'sdk/README.md',
    title: 'The SDK',
    about: 'The client in TypeScript: typed calls, safe retries, lists, events and verified webhooks.',
  },
  cli: {
    file: 'cli/README.md',
    title: 'The command line',
    about: 'Events on your machine, triggering them, the request log, and everything else from a terminal.',
  },
  console: {
    file: 'docs/console.md',
    title: 'The console',
    about: "The pages for a venture's team and for the bank: search, figures and live changes.",
  },
  transfers: {
    file: 'docs/transfers.md',
    title: 'Transfers',
    about: 'Creating a transfer, its statuses and guards, and what moves money.',
  },
  payees: {
    file: 'docs/payees.md',
    title: 'Verification of payees',
    about: 'Whether an account belongs to a name: asking other banks, answering them over mutual TLS, and setting it up.',
  },
  statements: {
    file: 'docs/statements.md',
    title: 'Statements and receiving money',
    about: 'Statements as JSON, CSV, PDF and camt.053, balances over time, and QR codes for payers.',
  },
  bank: {
    file: 'docs/bank.md',
    title: "The bank's side",
    about:
      'From the first admin onwards: people, four-eyes approval, managed ventures, cases, money from outside, rates, card money, the audit log.',
  },
  processing: {
    file: 'docs/processing.md',
    title: 'Processing',
    about: "How a managed venture's transfers run by themselves, reviews and their decisions, rules of transaction monitoring.",
  },
  rails: {
    file: 'docs/rails.md',
    title: 'Rails',
    about: 'How payments leave the bank and come in: messages of ISO 20022, packs, the inbox, recalls, and the reconciliation of nostros.',
  },
  schemes: {
    file: 'docs/schemes.md',
    title: 'Schemes',
    about: 'How the bank takes part in payment schemes: cut-offs, calendars, amounts, envelopes of messages, and suspending a rail.',
  },
  'simulated-bank': {
    file: 'docs/simulated-bank.md',
    title: 'The simulated bank',
    about: 'The bank that the sandbox exchanges payments with, and how it behaves by amount and by name.',
  },
  demo: {
    file: 'docs/demo.md',
    title: 'The demo bank',
    about: 'A bank full of invented data: what is in it, and how to fill an empty service with it.',
  },
  'sign-in': {
    file: 'docs/sign-in.md',
    title: 'Sign-in requirements',
    about: 'Passkey, password or reauthentication: what each operation requires, by role and by how the person has signed in.',
  },
  reserved: {
    file: 'docs/reserved.md',
    title: 'Reserved to the bank',
    about: 'What a venture whose transfers the bank processes leaves to the bank, and why.',
  },
  payments: {
    file: 'docs/payments.md',
    title: 'Card payments',
    about: 'Payments, payment links, refunds, test cards, and a real gateway.',
  },
  idempotency: { file: 'docs/idempotency.md', title: 'Repeating requests', about: 'Idempotency keys: how to repeat a request safely.' },
  verification: { file: 'docs/verification.md', title: 'Verification', about: 'How the identity of a client is verified.' },
  'personal-data': {
    file: 'docs/personal-data.md',
    title: 'What is kept about a client',
    about: 'Everything about a person in one archive: what it contains, and who gets what.',
  },
  webhooks: {
    file: 'docs/webhooks.md',
    title: 'Webhooks',
    about: 'Receiving events, retries, and verifying signatures in four languages.',
  },
  screening: { file: 'docs/screening.md', title: 'Screening', about: 'How names are compared with watch lists, and how well that works.' },
  events: { file: 'docs/events.md', title: 'Events', about: 'Every type of event with an example.' },
  production: {
    file: 'docs/production.md',
    title: 'Production',
    about: 'Sizing, installing, TLS, backups, upgrades, several instances, what to alert on, and a list to check before going live.',
  },
  running: { file: 'docs/running.md', title: 'Running Vostro', about: 'Databases, roles, backups, stopping, and what to watch.' },
  scale: {
    file: 'docs/scale.md',
    title: 'Scale',
    about: 'Instances, standbys and Patroni, a distributed PostgreSQL, cells, and the arithmetic of a billion transfers a year.',
  },
  citus: {
    file: 'docs/citus.md',
    title: 'A distributed PostgreSQL: Citus',
    about: 'Spreading the rows of ventures over several servers: how, what is where, and what is not there.',
  },
  security: { file: 'SECURITY.md', title: 'Security', about: 'The threat model, and how to report a vulnerability.' },
  reliability: { file: 'docs/reliability.md', title: 'Reliability', about: 'Faults, fuzzing and planted bugs, and what they found.' },
  performance: { file: 'docs/performance.md', title: 'Performance', about: 'What was measured, how, and against what.' },
  'write-path': {
    file: 'docs/write-path.md',
    title: 'The write path',
    about: 'Batches, the order of locks, and what counts as committed.',
  },
  decisions: { file: 'docs/decisions.md', title: 'Decisions', about: 'What the specification leaves open, and what was decided.' },
  experiments: { file: 'docs/experiments.md', title: 'Experiments', about: 'What was tried and not kept, with its figures.' },
  glossary: { file: 'docs/glossary.md', title: 'Glossary', about: 'Words with a meaning of their own.' },
} as const satisfies Record<string, Guide>

export type GuideName = keyof typeof guides

const groups: { title: string; names: readonly GuideName[] }[] = [
  {
    title: 'Build',
    names: [
      'getting-started',
      'first-session',
      'console',
      'sdk',
      'cli',
      'transfers',
      'payees',
      'statements',
      'payments',
      'verification',
      'personal-data',
      'idempotency',
      'webhooks',
      'events',
    ],
  },
  {
    title: 'Operate',
    names: [
      'production',
      'running',
      'scale',
      'citus',
      'bank',
      'processing',
      'rails',
      'schemes',
      'simulated-bank',
      'demo',
      'reserved',
      'sign-in',
      'screening',
      'security',
      'reliability',
      'performance',
    ],
  },
  { title: 'Background', names: ['write-path', 'decisions', 'experiments', 'glossary'] },
]

/** Files that guides link to and that have pages of their own. */
const otherPages: Record<string, string> = { 'docs/errors.md': '/docs/errors', 'openapi.json': '/openapi.json' }

export function isGuide(name: string): name is GuideName {
  return Object.hasOwn(guides, name)
}

export const pathOf = (name: GuideName): string => `/docs/guides/${name}`

const root = fileURLToPath(new URL('../../../../', import.meta.url))

export async function guidePage(name: GuideName): Promise<DocsPage> {
  const { file, title } = guides[name]
  // Loaded with the first guide, so that the start is not slower.
  const { renderMarkdown } = await import('./docs.markdown.ts')
  const body = renderMarkdown(await readFile(root + file, 'utf8'), (href) => targetOf(href, file))
  return { title, section: '/docs/guides', body: withContents(body), aside: guideList(name) }
}

/** A long guide begins with a list of its sections. */
function withContents(body: Html): Html {
  const sections = [...body.text.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/g)]
  if (sections.length < fewSections) return body
  const items = sections.map(([, id, title = '']) => `<li><a href="#${id}">${title.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`)
  const contents = `<details class="contents"><summary>On this page</summary><ul>${items.join('')}</ul></details>\n`
  return new Html(body.text.replace('</h1>\n', () => `</h1>\n${contents}`))
}
const fewSections = 4

/** Links are relative paths between files, as on GitHub. */
export function targetOf(href: string, from: string): string | undefined {
  const repository = 'https://repository.invalid/'
  if (!URL.canParse(href, repository + from)) return undefined
  const url = new URL(href, repository + from)
  if (!url.href.startsWith(repository)) return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
  const file = url.pathname.slice(1)
  const name = Object.keys(guides)
    .filter(isGuide)
    .find((name) => guides[name].file === file)
  const path = name === undefined ? otherPages[file] : pathOf(name)
  return path === undefined ? undefined : path + url.hash
}

export function guideIndexPage(): DocsPage {
  return {
    title: 'Guides',
    section: '/docs/guides',
    body: html`<h1>Guides</h1>
${groups.map(
  ({ title, names }) => html`<h2>${title}</h2>
<ul class="entries">
${names.map((name) => html`<li><a href="${pathOf(name)}"><strong>${guides[name].title}</strong> <span>${guides[name].about}</span></a></li>`)}
</ul>`,
)}`,
  }
}

export function unknownGuidePage(): DocsPage {
  return {
    title: 'Guide not found',
    section: '/docs/guides',
    body: html`<h1>Guide not found</h1>
<p>There is no guide at this address. <a href="/docs/guides">All guides</a></p>`,
  }
}

function guideList(current: GuideName): Html {
  const item = (name: GuideName) =>
    html`<li><a href="${pathOf(name)}"${name === current ? html` aria-current="page"` : ''}>${guides[name].title}</a></li>`
  return html`${groups.map(({ title, names }) => html`<h2>${title}</h2><ul>${names.map(item)}</ul>`)}`
}

/** For descriptions written in Markdown. */
export function guideLinks(): string {
  return groups.flatMap(({ names }) => names.map((name) => `[${guides[name].title}](${pathOf(name)})`)).join(', ')
}
