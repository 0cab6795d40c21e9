// The layout of pages to read: the home page, the guides and the error codes. They work on phones, on light and dark screens and on paper,
// and need no script.
import type { FastifyReply } from 'fastify'
import { theme } from '../http/html.theme.ts'
import { type Html, html, pageHeaders } from '../http/html.ts'

const sections = [
  { path: '/docs/', name: 'Reference' },
  { path: '/docs/guides', name: 'Guides' },
  { path: '/docs/errors', name: 'Errors' },
] as const

export type DocsPage = {
  title: string
  /** The section of the page; none for the home page. */
  section?: (typeof sections)[number]['path']
  /** Links to neighbouring pages, shown beside the page where there is room. */
  aside?: Html
  /** Starts with the `h1`. */
  body: Html
}

/** The letter V on our accent colour. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230b57d0'/%3E%3Cpath d='M8 9l8 15 8-15' fill='none' stroke='%23fff' stroke-width='4' stroke-linejoin='round' stroke-linecap='round'/%3E%3C/svg%3E"

export function docsPage({ title, section, aside, body }: DocsPage): string {
  const links = sections.map(({ path, name }) => {
    const current = path === section ? html` aria-current="true"` : ''
    return html`<a href="${path}"${current}>${name}</a>`
  })
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'Vostro' ? title : `${title} – Vostro`}</title><link rel="icon" href="${icon}"><style>${theme}
${style}</style></head>
<body><header><a class="brand" href="/"><img src="${icon}" alt="" width="24" height="24">Vostro</a><nav aria-label="Documentation">${links}</nav></header>
<div class="columns">
<main>
${body}
</main>
${aside === undefined ? '' : html`<nav class="aside" aria-label="In this section">${aside}</nav>`}
</div></body></html>
`.text
}

export function sendDocsPage(reply: FastifyReply, page: DocsPage, status = 200): FastifyReply {
  return reply.code(status).headers(pageHeaders()).type('text/html; charset=utf-8').send(docsPage(page))
}

const style = html`:root{--edge:rgb(22 32 44/.28)}
@media screen and (prefers-color-scheme:dark){:root{--edge:rgb(255 255 255/.2)}}
html{scroll-padding-top:1rem}
body{background:var(--surface);line-height:1.6}
header{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:0 1rem;border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:.5rem;padding:1rem 0;color:inherit;font-weight:700;text-decoration:none}
.brand img{display:block}
header nav{display:flex;gap:1rem}
header nav a{padding:1rem 0;color:var(--muted);font-size:.9375rem;text-decoration:none}
header nav a:hover{color:var(--accent)}
header nav a[aria-current]{color:var(--text);font-weight:600;box-shadow:inset 0 -2px var(--accent)}
main{min-width:0;max-width:46rem;padding:1.5rem 1rem 4rem}
h1,h2,h3,h4{line-height:1.3;overflow-wrap:anywhere}
h1{margin:.5rem 0 1rem;font-size:1.75rem;letter-spacing:-.01em}
h2{margin:2.5rem 0 .75rem;font-size:1.25rem}
h3{margin:2rem 0 .5rem;font-size:1.0625rem}
p,ul,ol,dl,pre,.scroll{margin:0 0 1rem}
p,li,dd{overflow-wrap:anywhere}
ul,ol{padding-inline-start:1.5rem}
li{margin:.25rem 0}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
:not(pre)>code{padding:.1em .3em;background:var(--ground);border-radius:.25rem}
a>code{color:inherit}
pre{padding:1rem;overflow-x:auto;border:1px solid var(--line);border-radius:.5rem;line-height:1.5}
pre>code{display:inline-block;min-width:100%}
.scroll{overflow-x:auto}
pre,.scroll{--under:var(--surface);background:linear-gradient(90deg,var(--under) 40%,transparent) 0 0,linear-gradient(270deg,var(--under) 40%,transparent) 100% 0,linear-gradient(90deg,var(--edge),transparent) 0 0,linear-gradient(270deg,var(--edge),transparent) 100% 0;background-color:var(--under);background-repeat:no-repeat;background-size:3rem 100%,3rem 100%,.875rem 100%,.875rem 100%;background-attachment:local,local,scroll,scroll}
pre{--under:var(--ground)}
h2>a,h3>a,h4>a{color:inherit;text-decoration:none}
h2>a:hover,h3>a:hover,h4>a:hover{color:var(--accent);text-decoration:underline}
.contents{margin:0 0 1.5rem;border:1px solid var(--line);border-radius:.5rem}
.contents+.contents{margin-top:-1rem}
.contents summary{padding:.625rem 1rem;font-size:.9375rem;font-weight:600;cursor:pointer}
.contents ul{margin:0;padding:0 1rem .75rem;list-style:none;columns:14rem;column-gap:2rem}
.contents a{display:block;padding:.25rem 0;font-size:.9375rem}
table{border-collapse:collapse;min-width:100%;font-size:.9375rem;line-height:1.5}
th,td{padding:.5rem 1rem .5rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-inline-end:0}
th{color:var(--muted);font-size:.8125rem;font-weight:600}
td:not(:last-child) code{white-space:nowrap}
blockquote{margin:0 0 1rem;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--muted)}
hr{border:0;border-top:1px solid var(--line);margin:2rem 0}
.lead{color:var(--muted);font-size:1.0625rem}
.quiet{color:var(--muted);font-size:.875rem}
.entries{padding:0;list-style:none;border-top:1px solid var(--line)}
.entries li{margin:0;border-bottom:1px solid var(--line)}
.entries a{display:block;padding:.875rem 0;color:inherit;text-decoration:none}
.entries strong{display:block;color:var(--accent)}
.entries a:hover strong{text-decoration:underline}
.entries span{color:var(--muted);font-size:.9375rem}
section{padding:1rem 0;border-top:1px solid var(--line)}
section h2{margin:0 0 .25rem;font-size:1rem}
section h2 code{padding:0;background:none;white-space:nowrap}
section p,section dl{margin:0 0 .5rem}
section:target{margin:0 -1rem;padding:1rem;background:var(--note-ground);border-radius:.5rem}
dt{color:var(--muted);font-size:.875rem;font-weight:600}
dd{margin:0 0 .5rem}
.aside{padding:0 1rem 3rem}
.aside h2{margin:1.5rem 0 .5rem;color:var(--muted);font-size:.8125rem;font-weight:600}
.aside ul{margin:0;padding:0;list-style:none}
.aside li{margin:0}
.aside a{display:block;padding:.375rem .75rem;margin:0 -.75rem;border-radius:.375rem;color:inherit;font-size:.9375rem;text-decoration:none}
.aside a:hover{color:var(--accent)}
.aside a[aria-current]{background:var(--ground);font-weight:600}
@media (min-width:60rem){
header{padding:0 2rem}header nav{gap:1.5rem}
.columns{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:3rem;max-width:72rem;margin:0 auto;padding:0 2rem}
.columns:not(:has(.aside)){display:block}
.columns:not(:has(.aside)) main{margin:0 auto}
.aside{grid-area:1/1;position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:1rem .75rem 3rem}
main{grid-area:1/2;padding:2rem 0 6rem}
h1{font-size:2rem}}
@media (max-width:40rem){td:not(:first-child){min-width:11rem}}
@media (min-width:40rem){dl{display:grid;grid-template-columns:5rem 1fr;gap:.25rem 1rem}dd{margin:0}}
@media print{header,.aside{display:none}pre{white-space:pre-wrap}}`
