// What all pages for payers share: the card, the merchant's name above it, and the choice of language.
import { cardPage } from '../../platform/http/html.card.ts'
import { type Html, html } from '../../platform/http/html.ts'
import { type Language, languages } from '../payments.schemas.ts'
import { texts } from './payments.texts.ts'

/** `payee`: undefined if unknown, or if the heading shows it. */
type Page = { title: string; payee?: string | undefined; head?: Html; body: Html }

export function layout(language: Language, { payee, ...page }: Page): string {
  const { direction, chooseLanguage } = texts[language]
  const nav = html`<nav aria-label="${chooseLanguage}">${languages.map((other) => choice(other, other === language))}</nav>`
  return cardPage({ language: language.toLowerCase(), direction, owner: payee, nav, ...page })
}

function choice(language: Language, isCurrent: boolean): Html {
  const code = language.toLowerCase()
  return html`<a href="?lang=${code}" lang="${code}" hreflang="${code}"${isCurrent ? html` aria-current="true"` : ''}>${texts[language].name}</a>`
}
