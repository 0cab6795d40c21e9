// The layout of pages that a visitor passes through, such as a payment: one card in the middle of the screen. It works on phones, on light
// and dark screens, on paper and in both writing directions, and needs no script.

import { theme } from './html.theme.ts'
import { Html, html } from './html.ts'

type CardPage = {
  language: string
  direction: 'ltr' | 'rtl'
  title: string
  /** Additional elements for the head. */
  head?: Html | undefined
  /** The party for whom the page is shown, such as the merchant; undefined if unknown. */
  owner?: string | undefined
  /** Links beside the owner, such as a choice of language. */
  nav?: Html | undefined
  /** Starts with the `h1`. */
  body: Html
}

export function cardPage({ language, direction, title, head, owner, nav, body }: CardPage): string {
  return html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,">${head ?? ''}<style>${theme}
${style}</style></head>
<body><header>${owner === undefined ? '' : html`<p class="owner"><bdi>${owner}</bdi></p>`}${nav ?? ''}</header>
<main>
${body}
</main></body></html>
`.text
}

/** A list of names and values that says what the page is about. */
export function detailList(entries: readonly { name: string; value: string | Html }[]): Html {
  return html`<dl>
${entries.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`
}

/** A card number, of which only the last four digits are shown. */
export function cardEnding(brand: string, digits: string): Html {
  return html`<bdi dir="ltr">${brand} <span aria-hidden="true">••••</span> ${digits}</bdi>`
}

/** An icon before a heading, in the heading's colour. It is an image, because no font is sure to have the character. */
function icon(path: string): Html {
  const svg = `%3Csvg xmlns='http%3A//www.w3.org/2000/svg' viewBox='0 0 48 48' fill='none' stroke='%23000' stroke-width='4' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='M24 3a21 21 0 1 0 0 42a21 21 0 1 0 0-42zM${path}'/%3E%3C/svg%3E`
  return new Html(`-webkit-mask:url("data:image/svg+xml,${svg}");mask:url("data:image/svg+xml,${svg}")`)
}

const style = html`header,main{width:calc(100% - 2rem);max-width:30rem;margin:0 auto}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem;min-height:4rem;padding:.5rem 0}
.owner{margin:0;font-weight:600}
nav{display:flex;margin-inline-start:auto}
nav a{padding:.75rem;font-size:.875rem}
nav a:last-child{margin-inline-end:-.75rem}
nav a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
main{margin-bottom:2rem;padding:1.5rem;background:var(--surface);border:1px solid var(--line);border-radius:1rem}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 1rem}
h2{font-size:1.125rem;line-height:1.4;margin:2rem 0 .5rem}
p{margin:0 0 1rem}
main>:last-child{margin-bottom:0}
h1,p,strong,bdi,dd,button,.button{overflow-wrap:anywhere}
.good,.bad,.open,[role=status]{text-align:center}
.good::before,.bad::before,.open::before{content:"";display:block;width:3rem;height:3rem;margin:0 auto 1rem;background:var(--muted)}
.good::before{background:var(--good);${icon('15 25l6 6l12-13')}}
.bad::before{background:var(--bad);${icon('17 17l14 14M31 17l-14 14')}}
.open::before{${icon('24 13v12l7 5')}}
.amount{color:var(--muted)}
.amount strong{display:block;color:var(--text);font-size:2rem;line-height:1.25}
dl{margin:1.5rem 0 0;border-bottom:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;padding:.75rem 0;border-top:1px solid var(--line)}
dt{color:var(--muted)}
dd{margin:0;margin-inline-start:auto;font-weight:600;text-align:end}
.note{padding:.75rem 1rem;background:var(--note-ground);border-radius:.5rem;font-size:.875rem}
[role=alert]{padding:.75rem 1rem;background:var(--bad-ground);border-radius:.5rem}
label{display:block;margin-top:1rem;font-weight:600}
input,button,.button,.actions a{display:block;width:100%;min-height:3rem;padding:.6875rem 1rem;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--border);border-radius:.5rem}
input{margin-top:.25rem}
[dir=rtl] input[dir=ltr]{text-align:right}
[aria-invalid]{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
button,.button,.actions a{margin-top:.75rem;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:hover,.button:hover,.actions a:hover{border-color:var(--accent);color:var(--accent)}
.main{margin-top:1.5rem;color:var(--on-accent);background:var(--accent);border-color:var(--accent)}
.main:hover{color:var(--on-accent);background:var(--accent-strong);border-color:var(--accent-strong)}
.hint{margin:.25rem 0 0;color:var(--muted);font-size:.875rem}
.error{color:var(--bad)}
input~.error,.error:not([role]){margin:.25rem 0 0;font-size:.875rem}
.quiet{margin:1.5rem 0 0;color:var(--muted);font-size:.875rem;text-align:center}
ul{margin:1rem 0 0;padding:0;list-style:none}
li{padding:.75rem 0;border-top:1px solid var(--line);font-size:.875rem}
code{font-family:ui-monospace,monospace;font-size:inherit}
li code:first-child{font-size:1rem}
small{display:block;font-weight:400;font-size:.875rem}
button:not(.main) small{color:var(--muted)}
summary{padding:.75rem 0;color:var(--accent);cursor:pointer}
details{margin-top:.75rem}
figure{display:none}
@media (min-width:40rem){header{margin-top:2rem}main{padding:2rem}}
@media print{body{background:none}header,main{width:auto;max-width:none}header{min-height:0}main{border:0;padding:0}nav,form,.screen,.button{display:none}figure{display:block;margin:1.5rem 0}img{display:block}}`
