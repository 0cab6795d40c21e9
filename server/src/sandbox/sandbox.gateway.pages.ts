// The pages of the sandbox gateway: plain HTML that works on a phone, needs no script and loads nothing.
import { escapeHtml, strictPolicy } from '../platform/http/html.ts'
import { currencyCodes, decimalsOf, numericOf } from '../values/currency.ts'
import { type CardErrors, declineCodeOf, testCards } from './sandbox.gateway.cards.ts'
import { isDeclined, type Order } from './sandbox.gateway.orders.ts'
import { type Texts, texts } from './sandbox.gateway.texts.ts'

/**
 * A form ends in a redirect to the shop, and from there to wherever the shop sends its payer. Chromium asks `form-action` about
 * each step of that way, whose origins nobody here can know.
 */
export const pagePolicy = strictPolicy.replace("form-action 'self'", 'form-action http: https:')

/** What the payer typed and what is wrong with it. Neither the number nor the code is ever sent back. */
type Mistake = { errors: CardErrors; expiry: string }

export function cardForm(order: Order, mistake?: Mistake): string {
  const words = texts[order.language]
  const { errors = {}, expiry = '' } = mistake ?? {}
  const declined = mistake === undefined ? declineOf(order, words) : undefined
  const message = (error: keyof Texts['errors'] | undefined) => (error === undefined ? undefined : words.errors[error])
  return page(words, order.language, {
    title: words.title,
    body: `<p class="note">${escapeHtml(words.sandbox)}</p>
${summary(order, words)}
${declined === undefined ? '' : `<p role="alert" class="error">${escapeHtml(declined)}</p>`}
<form method="post" novalidate>
${field({ name: 'number', label: words.number, autocomplete: 'cc-number', maxlength: 23, error: message(errors.number) })}
${field({ name: 'expiry', label: words.expiry, autocomplete: 'cc-exp', maxlength: 9, value: expiry, error: message(errors.expiry) })}
${field({ name: 'cvv', label: words.cvv, autocomplete: 'cc-csc', maxlength: 3, error: message(errors.cvv) })}
<button class="main" name="action" value="pay">${escapeHtml(`${words.pay} ${amountOf(order, words)}`)}</button>
<button name="action" value="cancel">${escapeHtml(words.cancel)}</button>
</form>
${cardList(words)}`,
  })
}

/** The step at the card's bank. */
export function confirmation(order: Order): string {
  const words = texts[order.language]
  return page(words, order.language, {
    title: words.bankTitle,
    body: `<p>${escapeHtml(words.bankQuestion)}</p>
${summary(order, words)}
<p>${escapeHtml(words.card)} <bdi dir="ltr">${escapeHtml(order.masked_pan ?? '')}</bdi></p>
<form method="post">
<button class="main" name="action" value="confirm">${escapeHtml(words.confirm)}</button>
<button name="action" value="cancel">${escapeHtml(words.refuse)}</button>
</form>`,
  })
}

/** Renews itself until the payment shows, and lets the payer go before. */
export function processing(order: Order, returnUrl: string): string {
  const words = texts[order.language]
  return page(words, order.language, {
    title: words.processingTitle,
    head: '<meta http-equiv="refresh" content="5">',
    body: `<p role="status">${escapeHtml(words.processing)}</p>
${summary(order, words)}
<p><a href="${escapeHtml(returnUrl)}">${escapeHtml(words.back)}</a></p>`,
  })
}

export function notFound(): string {
  return page(texts.en, 'en', { title: 'No such payment', body: '<p>There is no payment at this address.</p>' })
}

function declineOf(order: Order, words: Texts): string | undefined {
  return isDeclined(order) ? (words.declined[order.action_code] ?? words.declinedOtherwise) : undefined
}

function summary(order: Order, words: Texts): string {
  const description = order.description === '' ? '' : `<p>${escapeHtml(order.description)}</p>\n`
  return `${description}<p>${escapeHtml(words.amount)} <strong>${escapeHtml(amountOf(order, words))}</strong></p>`
}

/** With the currency's code and all of its decimals. */
function amountOf({ amount, currency }: Order, { locale }: Texts): string {
  const code = currencyCodes.find((code) => numericOf(code) === currency) ?? 'XXX'
  const decimals = decimalsOf(code)
  const digits = String(amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // As text, which is exact.
  return format.format(`${whole}.${digits.slice(whole.length)}` as `${number}`)
}

type Field = { name: string; label: string; autocomplete: string; maxlength: number; value?: string; error: string | undefined }

/** Card data is written from left to right in every language. */
function field({ name, label, autocomplete, maxlength, value = '', error }: Field): string {
  const wrong = error === undefined ? '' : ` aria-invalid="true" aria-describedby="${name}-error"`
  return `<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" dir="ltr" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxlength}" value="${escapeHtml(value)}" required${wrong}>
${error === undefined ? '' : `<p id="${name}-error" class="error">${escapeHtml(error)}</p>`}`
}

function cardList(words: Texts): string {
  const items = testCards.map((card) => {
    const groups = card.number.replace(/(?<=^(?:.{4})+)(?!$)/g, ' ')
    const code = declineCodeOf(card)
    const mark = code === undefined ? '' : ` <code dir="ltr">(${code})</code>`
    return `<li><code dir="ltr">${groups}</code><br>${escapeHtml(words.cards[card.name])}${mark}</li>`
  })
  return `<section><h2>${escapeHtml(words.cardsTitle)}</h2>
<p>${escapeHtml(words.cardsHint)}</p>
<ul>${items.join('\n')}</ul></section>`
}

const style = `*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#f6f7f9;margin:0}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
p,li,strong{overflow-wrap:anywhere}
label{display:block;margin-top:1rem;font-weight:600}
input,button{width:100%;font:inherit;padding:.8rem;border:1px solid #6b7480;border-radius:.5rem;background:#fff;color:inherit}
[dir=rtl] input{text-align:right}
[aria-invalid]{border-color:#b3261e}
.note{background:#fff3bf;padding:.6rem .8rem;border-radius:.5rem}
.error{color:#b3261e;margin:.3rem 0 0}
button{margin-top:1rem;cursor:pointer}
.main{background:#0b57d0;border-color:#0b57d0;color:#fff;margin-top:1.5rem}
:focus-visible{outline:3px solid #0b57d0;outline-offset:2px}
ul{padding:0;list-style:none}li{padding:.4rem 0;border-top:1px solid #d5dae0}
code{font-size:1rem}`

type Page = { title: string; body: string; head?: string }

function page(words: Texts, language: string, { title, body, head = '' }: Page): string {
  return `<!doctype html>
<html lang="${language}" dir="${words.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>${head}<style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`
}
