// The schema (XSD) of the part of a message that we write and read, derived from its definition. `npm run contract` writes it to
// docs/iso20022 for partners; the reader builds it again, so both are the same.
import { definitionOf, type MessageType, namespaceOf } from '../definitions/iso20022.messages.ts'
import type { Group, Part } from '../definitions/iso20022.parts.ts'
import { amountFacets, codeOf, count, currencyCode, type Simple, sum } from '../definitions/iso20022.simple.ts'

const direction = codeOf('CRDT', 'DBIT')

// biome-ignore lint/suspicious/noExplicitAny: only names and facets are needed, whatever the value.
type AnySimple = Simple<any>

/** The types of one schema by name. Groups with the same content share one. */
class Types {
  readonly #simple = new Map<string, AnySimple>()
  readonly #complex = new Map<string, readonly string[]>()
  readonly #names = new Map<string, string>()

  simple(type: AnySimple): string {
    this.#simple.set(type.name, type)
    return type.name
  }

  /** Named after the first element that has this content. */
  complex(tag: string, content: readonly string[]): string {
    const key = content.join('\n')
    const known = this.#names.get(key)
    if (known !== undefined) return known
    let name = `${tag}Group`
    for (let number = 2; this.#complex.has(name); number++) name = `${tag}Group${number}`
    this.#names.set(key, name)
    this.#complex.set(name, content)
    return name
  }

  lines(): readonly string[] {
    return [
      ...[...this.#complex]
        .sort(byName)
        .flatMap(([name, content]) => [`<xs:complexType name="${name}">`, ...indent(content), '</xs:complexType>']),
      ...[...this.#simple].sort(byName).flatMap(([name, { base, facets }]) => restriction(name, base, facets)),
    ]
  }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

function restriction(name: string, base: string, facets: readonly string[]): readonly string[] {
  const content =
    facets.length === 0 ? [`<xs:restriction base="${base}"/>`] : [`<xs:restriction base="${base}">`, ...indent(facets), '</xs:restriction>']
  return [`<xs:simpleType name="${name}">`, ...indent(content), '</xs:simpleType>']
}

/** How often an element occurs; once is the default of XSD. */
function times({ min, max }: { min: number; max: number }): string {
  const least = min === 1 ? '' : ` minOccurs="${min}"`
  const most = max === 1 ? '' : ` maxOccurs="${max === Number.POSITIVE_INFINITY ? 'unbounded' : max}"`
  return least + most
}

function typeNameOf(part: Part, types: Types): string {
  switch (part.kind) {
    case 'leaf':
    case 'constant':
      return types.simple(part.type)
    case 'amount':
      return 'Amount'
    case 'derived':
      return part.what === 'total' ? 'Amount' : types.simple(part.what === 'number' ? count : sum)
    case 'skipped':
      return 'Skipped'
    case 'group':
      return types.complex(part.tag, contentOf(part, types))
  }
}

function contentOf({ parts, choice }: Pick<Group, 'parts' | 'choice'>, types: Types): readonly string[] {
  const kind = choice ? 'xs:choice' : 'xs:sequence'
  const elements = parts.flatMap((part) => {
    // No branch of a choice is optional: the choice itself says that only one of them occurs.
    const occurs = times(choice ? { min: 1, max: part.max } : part)
    const element = `<xs:element name="${part.tag}" type="${typeNameOf(part, types)}"${occurs}/>`
    if (part.kind !== 'amount' || part.sign === undefined) return [element]
    return [element, `<xs:element name="${part.sign}" type="${types.simple(direction)}"${occurs}/>`]
  })
  return [`<${kind}>`, ...indent(elements), `</${kind}>`]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

const fixedTypes = [
  '<xs:complexType name="Amount">',
  '  <xs:simpleContent>',
  '    <xs:extension base="AmountNumber">',
  `      <xs:attribute name="Ccy" type="${currencyCode.name}" use="required"/>`,
  '    </xs:extension>',
  '  </xs:simpleContent>',
  '</xs:complexType>',
  ...restriction('AmountNumber', 'xs:decimal', amountFacets),
  '<xs:complexType name="Skipped" mixed="true">',
  '  <xs:sequence>',
  '    <xs:any namespace="##any" processContents="skip" minOccurs="0" maxOccurs="unbounded"/>',
  '  </xs:sequence>',
  '  <xs:anyAttribute namespace="##any" processContents="skip"/>',
  '</xs:complexType>',
]

export function schemaOf(type: MessageType): string {
  const { root, parts } = definitionOf(type)
  const types = new Types()
  types.simple(currencyCode)
  const message = types.complex(root, contentOf({ parts, choice: false }, types))
  const document = [
    '<xs:complexType>',
    '  <xs:sequence>',
    `    <xs:element name="${root}" type="${message}"/>`,
    '  </xs:sequence>',
    '</xs:complexType>',
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<!-- What Vostro writes and reads of ${type}. Made by npm run contract: do not edit. -->`,
    `<xs:schema xmlns="${namespaceOf(type)}" xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified" targetNamespace="${namespaceOf(type)}">`,
    ...indent(['<xs:element name="Document">', ...indent(document), '</xs:element>', ...types.lines(), ...fixedTypes]),
    '</xs:schema>',
    '',
  ].join('\n')
}
