// The consolidated list of persons, groups and entities subject to EU financial sanctions (FSF), in XML.
import type { EntryKind } from '../screening.entries.ts'
import { Collector, type EntryParts, type Imported } from './screening.collector.ts'
import { type RefuseAt, refuserOf } from './screening.refusal.ts'
import { textOf } from './screening.text.ts'
import { type Element, readXml } from './screening.xml.ts'

const kinds: Readonly<Record<string, EntryKind>> = { P: 'person', E: 'organisation' }

/** The parts of an entry in the publisher's schema (version 1.1). */
const known: ReadonlySet<string> = new Set([
  'remark',
  'additionalInformation',
  'regulation',
  'subjectType',
  'nameAlias',
  'citizenship',
  'birthdate',
  'address',
  'identification',
])

export function readEu({ list }: { list: Uint8Array }): Promise<Imported> {
  const refuseAt = refuserOf('xmlFullSanctionsList.xml')
  return readXml(textOf(list, refuseAt), refuseAt, (root) => read(root, refuseAt))
}

function read(root: Element, refuseAt: RefuseAt): Imported {
  if (root.name !== 'export') return refuseAt(root.line, `the root is ${root.name} instead of export`)
  const collector = new Collector(refuseAt)
  for (const element of root.children('sanctionEntity')) {
    // Older editions have no reference numbers.
    const id = element.attribute('euReferenceNumber') || element.attribute('logicalId')
    const kind = kinds[element.children('subjectType')[0]?.attribute('classificationCode') ?? ''] ?? 'unknown'
    const entry = collector.begin(id, element.line, kind)
    element.requireChildren(known, refuseAt)
    readEntry(element, entry)
  }
  return collector.end()
}

function readEntry(element: Element, entry: EntryParts): void {
  const names = element.children('nameAlias').map((alias) => ({ name: wholeName(alias), weak: alias.attribute('strong') === 'false' }))
  // The file does not mark a main name. The first strong name comes first.
  const main = names.find(({ name, weak }) => name !== '' && !weak) ?? names.find(({ name }) => name !== '')
  if (main !== undefined) entry.primary(main.name)
  for (const { name, weak } of names) entry.alias(name, { weak })
  for (const regulation of element.children('regulation')) entry.topic(regulation.attribute('programme'))
  for (const birth of element.children('birthdate')) entry.birthDate(birth.attribute('birthdate') || birth.attribute('year'))
  for (const place of [...element.children('citizenship'), ...element.children('address')]) {
    const code = place.attribute('countryIso2Code')
    // 00 stands for an unknown country.
    entry.country(code === '00' ? '' : code)
  }
  for (const document of element.children('identification'))
    entry.identifier(document.attribute('number') || document.attribute('latinNumber'))
}

function wholeName(alias: Element): string {
  return alias.attribute('wholeName') || ['firstName', 'middleName', 'lastName'].map((part) => alias.attribute(part)).join(' ')
}
