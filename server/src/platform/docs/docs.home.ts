// The first page: what this is and where to go from here.
import { readFileSync } from 'node:fs'
import { html } from '../http/html.ts'
import type { DocsPage } from './docs.layout.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }

const places = [
  {
    key: 'reference',
    path: '/docs/',
    title: 'API reference',
    about: 'Every operation with its fields; requests can be sent from the page.',
  },
  {
    key: 'guides',
    path: '/docs/guides',
    title: 'Guides',
    about: 'Getting started, transfers, card payments, verification, webhooks, operation.',
  },
  { key: 'errors', path: '/docs/errors', title: 'Error codes', about: 'The cause and the remedy of every refusal.' },
  { key: 'contract', path: '/openapi.json', title: 'OpenAPI document', about: 'The contract, for generators and other tools.' },
  { key: 'health', path: '/healthz', title: 'Health', about: 'Whether the process is alive.' },
  { key: 'readiness', path: '/readyz', title: 'Readiness', about: 'Whether the database answers, so that requests can be served.' },
] as const

/** The home page for programs. */
export function homeDocument(): Record<string, string> {
  return { name: 'Vostro', version, ...Object.fromEntries(places.map(({ key, path }) => [key, path])) }
}

export function homePage(): DocsPage {
  return {
    title: 'Vostro',
    body: html`<h1>Vostro</h1>
<p class="lead">An open-source, self-hosted Banking-as-a-Service core: clients and their verification, accounts, transfers, card payments and
webhooks, as JSON over HTTP.</p>
<ul class="entries">
${places.map(({ path, title, about }) => html`<li><a href="${path}"><strong>${title}</strong> <span>${about}</span></a></li>`)}
</ul>
<p class="quiet">Version ${version} · Apache-2.0</p>`,
  }
}
