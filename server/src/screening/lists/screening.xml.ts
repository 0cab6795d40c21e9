// Parses the XML of a list with libxml2: no DOCTYPE, no own entities, no encoding other than UTF-8, and nothing is ever loaded.
import type { XmlElement } from 'libxml2-wasm'
import type { RefuseAt } from './screening.refusal.ts'

/** An element without its namespace. `line`: the line in which it begins. */
export class Element {
  readonly #node: XmlElement
  readonly #isElement: (node: unknown) => node is XmlElement

  constructor(node: XmlElement, isElement: (node: unknown) => node is XmlElement) {
    this.#node = node
    this.#isElement = isElement
  }

  get name(): string {
    return this.#node.name
  }

  get line(): number {
    return this.#node.line
  }

  get text(): string {
    return this.#node.content.trim()
  }

  /** An empty text if the attribute is missing. */
  attribute(name: string): string {
    return this.#node.attr(name)?.value.trim() ?? ''
  }

  children(name?: string): Element[] {
    const found: Element[] = []
    for (let node = this.#node.firstChild; node !== null; node = node.next)
      if (this.#isElement(node) && (name === undefined || node.name === name)) found.push(new Element(node, this.#isElement))
    return found
  }

  /** Refuses an unknown child, because what it says about an entry would be lost. */
  requireChildren(known: ReadonlySet<string>, refuseAt: RefuseAt): void {
    for (const child of this.children())
      if (!known.has(child.name)) refuseAt(child.line, `${this.name} has a part that this format does not know: ${child.name}`)
  }

  /** The text of the first child of this name; an empty text if there is none. */
  textOf(name: string): string {
    return this.children(name)[0]?.text ?? ''
  }
}

/** Passes the root element to `read`, and frees the document afterwards. */
export async function readXml<Result>(text: string, refuseAt: RefuseAt, read: (root: Element) => Result): Promise<Result> {
  const declaration = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(text)
  if (declaration && declaration[1]?.toLowerCase() !== 'utf-8') return refuseAt(1, `the file declares the encoding ${declaration[1]}`)
  const forbidden = /<!(?:DOCTYPE|ENTITY)/i.exec(text)
  if (forbidden) return refuseAt(text.slice(0, forbidden.index).split('\n').length, 'a DOCTYPE or entity declaration is not allowed')
  // Loaded with the first XML list, so that the start is not slower.
  const { ParseOption, XmlDocument, XmlElement, XmlParseError } = await import('libxml2-wasm')
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_BIG_LINES
  let document: InstanceType<typeof XmlDocument>
  try {
    document = XmlDocument.fromString(text, { option })
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    const [detail] = error.details
    const said = (detail?.message ?? error.message).trim().replace(/\s+/g, ' ')
    return refuseAt(detail?.line, `this is not well-formed XML, or the file is truncated (${said})`)
  }
  try {
    return read(new Element(document.root, (node): node is XmlElement => node instanceof XmlElement))
  } finally {
    document.dispose()
  }
}
