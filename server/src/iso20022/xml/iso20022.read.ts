// Reads messages: libxml2 parses and validates what passes the gate, and the definition turns it into a plain object.
import type { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { definitionOf, findTypeOf, type Message, type MessageType, messageTypes } from '../definitions/iso20022.messages.ts'
import type { Derived, Part, Plain } from '../definitions/iso20022.parts.ts'
import { count, decodeAmount, sum } from '../definitions/iso20022.simple.ts'
import { CanonicalXml } from './iso20022.canonical.ts'
import { documentIn } from './iso20022.envelope.ts'
import { faultIn, MessageFault } from './iso20022.faults.ts'
import { checkFile } from './iso20022.gate.ts'
import { schemaOf } from './iso20022.schema.ts'

/** A message with its type. */
export type ReadMessage = { [Type in MessageType]: { type: Type; message: Message<Type> } }[MessageType]

// Loaded with the first message, to keep the start of the service fast.
type Library = typeof import('libxml2-wasm')
let library: Promise<Library> | undefined

function load(): Promise<Library> {
  library ??= import('libxml2-wasm')
  return library
}

const validators = new Map<MessageType, XsdValidator>()

function validatorOf(type: MessageType, { XmlDocument: Xml, XsdValidator: Xsd }: Library): XsdValidator {
  const known = validators.get(type)
  if (known) return known
  const schema = Xml.fromString(schemaOf(type))
  const made = Xsd.fromDoc(schema)
  schema.dispose()
  validators.set(type, made)
  return made
}

/** The error of libxml2, without the namespaces, which make it unreadable. */
function said(error: { message: string; details?: readonly { message: string; line: number }[] }): string {
  const [detail] = error.details ?? []
  const words = (detail?.message ?? error.message)
    .trim()
    .replace(/\{urn:iso:std:iso:20022:tech:xsd:[^}]*\}/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
  return `${detail === undefined ? '' : `line ${detail.line}: `}${words.slice(0, 300)}`
}

/** Passes the validated tree of a file to `use`, and frees it afterwards. */
async function withDocument<Result>(bytes: Uint8Array, use: (type: MessageType, document: XmlDocument) => Result): Promise<Result> {
  checkFile(bytes)
  const loaded = await load()
  const { ParseOption, XmlDocument: Xml, XmlError, XmlValidateError } = loaded
  const { XML_PARSE_NONET, XML_PARSE_NO_XXE, XML_PARSE_IGNORE_ENC, XML_PARSE_BIG_LINES } = ParseOption
  const option = XML_PARSE_NONET | XML_PARSE_NO_XXE | XML_PARSE_IGNORE_ENC | XML_PARSE_BIG_LINES
  let document: XmlDocument
  try {
    document = Xml.fromBuffer(bytes, { option })
  } catch (error) {
    if (error instanceof XmlError) throw new MessageFault('malformed', said(error))
    throw error
  }
  try {
    const inner = document.root.name === 'Document' ? undefined : documentIn(document)
    if (inner !== undefined) {
      document.dispose()
      document = Xml.fromString(inner, { option })
    }
    const { name, namespaceUri } = document.root
    const type = name === 'Document' ? findTypeOf(namespaceUri) : undefined
    if (type === undefined)
      throw new MessageFault('unknown_type', `it is ${name} in ${namespaceUri || 'no namespace'}; supported are ${messageTypes.join(', ')}`)
    validatorOf(type, loaded).validate(document)
    return use(type, document)
  } catch (error) {
    if (error instanceof XmlValidateError) throw new MessageFault('invalid', said(error))
    // For example a relative namespace, which has no canonical form.
    if (error instanceof XmlError) throw new MessageFault('malformed', said(error))
    throw error
  } finally {
    document.dispose()
  }
}

/** Throws a MessageFault unless the bytes are a valid message; returns its type. Only `readMessage` compares numbers and sums. */
export function validateMessage(bytes: Uint8Array): Promise<MessageType> {
  return withDocument(bytes, (type) => type)
}

/** Throws a MessageFault unless the bytes are a valid message with correct numbers and sums. */
export function readMessage(bytes: Uint8Array): Promise<ReadMessage> {
  return withDocument(bytes, (type, document) => ({ type, message: objectOf(type, canonicalTextOf(document)) }) as ReadMessage)
}

function canonicalTextOf(document: XmlDocument): string {
  const chunks: Buffer[] = []
  document.canonicalize({
    // The buffer belongs to libxml2 and changes after the call.
    write: (chunk) => chunks.push(Buffer.from(chunk)) && chunk.length,
    close: () => true,
  })
  return Buffer.concat(chunks).toString()
}

/** A value that the message states and that follows from the surrounding object. */
type Stated = { part: Derived; owner: Plain; text: string; currency: string | undefined }
type Reading = { xml: CanonicalXml; stated: Stated[] }
type Read = (reading: Reading, owner: Plain) => void
type Content = { readers: ReadonlyMap<string, Read>; lists: readonly string[] }

/** Reads the content of an element, up to its end, into an object. */
function readContent({ readers }: Content, reading: Reading, owner: Plain): void {
  for (let tag = reading.xml.enter(); tag !== undefined; tag = reading.xml.enter()) {
    const read = readers.get(tag)
    // The schema allows no other elements, so this would be our bug.
    if (read === undefined) throw new TypeError(`${tag} is valid but has no reader`)
    read(reading, owner)
  }
}

function readInside(tag: string, content: Content, reading: Reading, owner: Plain): void {
  try {
    readContent(content, reading, owner)
  } catch (error) {
    throw faultIn(tag, error)
  }
}

function decoded<Value>(tag: string, { decode }: { decode: (text: string) => Value }, text: string): Value {
  try {
    return decode(text)
  } catch (error) {
    throw faultIn(tag, error)
  }
}

/** An object with its lists, all of them empty. */
function empty({ lists }: Content): Plain {
  return Object.fromEntries(lists.map((field) => [field, []]))
}

/** The fields that are lists even if empty: those of the parts, and of groups without a field of their own. */
function listsOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'group') return []
    if (part.field === undefined) return listsOf(part.parts)
    return part.many && part.alwaysGiven ? [part.field] : []
  })
}

function contentOf(parts: readonly Part[]): Content {
  const readers = new Map<string, Read>()
  for (const part of parts) {
    readers.set(part.tag, readerOf(part))
    if (part.kind === 'amount' && part.sign !== undefined) readers.set(part.sign, signReader(part.amount))
  }
  return { readers, lists: listsOf(parts) }
}

function signReader(field: string): Read {
  return ({ xml }, owner) => {
    xml.attributes()
    if (xml.value() === 'DBIT') owner[field] = -owner[field]
  }
}

function readerOf(part: Part): Read {
  switch (part.kind) {
    case 'leaf': {
      const { tag, field, many, type } = part
      return ({ xml }, owner) => {
        xml.attributes()
        const value = decoded(tag, type, xml.value())
        if (!many) owner[field] = value
        else if (owner[field] === undefined) owner[field] = [value]
        else owner[field].push(value)
      }
    }
    case 'amount':
      return ({ xml }, owner) => {
        const currency = xml.attributes()?.get('Ccy') ?? ''
        owner[part.amount] = decoded(part.tag, { decode: (text) => decodeAmount(text, currency) }, xml.value())
        owner[part.currency] = currency
      }
    case 'derived':
      return ({ xml, stated }, owner) => {
        const currency = xml.attributes()?.get('Ccy')
        stated.push({ part, owner, text: xml.value(), currency })
      }
    case 'constant':
    case 'skipped':
      return ({ xml }) => {
        xml.attributes()
        xml.skip()
      }
    case 'group': {
      const { tag, field, many } = part
      const content = contentOf(part.parts)
      if (field === undefined)
        return (reading, owner) => {
          reading.xml.attributes()
          readInside(tag, content, reading, owner)
        }
      return (reading, owner) => {
        reading.xml.attributes()
        const value = empty(content)
        const place = many ? `${tag}[${(owner[field]?.length ?? 0) + 1}]` : tag
        readInside(place, content, reading, value)
        if (!many) owner[field] = value
        else if (owner[field] === undefined) owner[field] = [value]
        else owner[field].push(value)
      }
    }
  }
}

const contents = new Map<MessageType, Content>()

function objectOf(type: MessageType, canonical: string): Plain {
  const definition = definitionOf(type)
  let content = contents.get(type)
  if (content === undefined) {
    content = contentOf(definition.parts)
    contents.set(type, content)
  }
  const xml = new CanonicalXml(canonical)
  const reading: Reading = { xml, stated: [] }
  // Document, and the message inside it.
  for (let level = 0; level < 2; level++) {
    xml.enter()
    xml.attributes()
  }
  const message = empty(content)
  readContent(content, reading, message)
  for (const stated of reading.stated) compare(stated)
  definition.check?.(message)
  return message
}

/** Refuses a message that states another number or sum than it contains. */
function compare({ part, owner, text, currency }: Stated): void {
  const refuse = (reason: 'number_differs' | 'sum_differs', detail: string) => {
    throw faultIn(part.tag, new MessageFault(reason, detail))
  }
  if (part.what === 'number') {
    const [stated, counted] = [count.decode(text), part.derive(owner)]
    if (stated !== counted) refuse('number_differs', `it is ${stated}, but there are ${counted}`)
  } else if (part.what === 'sum') {
    const [stated, added] = [decoded(part.tag, sum, text), part.derive(owner)]
    if (added !== undefined && stated !== added) refuse('sum_differs', `it is ${text.trim()}, but the sum is ${sum.encode(added)}`)
  } else {
    const [stated, total] = [decoded(part.tag, { decode: (given) => decodeAmount(given, currency ?? '') }, text), part.derive(owner)]
    if (total === undefined) refuse('sum_differs', 'the transactions are not all in one currency')
    else if (stated !== total.amount || currency !== total.currency)
      refuse('sum_differs', `it is ${text.trim()} ${currency}, but the sum is ${sum.encode(total.amount)} ${total.currency}`)
  }
}
