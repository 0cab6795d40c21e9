// The pages that payers see: plain HTML that works on a phone, needs no script and loads nothing from outside.
import { now } from '../../platform/clock.ts'
import { cardEnding, detailList } from '../../platform/http/html.card.ts'
import { type Html, html } from '../../platform/http/html.ts'
import { localizeMoney } from '../../values/money.ts'
import { newAttempt } from '../links/payments.links.attempts.ts'
import type { LinkRow } from '../links/payments.links.sql.ts'
import type { Visited } from '../links/payments.links.start.ts'
import type { Language } from '../payments.schemas.ts'
import type { PaymentRow } from '../payments.sql.ts'
import { askedFields, type Errors, type Field, type Values } from './payments.pages.form.ts'
import { layout } from './payments.pages.layout.ts'
import { isolated, type Notice, type Outcome, type Texts, texts } from './payments.texts.ts'

type Link = Visited & { language: Language }

/** The payer's input, and what is wrong with it. */
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
${link.description === null ? '' : html`<p dir="auto">${link.description}</p>`}
<p class="amount">${words.amount} <strong>${amountOf(link, words)}</strong></p>
${mistake === undefined ? '' : html`<p role="alert" class="error">${words.wrong}</p>`}
<form method="post" action="?lang=${language.toLowerCase()}" novalidate>
<input type="hidden" name="attempt" value="${newAttempt()}">
${inputs}
<button class="main">${words.pay} ${amountOf(link, words)}</button>
</form>
<p class="quiet screen">${words.next}</p>
<figure><img src="${link.token}/qr.svg" width="200" height="200" alt=""><figcaption>${words.scan}<br><bdi dir="ltr">${address}</bdi></figcaption></figure>`,
  })
}

/** `returnUrl`: asks the gateway again and leads back here. `shopUrl`: where the shop expects its payer back; undefined if there is no shop. */
type Result = Link & { payment: PaymentRow; returnUrl: string; shopUrl: string | undefined }

/** Does not reload by itself: a payer who reads slowly or uses a keyboard would lose their place on the page. */
export function resultPage(result: Result): string {
  const { payment, payee, language } = result
  const words = texts[language]
  const outcome = outcomeOf(payment)
  const { title, text } = words.result[outcome]
  return layout(language, {
    title: `${title} – ${words.payTo(isolated(payee))}`,
    payee,
    body: html`<h1 class="${tones[outcome]}">${title}</h1>
<p role="status">${text(isolated(payee))}</p>
${receipt(result, words)}
${actionsOf(result).map(({ label, href }, index) => html`<a class="${index === 0 ? 'button main' : 'button'}" href="${href}">${words[label]}</a>`)}
${outcome === 'PAID' ? closingNote(result, words) : ''}`,
  })
}

/** A payment that was paid and then canceled went back to the payer. */
function outcomeOf({ status, paid_at }: PaymentRow): Outcome {
  return status === 'CANCELED' && paid_at !== null ? 'REVERSED' : status
}

const tones: Record<Outcome, 'good' | 'bad' | 'open'> = {
  PENDING: 'open',
  PAID: 'good',
  REFUNDED: 'good',
  REVERSED: 'open',
  FAILED: 'bad',
  REFUSED: 'bad',
  CANCELED: 'bad',
  EXPIRED: 'bad',
}

function receipt({ payment, payee }: Result, words: Texts): Html {
  const { description, currency, refunded_amount, paid_at } = payment
  const isRefunded = /[1-9]/.test(refunded_amount)
  return detailList([
    { name: words.payee, value: html`<bdi>${payee}</bdi>` },
    ...(description === null ? [] : [{ name: words.description, value: html`<bdi>${description}</bdi>` }]),
    { name: words.amount, value: amountOf(payment, words) },
    ...(isRefunded ? [{ name: words.refunded, value: amountOf({ amount: refunded_amount, currency }, words) }] : []),
    ...(paid_at === null ? [] : [{ name: words.date, value: dateOf(paid_at, words) }, ...cardOf(payment, words)]),
    { name: words.reference, value: html`<bdi dir="ltr">${payment.gateway_order_number}</bdi>` },
  ])
}

/** In UTC, and marked as such, because the payer's time zone is unknown. */
function dateOf(timestamp: string, { locale }: Texts): Html {
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  })
  return html`<time datetime="${timestamp}">${format.format(new Date(timestamp))}</time>`
}

/** Gateways write brands in capitals; these are spelled differently. */
const brands: Record<string, string> = { VISA: 'Visa', MASTERCARD: 'Mastercard' }

/** The last four digits and the brand, as far as the gateway sent them. */
function cardOf({ masked_pan, card_brand }: PaymentRow, words: Texts): { name: string; value: Html }[] {
  const [digits] = /\d{4}$/.exec(masked_pan ?? '') ?? []
  const brand = card_brand === null ? '' : (brands[card_brand.toUpperCase()] ?? card_brand)
  return digits === undefined ? [] : [{ name: words.card, value: cardEnding(brand, digits) }]
}

type Action = { label: 'toCardForm' | 'checkAgain' | 'tryAgain' | 'backToShop'; href: string }

/** What the payer can do next, the most likely first. */
function actionsOf({ payment, link, language, returnUrl, shopUrl }: Result): Action[] {
  const back: Action[] = shopUrl === undefined ? [] : [{ label: 'backToShop', href: shopUrl }]
  switch (outcomeOf(payment)) {
    case 'PENDING': {
      const check: Action = { label: 'checkAgain', href: returnUrl }
      const { form_url, session_until } = payment
      const isPayable = form_url !== null && Date.parse(session_until) > now().getTime()
      return [...(isPayable ? [{ label: 'toCardForm' as const, href: form_url }] : []), check, ...back]
    }
    case 'REFUSED':
    case 'CANCELED':
    case 'EXPIRED':
      return [{ label: 'tryAgain', href: linkHref(link, language) }, ...back]
    default:
      return back
  }
}

/** Without a shop to go back to, the payer may close the page, or go back to a link that is still open. */
function closingNote({ link, language, closed, shopUrl }: Result, words: Texts): Html {
  const canGoBack = shopUrl === undefined && closed === undefined
  return html`<p class="quiet screen">${words.canClose}${canGoBack ? html`<br><a href="${linkHref(link, language)}">${words.backToLink}</a>` : ''}</p>`
}

/** From the page of a payment, which is one level below. */
function linkHref({ token }: LinkRow, language: Language): string {
  return `../${token}?lang=${language.toLowerCase()}`
}

/** For a card form at an origin that the page's policy does not allow: the browser goes there as if a link had been followed. */
export function leavingPage({ language, payee, form_url }: { language: Language; payee: string; form_url: string }): string {
  const words = texts[language]
  return layout(language, {
    title: words.leaving,
    payee,
    head: html`<meta http-equiv="refresh" content="0; url=${form_url}">`,
    body: html`<h1 class="open">${words.leaving}</h1>
<a class="button main" href="${form_url}">${words.toCardForm}</a>`,
  })
}

export function noticePage(language: Language, notice: Notice, payee?: string): string {
  const words = texts[language]
  const { title, text } = words.notices[notice]
  return layout(language, {
    title,
    payee,
    body: html`<h1>${title}</h1>
<p>${text}</p>
${remedyOf(notice, language, payee !== undefined)}`,
  })
}

/** The button that a notice mentions, if any. */
function remedyOf(notice: Notice, language: Language, isLink: boolean): Html | '' {
  const { tryAgain, openLink } = texts[language]
  switch (notice) {
    case 'too_many':
    case 'unanswered':
    case 'unavailable':
      return html`<a class="button main" href="">${tryAgain}</a>`
    case 'malformed':
      return isLink ? html`<a class="button main" href="?lang=${language.toLowerCase()}">${openLink}</a>` : ''
    default:
      return ''
  }
}

function amountOf({ amount, currency }: Pick<LinkRow, 'amount' | 'currency'>, { locale }: Texts): string {
  return isolated(localizeMoney(amount, currency, locale))
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
