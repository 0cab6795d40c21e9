// Pages for people: plain HTML that loads nothing from outside and needs no script.
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Makes the browser insist on what the pages promise. `form-action` is the only thing some of them need more. */
export const strictPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export function pageHeaders(policy = strictPolicy): Record<string, string> {
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  }
}

/** Browsers name HTML among what they accept; other clients hardly ever do. */
export function isBrowser({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A piece of a page in which everything that had to be is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The tag that escapes whatever is put into it, other pieces apart; so what somebody typed cannot become markup. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(strings.reduce((text, string, index) => text + markupOf(values[index - 1] ?? '') + string))
}

function markupOf(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('\n')
}

const style = `body{font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#f6f7f9;margin:0}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.5rem}
p,strong,dd{overflow-wrap:anywhere}
button{display:block;width:100%;font:inherit;padding:.8rem 1rem;margin:.6rem 0;border:1px solid #8a93a0;border-radius:.5rem;background:#fff;color:inherit;cursor:pointer}
button:hover,button:focus-visible{border-color:#0b57d0;outline:2px solid #0b57d0}
.wide{max-width:60rem}
section{padding:.6rem .75rem;border-bottom:1px solid #d5dae0}
section:target{background:#fff3bf}
section h2,section p,section dl{margin:.2rem 0}
h2{font-size:1rem}
h2 code{font-size:.85rem;white-space:nowrap}
dt{font-weight:600}
dd{margin:0 0 .3rem}
@media(min-width:40rem){dl{display:grid;grid-template-columns:5rem 1fr;gap:.15rem 1rem}dd{margin:0}}`

export function sendHtml(
  reply: FastifyReply,
  { title, body, wide = false }: { title: string; body: string; wide?: boolean },
): FastifyReply {
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main${wide ? ' class="wide"' : ''}><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`
  return reply.headers(pageHeaders()).type('text/html; charset=utf-8').send(page)
}
