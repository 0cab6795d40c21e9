// The catalogue of error codes for readers: a page of the running service, and the same page in Markdown.
import { STATUS_CODES } from 'node:http'
import { catalogue } from '../../values/refusals.ts'
import { Html, html } from '../http/html.ts'
import type { DocsPage } from './docs.layout.ts'

/** Each code is an anchor that the `type` of its problem links to. */
export function errorsPage(): DocsPage {
  const codes = Object.entries(catalogue).map(
    ([code, { status, title, cause, remedy }]) => html`<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p><strong>${String(status)}</strong> <span>${title}</span></p>
<dl><dt>Cause</dt><dd>${withCode(cause)}</dd>
<dt>Remedy</dt><dd>${withCode(remedy)}</dd></dl>
</section>`,
  )
  const body = html`<h1>Error codes</h1>
<p>Every error response is a problem (RFC 9457, <code>application/problem+json</code>). Programs should look at its <code>code</code>,
which never changes; <code>title</code> and <code>detail</code> are for people, and their wording may change.</p>
${jumpList()}
${codes}`
  return { title: 'Error codes', section: '/docs/errors', body }
}

/** The codes by status, for readers who do not know the name. */
function jumpList(): Html {
  const statuses = [...new Set(Object.values(catalogue).map(({ status }) => status))].sort((a, b) => a - b)
  return html`<nav aria-label="Codes by status">
${statuses.map((status) => {
  const codes = Object.entries(catalogue).filter(([, entry]) => entry.status === status)
  return html`<details class="contents"><summary>${String(status)} <span class="quiet">${STATUS_CODES[status] ?? ''}, ${String(codes.length)}</span></summary>
<ul>${codes.map(([code]) => html`<li><a href="#${code}"><code>${code}</code></a></li>`)}</ul></details>`
})}
</nav>`
}

/** Marks names of fields as code. They are the only words with an underscore. */
function withCode(text: string): Html {
  const parts = text.split(/\b([a-z]+(?:_[a-z0-9]+)+)\b/)
  return new Html(parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).text).join(''))
}

export function errorCodesMarkdown(): string {
  const codes = Object.entries(catalogue).map(
    ([code, { status, title, cause, remedy }]) => `## ${code}

**${status}** ${title}

- Cause: ${cause}
- Remedy: ${remedy}
`,
  )
  return `# Error codes

Every error response is a problem (RFC 9457, \`application/problem+json\`). Programs should look at its \`code\`, which never changes; \`title\` and
\`detail\` are for people, and their wording may change.

${codes.join('\n')}`
}
