// Renders Markdown as HTML. Although only our own guides are rendered, nothing in them can become markup or link to another file of the
// server.
import { Marked, Renderer } from 'marked'
import { Html, html } from '../http/html.ts'

/** Where a link leads on our pages; undefined if it leads nowhere, so only its text is shown. */
export type Resolve = (href: string) => string | undefined

export function renderMarkdown(text: string, resolve: Resolve): Html {
  const slugs = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer)
        const level = `h${depth}`
        const id = html`${uniqueSlug(plain, slugs)}`.text
        const inner = this.parser.parseInline(tokens)
        // A heading links to itself, so that its address can be copied. The first heading is the page itself.
        const linked = depth === 1 || inner.includes('<a ') ? inner : `<a href="#${id}">${inner}</a>`
        return `<${level} id="${id}">${linked}</${level}>\n`
      },
      link({ href, tokens }) {
        const inner = new Html(this.parser.parseInline(tokens))
        const target = resolve(href)
        return (target === undefined ? inner : html`<a href="${target}">${inner}</a>`).text
      },
      image: ({ text }) => html`${text}`.text,
      // Pictures are for readers of the file on GitHub and elsewhere.
      html: ({ text }) => (/^<picture>\n(?:(?!<\/picture>)[\s\S])*<\/picture>\s*$/.test(text) ? '' : html`${text}`.text),
      // Wide content scrolls on its own and can be reached with the keyboard.
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
      // A column without a name gets no header.
      tablecell(token) {
        return Renderer.prototype.tablecell.call(this, token.text === '' ? { ...token, header: false } : token)
      },
      table(token) {
        return `<div class="scroll" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`
      },
    },
  })
  return new Html(marked.parse(text, { async: false }))
}

/** The anchors that GitHub gives to headings, so that a link to one works both there and here. */
function uniqueSlug(heading: string, used: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
