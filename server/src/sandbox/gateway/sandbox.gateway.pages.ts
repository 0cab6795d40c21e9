// The pages of the sandbox gateway: plain HTML that works on a phone, needs no script and loads nothing.
import { cardEnding, cardPage, detailList } from '../../platform/http/html.card.ts'
import { type Html, html, strictPolicy } from '../../platform/http/html.ts'
import { currencyCodes, numericOf } from '../../values/currency.ts'
import { formatMoney, localizeMoney, minorUnit } from '../../values/money.ts'
import { brandNames, type CardErrors, declineCodeOf, testCards } from './sandbox.gateway.cards.ts'
import { isDeclined, type Order } from './sandbox.gateway.orders.ts'
import { type Texts, texts } from './sandbox.gateway.texts.ts'

/**
 * A form ends in a redirect to the shop, which may redirect further. Chromium checks `form-action` for each step, and the origins of
 * those steps are unknown here.
 */
export const pagePolicy = strictPolicy.replace("form-action 'self'", 'form-action http: https:')

/** The payer's input, and what is wrong with it. Neither the number nor the code is ever sent back. */
type Mistake = { errors: CardErrors; expiry: string }

export function cardForm(order: Order, mistake?: Mistake): string {
  const words = texts[order.language]
  const { errors = {}, expiry = '' } = mistake ?? {}
  const declined = mistake === undefined ? declineOf(order, words) : undefined
  const message = (error: keyof Texts['errors'] | undefined) => (error === undefined ? undefined : words.errors[error])
  return page(order, {
    title: words.title,
    body: html`<p class="note">${words.sandbox}</p>
${summary(order, words)}
${declined === undefined ? '' : html`<p role="alert" class="error">${declined}</p>`}
<form method="post" novalidate>
${field({ name: 'number', label: words.number, autocomplete: 'cc-number', maxlength: 23, error: message(errors.number) })}
${field({ name: 'expiry', label: words.expiry, autocomplete: 'cc-exp', maxlength: 9, value: expiry, error: message(errors.expiry) })}
${field({ name: 'cvv', label: words.cvv, autocomplete: 'cc-csc', maxlength: 3, error: message(errors.cvv) })}
<button class="main" name="action" value="pay">${words.pay} ${amountOf(order, words)}</button>
<button name="action" value="cancel">${words.cancel}</button>
</form>
${cardList(words)}`,
  })
}

/** The step at the card's bank. */
export function confirmation(order: Order): string {
  const words = texts[order.language]
  return page(order, {
    title: words.bankTitle,
    body: html`<p>${words.bankQuestion}</p>
${summary(order, words)}
${detailList([{ name: words.card, value: cardEnding(brandNames[order.payment_system ?? 'VISA'], order.masked_pan?.slice(-4) ?? '') }])}
<form method="post">
<button class="main" name="action" value="confirm">${words.confirm}</button>
<button name="action" value="cancel">${words.refuse}</button>
</form>`,
  })
}

/** Does not reload by itself: a payer who reads slowly or uses a keyboard would lose their place on the page. */
export function processing(order: Order, returnUrl: string): string {
  const words = texts[order.language]
  return page(order, {
    title: words.processingTitle,
    tone: 'open',
    body: html`<p role="status">${words.processing}</p>
${summary(order, words)}
<a class="button main" href="">${words.checkAgain}</a>
<p class="actions"><a href="${returnUrl}">${words.back}</a></p>`,
  })
}

export function notFound(): string {
  return page({ language: 'en', payee: null }, { title: 'No such payment', body: html`<p>There is no payment at this address.</p>` })
}

function declineOf(order: Order, words: Texts): string | undefined {
  return isDeclined(order) ? (words.declined[order.action_code] ?? words.declinedOtherwise) : undefined
}

function summary(order: Order, words: Texts): Html {
  return html`${order.description === '' ? '' : html`<p dir="auto">${order.description}</p>`}
<p class="amount">${words.amount} <strong>${amountOf(order, words)}</strong></p>`
}

function amountOf({ amount, currency }: Order, { locale }: Texts): string {
  const code = currencyCodes.find((code) => numericOf(code) === currency) ?? 'XXX'
  return localizeMoney(formatMoney(BigInt(amount) * minorUnit(code), code), code, locale)
}

type Field = { name: string; label: string; autocomplete: string; maxlength: number; value?: string; error: string | undefined }

/** Card data is written from left to right in every language. */
function field({ name, label, autocomplete, maxlength, value = '', error }: Field): Html {
  const wrong = error === undefined ? '' : html` aria-invalid="true" aria-describedby="${name}-error"`
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" dir="ltr" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${String(maxlength)}" value="${value}" required${wrong}>
${error === undefined ? '' : html`<p id="${name}-error" class="error">${error}</p>`}`
}

function cardList(words: Texts): Html {
  const items = testCards.map((card) => {
    const groups = card.number.replace(/(?<=^(?:.{4})+)(?!$)/g, ' ')
    const code = declineCodeOf(card)
    return html`<li><code dir="ltr">${groups}</code><br>${words.cards[card.name]}${code === undefined ? '' : html` <code dir="ltr">(${String(code)})</code>`}</li>`
  })
  return html`<section><h2>${words.cardsTitle}</h2>
<p class="hint">${words.cardsHint}</p>
<ul>${items}</ul></section>`
}

type Page = { title: string; tone?: 'open'; body: Html }

function page({ language, payee }: Pick<Order, 'language' | 'payee'>, { title, tone, body }: Page): string {
  const heading = tone === undefined ? html`<h1>${title}</h1>` : html`<h1 class="${tone}">${title}</h1>`
  const { direction } = texts[language]
  return cardPage({ language, direction, title, owner: payee ?? undefined, body: html`${heading}\n${body}` })
}
