// Where the links of people lead. There is no console yet, so these pages say what a link is for and how to use it from a terminal. They know
// nothing of the link: its secret is behind the #, which browsers do not send.
import { html } from '../http/html.ts'
import { pathOf } from './docs.guides.ts'
import type { DocsPage } from './docs.layout.ts'

type LinkPage = {
  title: string
  about: string
  /** What the person sends besides the secret. */
  fields: Record<string, string>
  /** Whether the link may need the code that another person hands over. */
  mayHaveCode: boolean
}

const name = 'Your name'
const password = 'at least 12 characters'

export const linkPages = {
  'set-up': {
    title: 'Set up the bank',
    about:
      'With this link, you become the first admin of the bank. It works once, for 24 hours, and only until another set-up link is made, for example by the next start.',
    fields: { email: 'you@bank.example', name, password },
    mayHaveCode: false,
  },
  invitation: {
    title: 'Accept an invitation',
    about: 'With this link, somebody invites you to the bank or to a venture. It works once, for 72 hours.',
    fields: { name, password },
    mayHaveCode: true,
  },
  reset: {
    title: 'Choose another password',
    about: 'With this link, you choose another password. It works once, for an hour, and all of your sessions end.',
    fields: { password },
    mayHaveCode: true,
  },
} as const satisfies Record<string, LinkPage>

export type LinkKind = keyof typeof linkPages

export function linkPage(kind: LinkKind): DocsPage {
  const { title, about, mayHaveCode }: LinkPage = linkPages[kind]
  return {
    title,
    body: html`<h1>${title}</h1>
<p>${about}</p>
<p>Vostro has no console yet, so use the link from a terminal: copy the whole link from the address bar to the first line, fill in the rest, and run it.</p>
<pre tabindex="0"><code>${commandOf(kind)}</code></pre>
${mayHaveCode ? html`<p>If somebody else has given you a code for this link, add it: <code>"code": "…"</code>.</p>` : ''}
<p>Keep the link to yourself: whoever has it can use it. What comes next is in the guide <a href="${pathOf('bank')}">The bank’s side</a>.</p>`,
  }
}

/** The link names the place, so the command is the same everywhere. */
function commandOf(kind: LinkKind): string {
  const fields = Object.entries(linkPages[kind].fields).map(([field, value]) => `,\n    "${field}": "${value}"`)
  return `LINK='paste the whole link here'
BASE=\${LINK%%/console/*}
curl "$BASE/api/v1/session/links" -H "Origin: $BASE" \\
  -H "X-Vostro-Console: 1" -H "Content-Type: application/json" \\
  -d '{"secret": "'\${LINK#*#}'"${fields.join('')}}'
`
}
