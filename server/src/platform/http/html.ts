// Pages for people: plain HTML that loads nothing from outside and needs no script.
/** Makes the browser enforce what the pages promise. Some pages additionally need `form-action`. */
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

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A piece of a page, already escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A tag that escapes every value except other pieces of HTML, so input from users cannot become markup. */
export function html(strings: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(strings.reduce((text, string, index) => text + markupOf(values[index - 1] ?? '') + string))
}

function markupOf(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('\n')
}
