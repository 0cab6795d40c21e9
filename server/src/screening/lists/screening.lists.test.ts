// Every format with an invented file, and every reason to refuse one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Index } from '../screening.index.ts'
import { countryOf } from './screening.countries.ts'
import { readCsv } from './screening.csv.ts'
import { dateOf, yearsOf } from './screening.dates.ts'
import { importList, type ListFiles, type ListFormat } from './screening.formats.ts'
import { refuserOf } from './screening.refusal.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

async function entriesOf(format: ListFormat, files: ListFiles) {
  const result = await importList(format, files)
  assert.ok(result.ok, result.ok ? '' : result.refusal)
  return result.entries
}

async function refusalOf(format: ListFormat, files: ListFiles): Promise<string> {
  const result = await importList(format, files)
  assert.ok(!result.ok, 'the list was accepted')
  return result.refusal
}

const nothing = '-0- '
const sdnRow = (id: number, name: string, type: string, remarks = nothing, flag = nothing) =>
  [id, `"${name}"`, type, '"TEAPOT] [SPOON"', nothing, nothing, nothing, nothing, nothing, flag, nothing, remarks].join(',')
const sdn = [
  sdnRow(
    7,
    'GRIMSHADE, Mortimer',
    '"individual"',
    `"DOB 13 Apr 1961; alt. DOB circa 1962; POB Nowhere; nationality Cyprus; citizen Latvia; Passport XX123456 (Cyprus); a.k.a. 'THE TEAPOT'; DOB 1970 to 1972."`,
  ),
  sdnRow(8, 'BLACKMOOR PHANTOM, LTD.', nothing, '"Tax ID No. 99-8877 (Malta); Organization Established Date 1999."'),
  sdnRow(9, 'GLOOMY PELICAN', '"vessel"', '"Vessel Registration Identification IMO 0000001; MMSI 123456789."', '"Malta"'),
].join('\r\n')
const endOfFile = String.fromCharCode(26)
const ofac = { sdn: bytesOf(`${sdn}\r\n${endOfFile}`) }
const alt = bytesOf(`7,1,"aka","GRIM, Mort",${nothing}\r\n${endOfFile}`)
const add = bytesOf(`8,1,${nothing},"Valletta","Malta",${nothing}\r\n7,2,"1 Nowhere Street",${nothing},"Region: Nowhere",${nothing}\r\n`)

test('OFAC: entries with other names, dates, countries and numbers from the remarks', async () => {
  const [person, company, vessel] = await entriesOf('OFAC', { ...ofac, alt, add })
  assert.deepEqual(person, {
    id: '7',
    kind: 'person',
    topics: ['TEAPOT', 'SPOON'],
    names: [
      { name: 'Mortimer GRIMSHADE', weak: false },
      { name: 'Mort GRIM', weak: false },
      { name: 'THE TEAPOT', weak: true },
    ],
    birth_dates: ['1961-04-13', '1962', '1970', '1971', '1972'],
    countries: ['CY', 'LV'],
    identifiers: ['XX123456'],
  })
  assert.deepEqual(
    [company?.kind, company?.names, company?.countries, company?.identifiers],
    ['organisation', [{ name: 'BLACKMOOR PHANTOM, LTD.', weak: false }], ['MT'], ['99-8877']],
  )
  assert.deepEqual([vessel?.kind, vessel?.countries, vessel?.identifiers], ['vessel', ['MT'], ['0000001', '123456789']])
  assert.equal((await entriesOf('OFAC', ofac)).length, 3, 'alt.csv and add.csv are optional')
})

test('countries that have no code are reported, and do not refuse the list', async () => {
  const result = await importList('OFAC', { ...ofac, add })
  assert.ok(result.ok)
  assert.deepEqual(result.unknown_countries, ['Region: Nowhere'])
})

test('OFAC: files of different publications, other types and other files are refused', async () => {
  const stray = bytesOf(`70,1,"aka","GRIM, Mort",${nothing}\r\n`)
  assert.equal(
    await refusalOf('OFAC', { ...ofac, alt: stray }),
    'alt.csv, line 1: the entry 70 is not in sdn.csv; take all files from the same edition.',
  )
  assert.match(
    await refusalOf('OFAC', { sdn: bytesOf(`${sdnRow(7, 'X', '"teapot"')}\r\n`) }),
    /^sdn\.csv, line 1: teapot is not a known type/,
  )
  assert.match(await refusalOf('OFAC', { sdn: alt }), /^sdn\.csv, line 1: the record has 5 fields instead of 12/)
  assert.match(await refusalOf('OFAC', { sdn: bytesOf(`${'id,'.repeat(11)}id\n`) }), /^sdn\.csv, line 1: id is not the number of an entry/)
})

const header = 'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,program_ids,dataset'
const openSanctions = `${header}
"os-1","Person","Mortimer Grimshade","Mort Grim;""Grim; the Teapot""","1961-04-13;1962","cy;lv;suhh","1 Nowhere Street","XX-123456","Because ""so""","","","TEAPOT","Invented"
"os-2","LegalEntity","Blackmoor Phantom","","","","","","","","","","Invented"
`

test('OpenSanctions: several values in one field, and what is quoted inside', async () => {
  const [person, other] = await entriesOf('OPENSANCTIONS', { list: bytesOf(openSanctions) })
  assert.deepEqual(person, {
    id: 'os-1',
    kind: 'person',
    topics: ['sanction', 'TEAPOT'],
    names: ['Mortimer Grimshade', 'Mort Grim', 'Grim; the Teapot'].map((name) => ({ name, weak: false })),
    birth_dates: ['1961-04-13', '1962'],
    countries: ['CY', 'LV'],
    identifiers: ['XX-123456'],
  })
  assert.deepEqual([other?.kind, other?.topics], ['unknown', []])
})

const un = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-01T00:00:00Z">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>1</DATAID><FIRST_NAME>MORTIMER</FIRST_NAME><SECOND_NAME>J.</SECOND_NAME><THIRD_NAME>GRIMSHADE</THIRD_NAME>
      <UN_LIST_TYPE>Teapot</UN_LIST_TYPE><REFERENCE_NUMBER>TPi.001</REFERENCE_NUMBER>
      <NAME_ORIGINAL_SCRIPT>Мортимер Гримшейд</NAME_ORIGINAL_SCRIPT>
      <NATIONALITY><VALUE>Cyprus</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Mort Grim; Morten Grim</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>The Teapot</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ADDRESS><COUNTRY>Democratic People's Republic of Korea</COUNTRY></INDIVIDUAL_ADDRESS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1961-04-13</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1970</FROM_YEAR><TO_YEAR>1971</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>XX 123456</NUMBER></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT/>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES>
    <ENTITY>
      <DATAID>2</DATAID><FIRST_NAME>BLACKMOOR &amp; PHANTOM</FIRST_NAME><UN_LIST_TYPE>Teapot</UN_LIST_TYPE>
      <REFERENCE_NUMBER>TPe.002</REFERENCE_NUMBER>
      <ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>Blackmoor</ALIAS_NAME></ENTITY_ALIAS>
      <ENTITY_ADDRESS><COUNTRY>Malta</COUNTRY></ENTITY_ADDRESS>
    </ENTITY>
  </ENTITIES>
</CONSOLIDATED_LIST>
`

test('UN: individuals and entities, with weak aliases marked', async () => {
  const [person, company] = await entriesOf('UN', { list: bytesOf(un) })
  assert.deepEqual(person, {
    id: 'TPi.001',
    kind: 'person',
    topics: ['Teapot'],
    names: [
      { name: 'MORTIMER J. GRIMSHADE', weak: false },
      { name: 'Мортимер Гримшейд', weak: false },
      { name: 'Mort Grim', weak: false },
      { name: 'Morten Grim', weak: false },
      { name: 'The Teapot', weak: true },
    ],
    birth_dates: ['1961-04-13', '1970', '1971'],
    countries: ['CY', 'KP'],
    identifiers: ['XX 123456'],
  })
  assert.deepEqual(
    [company?.kind, company?.names.map(({ name }) => name), company?.countries],
    ['organisation', ['BLACKMOOR & PHANTOM', 'Blackmoor'], ['MT']],
  )
})

const eu = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-01T00:00:00.000+01:00" globalFileId="1">
  <sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="EU.1.11" logicalId="1">
    <regulation programme="TEAPOT" logicalId="2"/>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias wholeName="The Teapot" strong="false" logicalId="3"/>
    <nameAlias firstName="Mortimer" middleName="" lastName="Grimshade" wholeName="Mortimer Grimshade" strong="true" logicalId="4"/>
    <nameAlias firstName="Mort" middleName="" lastName="Grim" wholeName="" strong="true" logicalId="5"/>
    <citizenship countryIso2Code="CY" countryDescription="CYPRUS" logicalId="6"/>
    <birthdate circa="false" birthdate="1961-04-13" year="1961" logicalId="7"/>
    <birthdate circa="true" year="1962" logicalId="8"/>
    <address countryIso2Code="00" logicalId="9"/>
    <identification number="XX123456" identificationTypeCode="passport" logicalId="10"/>
  </sanctionEntity>
  <sanctionEntity logicalId="20">
    <subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="Blackmoor Phantom" strong="true" logicalId="21"/>
  </sanctionEntity>
</export>
`

test('EU: persons and enterprises; the first strong name comes first', async () => {
  const [person, company] = await entriesOf('EU', { list: bytesOf(eu) })
  assert.deepEqual(person, {
    id: 'EU.1.11',
    kind: 'person',
    topics: ['TEAPOT'],
    names: [
      { name: 'Mortimer Grimshade', weak: false },
      { name: 'Mort Grim', weak: false },
      { name: 'The Teapot', weak: true },
    ],
    birth_dates: ['1961-04-13', '1962'],
    countries: ['CY'],
    identifiers: ['XX123456'],
  })
  assert.deepEqual([company?.id, company?.kind], ['20', 'organisation'])
})

const row = (columns: readonly string[], values: Record<string, string>) => columns.map((column) => `"${values[column] ?? ''}"`).join(',')
const names = ['Name 6', 'Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5']
const conListColumns = [
  ...names,
  'Title',
  'Name Non-Latin Script',
  'DOB',
  'Nationality',
  'Passport Number',
  'National Identification Number',
]
conListColumns.push('Country', 'Group Type', 'Alias Type', 'Alias Quality', 'Regime', 'Last Updated', 'Group ID')
const grimshade = { 'Name 6': 'GRIMSHADE', 'Name 1': 'Mortimer', 'Group Type': 'Individual', Regime: 'Teapot', 'Group ID': '7001' }
const conList = [
  'Last Updated,01/11/2026',
  conListColumns.join(','),
  row(conListColumns, { ...grimshade, 'Alias Type': 'AKA', 'Alias Quality': 'Low', 'Name 6': 'TEAPOT', 'Name 1': 'The' }),
  row(conListColumns, {
    ...grimshade,
    'Alias Type': 'Primary name',
    DOB: '(1) 13/04/1961 (2) 00/00/1962',
    Nationality: '(1) Cyprus (2) Latvia',
    'Passport Number': '(1) XX111111 (2) XX222222',
    'Name Non-Latin Script': 'Мортимер Гримшейд',
  }),
  row(conListColumns, {
    'Name 6': 'BLACKMOOR PHANTOM',
    'Group Type': 'Entity',
    'Alias Type': 'Primary name',
    'Group ID': '7002',
    Country: 'Malta',
  }),
  '',
].join('\r\n')

const ukColumns = [
  'Last Updated',
  'Unique ID',
  'OFSI Group ID',
  ...names,
  'Name type',
  'Alias strength',
  'Name non-latin script',
  'Regime Name',
]
ukColumns.push('Designation Type', 'Address Country', 'D.O.B', 'Nationality(/ies)', 'National Identifier number', 'Passport number')
ukColumns.push('Business registration number (s)', 'IMO number', 'Current believed flag of ship')
const ukList = [
  'Report Date: 01-Nov-2026',
  ukColumns.join(','),
  row(ukColumns, {
    'Unique ID': 'TEA0001',
    'Name 6': 'GRIMSHADE',
    'Name 1': 'Mortimer',
    'Name type': 'Primary Name',
    'Designation Type': 'Individual',
    'D.O.B': 'dd/mm/1961',
    'Nationality(/ies)': 'Cyprus',
    'Regime Name': 'Teapot',
  }),
  row(ukColumns, {
    'Unique ID': 'TEA0002',
    'Name 6': 'GLOOMY PELICAN',
    'Name type': 'Primary Name',
    'Designation Type': 'Ship',
    'IMO number': '0000001',
    'Current believed flag of ship': 'Malta',
  }),
  row(ukColumns, { 'Unique ID': 'TEA0002', 'Name 6': 'SAD PELICAN', 'Name type': 'Alias', 'Designation Type': 'Ship' }),
  '',
].join('\n')

test('UK: the Consolidated List, whose records are joined by group', async () => {
  const [person, company] = await entriesOf('UK', { list: bytesOf(conList) })
  assert.deepEqual(person, {
    id: '7001',
    kind: 'person',
    topics: ['Teapot'],
    names: [
      { name: 'Mortimer GRIMSHADE', weak: false },
      { name: 'Мортимер Гримшейд', weak: false },
      { name: 'The TEAPOT', weak: true },
    ],
    birth_dates: ['1961-04-13', '1962'],
    countries: ['CY', 'LV'],
    identifiers: ['XX111111', 'XX222222'],
  })
  assert.deepEqual([company?.kind, company?.countries], ['organisation', ['MT']])
})

test('UK: the UK Sanctions List, with ships', async () => {
  const [person, ship] = await entriesOf('UK', { list: bytesOf(ukList) })
  assert.deepEqual([person?.id, person?.birth_dates, person?.countries], ['TEA0001', ['1961'], ['CY']])
  assert.deepEqual(
    [ship?.kind, ship?.names.map(({ name }) => name), ship?.identifiers, ship?.countries],
    ['vessel', ['GLOOMY PELICAN', 'SAD PELICAN'], ['0000001'], ['MT']],
  )
})

test('UK: another first line, another header and another type are refused', async () => {
  assert.match(await refusalOf('UK', { list: bytesOf('a,b\n') }), /line 1: the first line is not the date of the list/)
  assert.match(await refusalOf('UK', { list: bytesOf('Last Updated,01/11/2026\na,b\n') }), /line 2: this is not the header of a UK list/)
  assert.match(
    await refusalOf('UK', { list: bytesOf(conList.replace('DOB', 'XXX')) }),
    /line 2: this is not the expected header: it lacks DOB/,
  )
  assert.match(
    await refusalOf('UK', { list: bytesOf(conList.replace('"Entity"', '"Teapot"')) }),
    /line 5: Teapot is not a known type of entry/,
  )
  assert.match(await refusalOf('UK', { list: bytesOf(conList.replace('Primary name', 'AKA')) }), /line 3: the entry 7001 has no name/)
})

const samples: Record<ListFormat, { files: ListFiles; part: string; text: string }> = {
  OFAC: { files: ofac, part: 'sdn', text: `${sdn}\r\n` },
  UN: { files: { list: bytesOf(un) }, part: 'list', text: un },
  EU: { files: { list: bytesOf(eu) }, part: 'list', text: eu },
  UK: { files: { list: bytesOf(conList) }, part: 'list', text: conList },
  OPENSANCTIONS: { files: { list: bytesOf(openSanctions) }, part: 'list', text: openSanctions },
}

for (const [name, { part, text }] of Object.entries(samples)) {
  const format = name as ListFormat
  const withText = (changed: string | Uint8Array): ListFiles => ({ [part]: typeof changed === 'string' ? bytesOf(changed) : changed })

  test(`${format}: an empty file, a foreign file and a web page are refused`, async () => {
    assert.match(await refusalOf(format, withText('')), /: the file is empty\.$/)
    for (const [other, sample] of Object.entries(samples))
      if (other !== format) assert.match(await refusalOf(format, withText(sample.text)), /\.$/, other)
    assert.match(await refusalOf(format, withText('<html><body>Service unavailable</body></html>\n')), /line 1|line break/)
  })

  test(`${format}: another encoding is refused, with the line`, async () => {
    const latin = Buffer.from(text.replaceAll('Grimshade', 'Grimshäde').replaceAll('GRIMSHADE', 'GRIMSHÄDE'), 'latin1')
    assert.match(await refusalOf(format, withText(latin)), /, line \d+: the file is not in UTF-8\.$/)
    assert.match(await refusalOf(format, withText(Buffer.from(text, 'utf16le'))), /UTF-8/)
    assert.match(await refusalOf(format, withText(Buffer.from(`\uFEFF${text}`, 'utf16le'))), /UTF-8/)
    assert.ok((await importList(format, withText(`\uFEFF${text}`))).ok, 'a byte order mark of UTF-8 is accepted')
  })

  test(`${format}: a file that is too large is refused`, async () => {
    assert.match(await refusalOf(format, withText(new Uint8Array(64 * 2 ** 20 + 1))), /: the file is larger than 64 MB\.$/)
  })

  test(`${format}: a file that is cut off anywhere but at the end of a line is refused`, async () => {
    for (let length = 1; length < text.trimEnd().length; length++) {
      const cut = text.slice(0, length)
      // The UK list has no end mark, so a cut in its last field looks like a shorter value.
      if (cut.endsWith('\n') || cut.endsWith('\r')) continue
      const result = await importList(format, withText(cut))
      if (format === 'UK' && result.ok) assert.ok(text.startsWith('\r\n', length), `accepted up to ${length}`)
      else assert.ok(!result.ok, `accepted up to ${length}: ${cut.slice(-40)}`)
    }
  })

  test(`${format}: missing and unknown files are refused`, async () => {
    assert.equal(await refusalOf(format, {}), `A list of the format ${format} needs the file ${part}.`)
    assert.equal(await refusalOf(format, { ...withText(text), teapot: bytesOf('') }), `A list of the format ${format} has no file teapot.`)
  })
}

test('an id that is used twice is refused with both lines', async () => {
  const twice = (text: string, from: string, to: string) => bytesOf(text.replace(from, to))
  assert.match(
    await refusalOf('OFAC', { sdn: bytesOf(`${sdnRow(7, 'A', nothing)}\r\n${sdnRow(7, 'B', nothing)}\r\n`) }),
    /line 2: the id 7 is already used in line 1/,
  )
  assert.match(
    await refusalOf('OPENSANCTIONS', { list: twice(openSanctions, 'os-2', 'os-1') }),
    /line 3: the id os-1 is already used in line 2/,
  )
  assert.match(await refusalOf('UN', { list: twice(un, 'TPe.002', 'TPi.001') }), /line 20: the id TPi\.001 is already used in line 4/)
  assert.match(
    await refusalOf('EU', { list: twice(eu, 'logicalId="20"', 'euReferenceNumber="EU.1.11"') }),
    /line 15: the id EU\.1\.11 is already used in line 3/,
  )
})

test('ids and names that are too long are refused, and a text that is no date is not searched for one for long', async () => {
  const long = (from: string, to: string) => ({ list: bytesOf(openSanctions.replace(from, to)) })
  assert.equal(
    await refusalOf('OPENSANCTIONS', long('os-2', 'x'.repeat(256))),
    'targets.simple.csv, line 3: the id xxxxxxxxxxxxxxxxxxxx… has more than 255 characters.',
  )
  assert.equal(
    await refusalOf('OPENSANCTIONS', long('Mort Grim', 'x'.repeat(1_001))),
    'targets.simple.csv, line 2: a name of the entry os-1 has more than 1000 characters.',
  )
  // A search that backtracks at every position would take hours.
  const remarks = `"DOB ${'1970 to '.repeat(100_000)}x"`
  const [entry] = await entriesOf('OFAC', { sdn: bytesOf(`${sdnRow(7, 'X', '"individual"', remarks)}\r\n`) })
  assert.deepEqual(entry?.birth_dates, [])
})

test('an entry without an id or a name, and a list without entries, are refused', async () => {
  assert.match(await refusalOf('UN', { list: bytesOf(un.replace('TPi.001', '')) }), /line 4: the entry has no id/)
  assert.match(
    await refusalOf('EU', { list: bytesOf(eu.replace('wholeName="Blackmoor Phantom"', '')) }),
    /line 15: the entry 20 has no name/,
  )
  assert.match(
    await refusalOf('OPENSANCTIONS', { list: bytesOf(openSanctions.replace('Mortimer Grimshade', '')) }),
    /line 2: the entry os-1 has no name/,
  )
  assert.match(await refusalOf('OPENSANCTIONS', { list: bytesOf(`${header}\n`) }), /: the file contains no entries/)
  const empty = '<CONSOLIDATED_LIST><INDIVIDUALS/><ENTITIES/></CONSOLIDATED_LIST>'
  assert.match(await refusalOf('UN', { list: bytesOf(empty) }), /: the file contains no entries/)
  assert.match(
    await refusalOf('UN', { list: bytesOf('<CONSOLIDATED_LIST><INDIVIDUALS/></CONSOLIDATED_LIST>') }),
    /0 elements ENTITIES instead of one/,
  )
})

test('XML: a DOCTYPE, entities, another declared encoding and another root are refused', async () => {
  const list = (text: string) => ({ list: bytesOf(text) })
  const doctype = `<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<CONSOLIDATED_LIST>&b;</CONSOLIDATED_LIST>`
  for (const format of ['UN', 'EU'] as const) {
    assert.match(await refusalOf(format, list(doctype)), /line 2: a DOCTYPE or entity declaration is not allowed/)
    assert.match(await refusalOf(format, list('<teapot/>')), /line 1: the root is teapot instead of /)
    assert.match(
      await refusalOf(format, list('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')),
      /line 1: the file declares the encoding ISO-8859-1/,
    )
    assert.match(await refusalOf(format, list('<a>&undeclared;</a>')), /line 1: this is not well-formed XML/)
  }
})

test('marks that change the direction of the text are refused, with the line, however they are written', async () => {
  const within = (text: string, name: string, mark: string) => bytesOf(text.replace(name, `${name.slice(0, 3)}${mark}${name.slice(3)}`))
  for (const mark of ['\u202e', '\u2067', '\u200f', '\u061c']) {
    const code = `U\\+${mark.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
    const refusal = (line: number) => new RegExp(`, line ${line}: there is a mark that changes the direction of the text \\(${code}\\)\\.$`)
    assert.match(await refusalOf('OPENSANCTIONS', { list: within(openSanctions, 'Blackmoor', mark) }), refusal(3))
    assert.match(await refusalOf('UN', { list: within(un, 'Morten', mark) }), refusal(9))
    assert.match(await refusalOf('UK', { list: within(conList, 'BLACKMOOR', mark) }), refusal(5))
    assert.match(await refusalOf('OFAC', { sdn: within(`${sdn}\r\n`, 'GLOOMY', mark) }), refusal(3))
    const number = `&#x${mark.codePointAt(0)?.toString(16)};`
    assert.match(await refusalOf('EU', { list: within(eu, 'Blackmoor', number) }), refusal(15))
  }
})

test('parts of an entry that a format does not know are refused, with the line: a name might be lost', async () => {
  const list = (text: string, from: string, to: string) => ({ list: bytesOf(text.replace(from, to)) })
  assert.equal(
    await refusalOf('UN', list(un, '<UN_LIST_TYPE>', '<FIFTH_NAME>X</FIFTH_NAME><UN_LIST_TYPE>')),
    'consolidated.xml, line 6: INDIVIDUAL has a part that this format does not know: FIFTH_NAME.',
  )
  assert.equal(
    await refusalOf('UN', list(un, '<ALIAS_NAME>Blackmoor', '<OTHER_NAME>X</OTHER_NAME><ALIAS_NAME>Blackmoor')),
    'consolidated.xml, line 23: ENTITY_ALIAS has a part that this format does not know: OTHER_NAME.',
  )
  assert.equal(
    await refusalOf('EU', list(eu, '<birthdate', '<formerName wholeName="X"/><birthdate')),
    'xmlFullSanctionsList.xml, line 10: sanctionEntity has a part that this format does not know: formerName.',
  )
  assert.equal(
    await refusalOf('OPENSANCTIONS', {
      list: bytesOf(openSanctions.replace('aliases,', 'aliases,former_names,')),
    }),
    'targets.simple.csv, line 1: the header has a column that this format does not know: former_names.',
  )
})

test('CSV: fields are read as RFC 4180 writes them, and everything else is refused with its line', () => {
  const read = (text: string) => readCsv(text, refuserOf('x.csv')).map(({ line, fields }) => [line, ...fields])
  assert.deepEqual(read('a,"b ""c"", d",\r\n"x\ny",z\n,'), [
    [1, 'a', 'b "c", d', ''],
    [2, 'x\ny', 'z'],
    [4, '', ''],
  ])
  assert.deepEqual(read('a\nb'), [
    [1, 'a'],
    [2, 'b'],
  ])
  for (const [text, reason] of [
    ['a\n"b', /^x\.csv, line 2: a quoted field is not closed/],
    ['a\nb"c"', /^x\.csv, line 2: there is a quote inside an unquoted field/],
    ['a\n"b"c', /^x\.csv, line 2: there is text after a quoted field/],
    ['a\rb', /^x\.csv, line 1: .*carriage return/],
  ] as const)
    assert.throws(() => read(text), { name: 'ListRefusal', message: reason })
})

test('OpenSanctions: a header without a column, and a broken field with several values, are refused', async () => {
  assert.match(
    await refusalOf('OPENSANCTIONS', { list: bytesOf(openSanctions.replace('birth_date', 'born')) }),
    /line 1: this is not the expected header: it lacks birth_date/,
  )
  assert.match(
    await refusalOf('OPENSANCTIONS', { list: bytesOf(openSanctions.replace('the Teapot""', 'the Teapot')) }),
    /line 2: in a field with several values, a quoted field is not closed/,
  )
})

test('dates are read in every form that the lists use', () => {
  const forms: [string, string | undefined][] = [
    ['1961-07-04', '1961-07-04'],
    ['1961-07-04T00:00:00Z', '1961-07-04'],
    ['1961-07-04+02:00', '1961-07-04'],
    ['1961-07', '1961-07'],
    ['04/07/1961', '1961-07-04'],
    ['00/07/1961', '1961-07'],
    ['00/00/1961', '1961'],
    ['4 Jul 1961', '1961-07-04'],
    ['July 1961', '1961-07'],
    ['circa 1961', '1961'],
    ['1961', '1961'],
    ['31/02/1961', undefined],
    ['1961-13-01', undefined],
    ['00/13/1961', undefined],
    ['Xyz 1961', undefined],
    ['0000', undefined],
    ['unknown', undefined],
    ['', undefined],
  ]
  for (const [text, expected] of forms) assert.equal(dateOf(text), expected, text)
  assert.deepEqual(yearsOf('1970', '1972'), ['1970', '1971', '1972'])
  assert.deepEqual([yearsOf('1970', '1999'), yearsOf('1972', '1970'), yearsOf('', '1970')], [[], [], []])
})

test('countries are found by code and by the names that the lists use', () => {
  const known = {
    lv: 'LV',
    Latvia: 'LV',
    'Korea, North': 'KP',
    Russia: 'RU',
    'Russian Federation': 'RU',
    Burma: 'MM',
    "Côte d'Ivoire": 'CI',
  }
  for (const [text, code] of Object.entries({ ...known, 'Congo, Democratic Republic of the': 'CD', Congo: 'CG', Kosovo: 'XK' }))
    assert.equal(countryOf(text), code, text)
  for (const text of ['Nowhere', 'zz', 'suhh', '']) assert.equal(countryOf(text), undefined, text)
})

test('the sandbox list can be imported, and its demo names are found', async () => {
  const list = readFileSync(new URL('./screening.sandbox.csv', import.meta.url))
  const entries = await entriesOf('OPENSANCTIONS', { list })
  assert.equal(entries.length, 200)
  const index = new Index(entries)
  const best = (name: string) => index.search({ name, threshold: 0.85 }).hits.map(({ entry }) => entry.id)[0]
  assert.equal(best('Mortimer Grimshade'), 'sandbox-demo-1')
  assert.equal(best('Мортимер Гримшейд'), 'sandbox-demo-1')
  assert.equal(best('Zelda Quilfeather'), 'sandbox-demo-2')
  assert.equal(best('Blackmoor Phantom Trading GmbH'), 'sandbox-demo-3')
  assert.equal(best('GLOOMY PELICAN'), 'sandbox-demo-4')
  for (const { names } of entries) assert.ok(best(names[0]?.name ?? '') !== undefined)
  const kinds = new Set(entries.map(({ kind }) => kind))
  assert.deepEqual([...kinds].sort(), ['aircraft', 'organisation', 'person', 'vessel'])
})
