// The consolidated list of the Security Council of the United Nations, in XML.
import type { EntryKind } from '../screening.entries.ts'
import { Collector, type EntryParts, type Imported } from './screening.collector.ts'
import { yearsOf } from './screening.dates.ts'
import { type RefuseAt, refuserOf } from './screening.refusal.ts'
import { textOf } from './screening.text.ts'
import { type Element, readXml } from './screening.xml.ts'

const groups: readonly { group: string; item: string; kind: EntryKind }[] = [
  { group: 'INDIVIDUALS', item: 'INDIVIDUAL', kind: 'person' },
  { group: 'ENTITIES', item: 'ENTITY', kind: 'organisation' },
]

const nameParts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']

const partsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** The parts of an entry in the publisher's schema (sc-sanctions.xsd), and the parts of those that are read. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  INDIVIDUAL: partsOf(`
    DATAID VERSIONNUM FIRST_NAME SECOND_NAME THIRD_NAME FOURTH_NAME UN_LIST_TYPE REFERENCE_NUMBER LISTED_ON GENDER SUBMITTED_BY NAME_ORIGINAL_SCRIPT
    COMMENTS1 NATIONALITY2 TITLE DESIGNATION NATIONALITY LIST_TYPE LAST_DAY_UPDATED INDIVIDUAL_ALIAS INDIVIDUAL_ADDRESS INDIVIDUAL_DATE_OF_BIRTH
    INDIVIDUAL_PLACE_OF_BIRTH INDIVIDUAL_DOCUMENT SORT_KEY SORT_KEY_LAST_MOD DELISTED_ON`),
  ENTITY: partsOf(`
    DATAID VERSIONNUM FIRST_NAME UN_LIST_TYPE REFERENCE_NUMBER LISTED_ON SUBMITTED_ON SUBMITTED_BY NAME_ORIGINAL_SCRIPT COMMENTS1 LIST_TYPE
    LAST_DAY_UPDATED ENTITY_ALIAS ENTITY_ADDRESS SORT_KEY SORT_KEY_LAST_MOD DELISTED_ON`),
  INDIVIDUAL_ALIAS: partsOf('QUALITY ALIAS_NAME DATE_OF_BIRTH CITY_OF_BIRTH COUNTRY_OF_BIRTH NOTE'),
  ENTITY_ALIAS: partsOf('QUALITY ALIAS_NAME NOTE'),
}

export function readUn({ list }: { list: Uint8Array }): Promise<Imported> {
  const refuseAt = refuserOf('consolidated.xml')
  return readXml(textOf(list, refuseAt), refuseAt, (root) => read(root, refuseAt))
}

function read(root: Element, refuseAt: RefuseAt): Imported {
  if (root.name !== 'CONSOLIDATED_LIST') return refuseAt(root.line, `the root is ${root.name} instead of CONSOLIDATED_LIST`)
  const collector = new Collector(refuseAt)
  for (const { group, item, kind } of groups) {
    const found = root.children(group)
    if (found.length !== 1) return refuseAt(root.line, `there are ${found.length} elements ${group} instead of one`)
    for (const element of found[0]?.children(item) ?? []) {
      const entry = collector.begin(element.textOf('REFERENCE_NUMBER'), element.line, kind)
      for (const part of [element, ...element.children(`${item}_ALIAS`)]) part.requireChildren(known[part.name] ?? new Set(), refuseAt)
      readEntry(element, item, entry)
    }
  }
  return collector.end()
}

function readEntry(element: Element, item: string, entry: EntryParts): void {
  entry.primary(nameParts.map((part) => element.textOf(part)).join(' '))
  entry.alias(element.textOf('NAME_ORIGINAL_SCRIPT'))
  entry.topic(element.textOf('UN_LIST_TYPE'))
  for (const alias of element.children(`${item}_ALIAS`))
    for (const name of alias.textOf('ALIAS_NAME').split(';')) entry.alias(name, { weak: alias.textOf('QUALITY') === 'Low' })
  for (const nationality of element.children('NATIONALITY')) for (const value of nationality.children('VALUE')) entry.country(value.text)
  for (const address of element.children(`${item}_ADDRESS`)) entry.country(address.textOf('COUNTRY'))
  for (const document of element.children('INDIVIDUAL_DOCUMENT')) entry.identifier(document.textOf('NUMBER'))
  for (const birth of element.children('INDIVIDUAL_DATE_OF_BIRTH')) {
    entry.birthDate(birth.textOf('DATE') || birth.textOf('YEAR'))
    for (const year of yearsOf(birth.textOf('FROM_YEAR'), birth.textOf('TO_YEAR'))) entry.birthDate(year)
  }
}
