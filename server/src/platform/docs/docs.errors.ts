// The catalogue of error codes for people: the page of the running service, and the same in Markdown.
import { catalogue } from '../../values/refusals.ts'
import { html } from '../http/html.ts'
import type { DocsPage } from './docs.layout.ts'

/** Each code is an anchor, to which the `type` of a problem points. */
export function errorsPage(): DocsPage {
  const codes = Object.entries(catalogue).map(
    ([code, { status, title, cause, remedy }]) => html`<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p><strong>${String(status)}</strong> <span>${title}</span></p>
<dl><dt>Cause</dt><dd>${cause}</dd>
<dt>Remedy</dt><dd>${remedy}</dd></dl>
</section>`,
  )
  const body = html`<h1>Error codes</h1>
<p>Every error response is a problem (RFC 9457, <code>application/problem+json</code>). Programs should look at its <code>code</code>,
which never changes; <code>title</code> and <code>detail</code> are for people, and their wording may change.</p>
${codes}`
  return { title: 'Error codes', section: '/docs/errors', body }
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
