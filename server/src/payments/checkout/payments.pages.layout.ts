// What all pages for payers have in common: the frame, the choice of language, and how they look on a screen and on paper.
import { type Html, html } from '../../platform/http/html.ts'
import { type Language, languages } from '../payments.schemas.ts'
import { texts } from './payments.texts.ts'

type Page = { title: string; body: Html; head?: Html }

export function layout(language: Language, { title, body, head }: Page): string {
  const { direction, chooseLanguage } = texts[language]
  return html`<!doctype html>
<html lang="${language.toLowerCase()}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,">${head ?? ''}<style>${style}</style></head>
<body><header><nav aria-label="${chooseLanguage}">${languages.map((other) => choice(other, other === language))}</nav></header>
<main>
${body}
</main></body></html>
`.text
}

function choice(language: Language, isCurrent: boolean): Html {
  const code = language.toLowerCase()
  return html`<a href="?lang=${code}" lang="${code}" hreflang="${code}"${isCurrent ? html` aria-current="true"` : ''}>${texts[language].name}</a>`
}

const style = html`*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:#1b1f24;background:#f6f7f9;margin:0}
header,main{max-width:30rem;margin:0 auto;padding:0 1rem}
main{padding-bottom:2rem}
nav{display:flex;justify-content:flex-end;gap:.5rem}
nav a{padding:.7rem .5rem;color:#0b4bb3}
nav a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
h1{font-size:1.5rem;margin:1rem 0}
.good,.bad,.open{padding-inline-start:.8rem;border-inline-start:.4rem solid #6b7480}
.good{border-color:#1a7f37}
.bad{border-color:#b3261e}
h1,p,strong,bdi,button{overflow-wrap:anywhere}
strong{font-size:1.25rem}
label{display:block;margin-top:1.2rem;font-weight:600}
input,button,.button{display:block;width:100%;font:inherit;padding:.8rem;border:1px solid #6b7480;border-radius:.5rem;background:#fff;color:inherit;text-align:start}
[dir=rtl] input[dir=ltr]{text-align:right}
button,.button{margin-top:1.5rem;text-align:center;text-decoration:none;cursor:pointer}
.main{background:#0b57d0;border-color:#0b57d0;color:#fff}
[aria-invalid]{border-color:#b3261e}
.hint{color:#4a5360;margin:.2rem 0 .4rem}
.error{color:#b3261e;margin:.3rem 0 0}
:focus-visible{outline:3px solid #0b57d0;outline-offset:2px}
figure{display:none}
@media print{body{background:#fff}header,form,.screen{display:none}figure{display:block;margin:1rem 0}img{display:block}}`
