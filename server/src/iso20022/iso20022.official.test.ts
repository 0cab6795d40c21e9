// Compares our definitions with the official schemas, which are not in the repository: ISO publishes them free of charge, and
// ISO20022_SCHEMAS names their folder.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { XmlDocument, XmlElement, XsdValidator } from 'libxml2-wasm'
import { definitionOf, type MessageType } from './definitions/iso20022.messages.ts'
import type { Part } from './definitions/iso20022.parts.ts'
import { arbitraryMessage, samples } from './iso20022.testing.ts'
import { messageTypes, schemaOf, writeMessage } from './iso20022.ts'

// biome-ignore lint/style/noProcessEnv: no setting of the service, only of these tests.
const folder = process.env['ISO20022_SCHEMAS']
const skip = folder === undefined || folder === '' ? 'set ISO20022_SCHEMAS to the folder of the official schemas to run this' : false

const officialSchema = (type: MessageType) => readFile(join(folder ?? '', `${type}.xsd`))

async function officialValidator(type: MessageType) {
  const schema = XmlDocument.fromBuffer(await officialSchema(type))
  const validator = XsdValidator.fromDoc(schema)
  schema.dispose()
  return (xml: Uint8Array) => {
    const document = XmlDocument.fromBuffer(xml)
    try {
      validator.validate(document)
    } finally {
      document.dispose()
    }
  }
}

for (const type of messageTypes)
  test(`the golden ${type} and 500 generated ones are valid by the official schema`, { skip }, async () => {
    const validate = await officialValidator(type)
    validate(await readFile(new URL(`./golden/${type}.xml`, import.meta.url)))
    validate(writeMessage(type, samples[type] as never))
    assert.throws(() =>
      validate(
        Buffer.from(
          writeMessage(type, samples[type] as never)
            .toString()
            .replace('</Document>', '<X/></Document>'),
        ),
      ),
    )
    let valid = 0
    const property = fc.property(arbitraryMessage(type), (message) => {
      validate(writeMessage(type, message as never))
      valid++
    })
    fc.assert(property, { numRuns: 500 })
    assert.equal(valid, 500)
  })

type Official = { name: string; type: string; min: number; max: number }
type Content = { choice: boolean; elements: readonly Official[] }

function childrenOf(node: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = []
  for (let each = node.firstChild; each !== null; each = each.next)
    if (each instanceof XmlElement && (name === undefined || each.name === name)) found.push(each)
  return found
}

const attribute = (node: XmlElement, name: string, otherwise: string) => node.attr(name)?.value ?? otherwise

/** The elements of each complex type of an official schema. */
function readContents(root: XmlElement): ReadonlyMap<string, Content> {
  const contents = new Map<string, Content>()
  for (const type of childrenOf(root, 'complexType')) {
    const [model] = childrenOf(type).filter(({ name }) => name === 'sequence' || name === 'choice')
    if (model === undefined) continue
    const elements = childrenOf(model, 'element').map((element) => {
      const max = attribute(element, 'maxOccurs', '1')
      return {
        name: attribute(element, 'name', ''),
        type: attribute(element, 'type', ''),
        min: Number(attribute(element, 'minOccurs', '1')),
        max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max),
      }
    })
    contents.set(attribute(type, 'name', ''), { choice: model.name === 'choice', elements })
  }
  return contents
}

/** The differences between parts and an official type; also counts what was compared. */
function differences(parts: readonly Part[], type: string, contents: ReadonlyMap<string, Content>, seen: { elements: number }): string[] {
  const content = contents.get(type)
  if (content === undefined) return [`${type} is no complex type of the official schema`]
  const ours = parts.flatMap((part) => (part.kind === 'amount' && part.sign !== undefined ? [part.tag, part.sign] : [part.tag]))
  const known = new Set(ours)
  const faults: string[] = []
  // An alternative of a choice is omitted on purpose if we could not act on it.
  const expected = content.elements.map(({ name }) => name).filter((name) => known.has(name) || !content.choice)
  const inOrder = (names: readonly string[]) => (content.choice ? names.toSorted() : names).join(' ')
  if (inOrder(ours) !== inOrder(expected)) faults.push(`${type}: ${ours.join(' ')} instead of ${expected.join(' ')}`)
  for (const part of parts) {
    seen.elements++
    const official = content.elements.find(({ name }) => name === part.tag)
    if (official === undefined) continue
    if (part.kind !== 'skipped' && part.max > official.max) faults.push(`${type}/${part.tag} may occur ${official.max} times only`)
    if (!content.choice && part.min < official.min) faults.push(`${type}/${part.tag} is required`)
    if (part.kind === 'group') faults.push(...differences(part.parts, official.type, contents, seen))
  }
  return faults
}

for (const type of messageTypes)
  test(`${type} has every element of the official schema in its order, read or skipped`, { skip }, async () => {
    const schema = XmlDocument.fromBuffer(await officialSchema(type))
    const contents = readContents(schema.root)
    schema.dispose()
    const { root, parts } = definitionOf(type)
    const [message] = contents.get('Document')?.elements ?? []
    assert.equal(message?.name, root)
    const seen = { elements: 0 }
    assert.deepEqual(differences(parts, message?.type ?? '', contents, seen), [])
    assert.ok(seen.elements > 100, `compared only ${seen.elements} elements`)
    assert.notDeepEqual(differences(parts.slice(1), message?.type ?? '', contents, seen), [])
  })

test('our own schemas can be compiled', () => {
  for (const type of messageTypes) {
    const document = XmlDocument.fromString(schemaOf(type))
    XsdValidator.fromDoc(document).dispose()
    document.dispose()
  }
})
