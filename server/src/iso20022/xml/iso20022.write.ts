// Writes messages. Each part becomes a function once; writing a message only concatenates text. Everything comes from the message itself:
// the same message always becomes the same bytes.
import type { Money } from '../../values/money.ts'
import { definitionOf, type Message, type MessageType, namespaceOf } from '../definitions/iso20022.messages.ts'
import type { Amount, Derived, Group, Leaf, Part, Plain } from '../definitions/iso20022.parts.ts'
import { count, encodeAmount, sum } from '../definitions/iso20022.simple.ts'
import { isSepaText } from '../iso20022.text.ts'
import { faultIn, MessageFault } from './iso20022.faults.ts'
import { limits } from './iso20022.limits.ts'

type Write = (owner: Plain) => string
type Has = (owner: Plain) => boolean

const element = (tag: string, content: string) => `<${tag}>${content}</${tag}>`

function missing(): never {
  throw new MessageFault('invalid', 'it is required')
}

function isGiven(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

/** Whether the object has anything for a part. Derived values do not count, except inside a group that has nothing else. */
function hasOf(part: Part): Has {
  switch (part.kind) {
    case 'leaf':
      return (owner) => isGiven(owner[part.field])
    case 'amount':
      return (owner) => owner[part.amount] !== undefined
    case 'group': {
      if (part.field !== undefined) return (owner) => isGiven(owner[part.field as string])
      const inner = part.parts.map(hasOf)
      return (owner) => inner.some((has) => has(owner))
    }
    case 'derived':
      return () => part.written !== false
    default:
      return () => false
  }
}

/** Adds the tag to the path of a fault. */
function inside(tag: string, write: Write): Write {
  return (owner) => {
    try {
      return write(owner)
    } catch (error) {
      throw faultIn(tag, error)
    }
  }
}

function writerOf(part: Part, scheme: boolean): Write {
  switch (part.kind) {
    case 'leaf':
      return inside(part.tag, leafWriter(part, scheme))
    case 'amount':
      return inside(part.tag, amountWriter(part, scheme))
    case 'group':
      return groupWriter(part, scheme)
    case 'derived':
      return part.written === false ? () => '' : inside(part.tag, derivedWriter(part))
    case 'constant':
      return () => element(part.tag, part.value)
    case 'skipped':
      return () => ''
  }
}

function amountElement(tag: string, amount: Money, currency: string): string {
  return `<${tag} Ccy="${currency}">${encodeAmount(amount, currency)}</${tag}>`
}

function amountWriter({ tag, amount: amountField, currency: currencyField, sign, min }: Amount, scheme: boolean): Write {
  return (owner) => {
    const amount: Money | undefined = owner[amountField]
    const currency: string | undefined = owner[currencyField]
    if (amount === undefined || currency === undefined) return min === 0 && amount === undefined && currency === undefined ? '' : missing()
    if (scheme && amount === 0n) throw new MessageFault('invalid', 'it must be above zero')
    if (sign === undefined) return amountElement(tag, amount, currency)
    return amount < 0n
      ? amountElement(tag, -amount, currency) + element(sign, 'DBIT')
      : amountElement(tag, amount, currency) + element(sign, 'CRDT')
  }
}

function derivedWriter(part: Derived): Write {
  const { tag } = part
  switch (part.what) {
    case 'number':
      return (owner) => element(tag, count.encode(part.derive(owner)))
    case 'sum':
      return (owner) => {
        const derived = part.derive(owner)
        return derived === undefined ? '' : element(tag, sum.encode(derived))
      }
    case 'total':
      return (owner) => {
        const total = part.derive(owner)
        if (total === undefined) throw new MessageFault('sum_differs', 'there are no transactions, or they are not all in one currency')
        return amountElement(tag, total.amount, total.currency)
      }
  }
}

function leafWriter({ tag, field, type, many, min, max, sent }: Leaf, scheme: boolean): Write {
  const { shape } = type
  const [open, close] = [`<${tag}>`, `</${tag}>`]
  const times = (scheme && sent?.times) || max
  const schemeText = (value: string, most: number) => {
    if (!isSepaText(value)) throw new MessageFault('invalid', `${JSON.stringify(value)} has characters that the schemes do not allow`)
    if (value === '' || value.length > most) throw new MessageFault('invalid', `it must have 1 to ${most} characters`)
    // None of the schemes' characters has to be escaped.
    return open + value + close
  }
  const one =
    scheme && shape.kind === 'text'
      ? (value: Plain) => schemeText(value, Math.min(sent?.characters ?? shape.most, shape.most))
      : (value: Plain) => open + type.encode(value) + close
  return (owner) => {
    const value = owner[field]
    if (!isGiven(value)) return min === 0 ? '' : missing()
    if (!many) return one(value)
    if (value.length > times) throw new MessageFault('invalid', `it may occur at most ${times} times`)
    return value.map(one).join('')
  }
}

function groupWriter(group: Group, scheme: boolean): Write {
  const { tag, field, many, min, unknown, rule } = group
  const content = group.choice ? choiceWriter(group, scheme) : sequenceWriter(group, scheme)
  const whole = (value: Plain) => element(tag, content(value))
  if (field === undefined) {
    const has = hasOf(group)
    const given = inside(tag, whole)
    const notGiven = unknown === undefined ? given : () => element(tag, unknown)
    return (owner) => {
      if (has(owner)) return given(owner)
      return min === 0 ? '' : notGiven(owner)
    }
  }
  const one = (value: Plain) => {
    const fault = scheme ? rule?.(value) : undefined
    if (fault !== undefined) throw new MessageFault('invalid', fault)
    return whole(value)
  }
  const several = (values: readonly Plain[]) => {
    let all = ''
    let place = 0
    try {
      for (; place < values.length; place++) all += flat(one(values[place]))
      return all
    } catch (error) {
      throw faultIn(`${tag}[${place + 1}]`, error)
    }
  }
  const single = inside(tag, one)
  const absent = inside(tag, missing)
  return (owner) => {
    const value = owner[field]
    if (!isGiven(value)) return min === 0 ? '' : absent(owner)
    return many ? several(value) : single(value)
  }
}

/**
 * Flattens the text. V8 keeps a concatenated text as a tree of its pieces until it is read, and keeping the pieces of thousands of
 * transactions until the message is complete costs more than writing them.
 */
function flat(text: string): string {
  text.charCodeAt(0)
  return text
}

function sequenceWriter({ parts }: Pick<Group, 'parts'>, scheme: boolean): Write {
  const writers = parts.filter(({ kind }) => kind !== 'skipped').map((part) => writerOf(part, scheme))
  return (owner) => {
    let content = ''
    for (const write of writers) content += write(owner)
    return content
  }
}

/** Two parts of a choice may use the same field, such as a day and a time; then the first one is written. */
function choiceWriter({ parts }: Group, scheme: boolean): Write {
  const possible = parts.filter(({ kind }) => kind !== 'skipped').map((part) => ({ part, has: hasOf(part), write: writerOf(part, scheme) }))
  const isSame = (one: Part, other: Part) => one.kind === 'leaf' && other.kind === 'leaf' && one.field === other.field
  return (owner) => {
    const [first, ...others] = possible.filter(({ has }) => has(owner))
    if (first === undefined) return missing()
    if (others.some(({ part }) => !isSame(first.part, part)))
      throw new MessageFault('invalid', 'only one of several possible values may be given')
    return first.write(owner)
  }
}

const writers = new Map<MessageType, Write>()

function writerOfMessage(type: MessageType): Write {
  const known = writers.get(type)
  if (known) return known
  const { root, parts, scheme } = definitionOf(type)
  const body = sequenceWriter({ parts }, scheme)
  const write: Write = (message) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespaceOf(type)}">${element(root, body(message))}</Document>`
  writers.set(type, write)
  return write
}

/** The bytes of a message. Throws a MessageFault for what a reader would refuse: the caller should have checked it before. */
export function writeMessage<Type extends MessageType>(type: Type, message: Message<Type>): Buffer {
  const { check, counted } = definitionOf(type)
  check?.(message)
  const text = writerOfMessage(type)(message)
  for (const tag of counted) checkNumber(tag, text)
  const bytes = Buffer.from(text)
  if (bytes.length > limits.file_bytes) throw new MessageFault('too_large', `it has ${bytes.length} bytes`)
  return bytes
}

/** No value contains `<`, so whatever looks like a tag is one. */
function checkNumber(tag: string, text: string): void {
  let times = 0
  for (let at = text.indexOf(`<${tag}>`); at !== -1; at = text.indexOf(`<${tag}>`, at + 1)) times++
  if (times > limits.transactions) throw new MessageFault('too_many_transactions', `${tag} occurs ${times} times`)
}

/** The transactions of a message that has them in one list. */
type Transactions<Type extends MessageType> = Message<Type> extends { transactions: readonly (infer Transaction)[] } ? Transaction : never

const transactionWriters = new Map<MessageType, Write>()

/** Why a transaction could not be written; undefined if it can. */
export function findTransactionFault<Type extends MessageType>(type: Type, transaction: Transactions<Type>): MessageFault | undefined {
  let write = transactionWriters.get(type)
  if (write === undefined) {
    const { parts, scheme } = definitionOf(type)
    const list = listOfTransactions(parts)
    if (list === undefined) throw new TypeError(`${type} has no list of transactions`)
    write = writerOf(list, scheme)
    transactionWriters.set(type, write)
  }
  try {
    write({ transactions: [transaction] })
    return undefined
  } catch (error) {
    if (error instanceof MessageFault) return error
    throw error
  }
}

function listOfTransactions(parts: readonly Part[]): Part | undefined {
  for (const part of parts) {
    if (part.kind !== 'group') continue
    if (part.field === 'transactions') return part
    const inner = part.field === undefined ? listOfTransactions(part.parts) : undefined
    if (inner) return inner
  }
  return undefined
}
