// The pages that payers see: plain HTML that works on a phone, needs no script and loads nothing from outside.
import { type Html, html } from '../../platform/http/html.ts'
import { newAttempt } from '../links/payments.links.attempts.ts'
import type { LinkRow } from '../links/payments.links.sql.ts'
import type { Language } from '../payments.schemas.ts'
import type { PaymentRow } from '../payments.sql.ts'
import { askedFields, type Errors, type Field, type Values } from './payments.pages.form.ts'
import { layout } from './payments.pages.layout.ts'
import { isolated, type Notice, type Texts, texts } from './payments.texts.ts'

type Link = { link: LinkRow; payee: string; language: Language; address: string }

/** What the payer typed, and what is wrong with it. */
type Mistake = { errors: Errors; values: Values }

export function payPage({ link, payee, language, address }: Link, mistake?: Mistake): string {
  const words = texts[language]
  const { errors = {}, values = {} } = mistake ?? {}
  const title = words.payTo(isolated(payee))
  const asked = askedFields(link)
  const firstWrong = asked.find((field) => errors[field] !== undefined)
  const inputs = asked.map((field) => inputOf(field, { words, value: values[field], error: errors[field], focused: field === firstWrong }))
  return layout(language, {
    title: mistake === undefined ? title : `${words.wrong} – ${title}`,
    body: html`<h1>${title}</h1>
${summary(link, words)}
${mistake === undefined ? '' : html`<p role="alert" class="error">${words.wrong}</p>`}
<form method="post" action="?lang=${language.toLowerCase()}" novalidate>
<input type="hidden" name="attempt" value="${newAttempt()}">
${inputs}
<button class="main">${words.pay} ${amountOf(link, words)}</button>
</form>
<p class="hint screen">${words.next}</p>
<figure><img src="${link.token}/qr.svg" width="200" height="200" alt=""><figcaption>${words.scan}<br><bdi dir="ltr">${address}</bdi></figcaption></figure>`,
  })
}

type Result = { payment: PaymentRow; link: LinkRow; payee: string; language: Language; returnUrl: string }

/** Renewed by the payer and not by itself, which would take the place on the page away from whoever reads slowly or with a keyboard. */
export function resultPage(result: Result): string {
  const { payment, payee, language } = result
  const words = texts[language]
  const { title, text } = words.result[payment.status]
  return layout(language, {
    title: `${title} – ${words.payTo(isolated(payee))}`,
    body: html`<h1 class="${moods[payment.status]}">${title}</h1>
<p role="status">${text(isolated(payee))}</p>
${summary(payment, words)}
<p>${words.reference} <bdi dir="ltr">${payment.gateway_order_number}</bdi></p>
${actionsOf(result).map(({ label, href }, index) => html`<a class="${index === 0 ? 'button main' : 'button'}" href="${href}">${words[label]}</a>`)}`,
  })
}

type Action = { label: 'toCardForm' | 'checkAgain' | 'tryAgain'; href: string }

function actionsOf({ payment, link, language, returnUrl }: Result): Action[] {
  const { status, form_url, session_until, paid_at } = payment
  if (status === 'PENDING') {
    const check: Action = { label: 'checkAgain', href: returnUrl }
    const isPayable = form_url !== null && Date.parse(session_until) > Date.now()
    return isPayable ? [{ label: 'toCardForm', href: form_url }, check] : [check]
  }
  // One that was paid and taken back is for the shop to ask for again.
  const isOver = (status === 'REFUSED' || status === 'CANCELED' || status === 'EXPIRED') && paid_at === null
  return isOver ? [{ label: 'tryAgain', href: `../${link.token}?lang=${language.toLowerCase()}` }] : []
}

const moods: Record<PaymentRow['status'], string> = {
  PENDING: 'open',
  PAID: 'good',
  REFUNDED: 'good',
  FAILED: 'bad',
  REFUSED: 'bad',
  CANCELED: 'bad',
  EXPIRED: 'bad',
}

/** For a card form at a place that the page's policy does not know: the browser goes there as if a link had been followed. */
export function leavingPage(language: Language, form_url: string): string {
  const words = texts[language]
  return layout(language, {
    title: words.leaving,
    head: html`<meta http-equiv="refresh" content="0; url=${form_url}">`,
    body: html`<h1>${words.leaving}</h1>
<a class="button main" href="${form_url}">${words.toCardForm}</a>`,
  })
}

export function noticePage(language: Language, notice: Notice): string {
  const words = texts[language]
  const { title, text } = words.notices[notice]
  const again = notice === 'unanswered' || notice === 'unavailable'
  return layout(language, {
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>
${again ? html`<a class="button main" href="">${words.tryAgain}</a>` : ''}`,
  })
}

function summary(of: Pick<LinkRow, 'amount' | 'currency' | 'description'>, words: Texts): Html {
  return html`${of.description === null ? '' : html`<p dir="auto">${of.description}</p>`}
<p>${words.amount} <strong>${amountOf(of, words)}</strong></p>`
}

/** With the currency's code and all of its decimals, as text, which is exact. */
function amountOf({ amount, currency }: Pick<LinkRow, 'amount' | 'currency'>, { locale }: Texts): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return isolated(format.format(amount as `${number}`))
}

/** A name is written in either direction; addresses and numbers always from left to right. */
const kinds: Record<Field, Html> = {
  name: html`type="text" dir="auto" autocomplete="name" maxlength="140"`,
  email: html`type="email" dir="ltr" autocomplete="email" maxlength="254"`,
  phone: html`type="tel" dir="ltr" autocomplete="tel" maxlength="40"`,
}

type Input = { words: Texts; value: string | undefined; error: 'missing' | 'malformed' | undefined; focused: boolean }

function inputOf(field: Field, { words, value = '', error, focused }: Input): Html {
  const { label, hint, ...messages } = words.fields[field]
  const notes = [...(hint === undefined ? [] : [`${field}-hint`]), ...(error === undefined ? [] : [`${field}-error`])]
  return html`<label for="${field}">${label}</label>
${hint === undefined ? '' : html`<p id="${field}-hint" class="hint">${hint}</p>`}
<input id="${field}" name="${field}" ${kinds[field]} value="${value}" required${notes.length === 0 ? '' : html` aria-describedby="${notes.join(' ')}"`}${error === undefined ? '' : html` aria-invalid="true"`}${focused ? html` autofocus` : ''}>
${error === undefined ? '' : html`<p id="${field}-error" class="error">${messages[error]}</p>`}`
}
