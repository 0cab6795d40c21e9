// Countries as the lists name them, with their ISO 3166-1 alpha-2 codes.
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { alpha2ToAlpha3 } from '../../values/country.ts'

/** Names that the lists use and the package lacks. */
const otherNames: Readonly<Record<string, string>> = {
  'bahamas the': 'BS',
  'bosnia herzegovina': 'BA',
  bolivia: 'BO',
  britain: 'GB',
  'british virgin islands': 'VG',
  brunei: 'BN',
  burma: 'MM',
  'cabo verde': 'CV',
  'cape verde': 'CV',
  'china hong kong special administrative region': 'HK',
  'congo democratic republic': 'CD',
  'congo democratic republic of the': 'CD',
  'congo republic of the': 'CG',
  'cote d ivoire': 'CI',
  'czech republic': 'CZ',
  'democratic peoples republic of korea': 'KP',
  dprk: 'KP',
  drc: 'CD',
  'east timor': 'TL',
  'gaza strip': 'PS',
  'great britain': 'GB',
  'guinea conakry': 'GN',
  'hong kong sar': 'HK',
  iran: 'IR',
  'iran islamic republic of': 'IR',
  'ivory coast': 'CI',
  'korea north': 'KP',
  'korea south': 'KR',
  kosovo: 'XK',
  'kyrgyz republic': 'KG',
  laos: 'LA',
  'macau sar': 'MO',
  macau: 'MO',
  macedonia: 'MK',
  'macedonia the former yugoslav republic of': 'MK',
  'man isle of': 'IM',
  moldova: 'MD',
  'moldova republic of': 'MD',
  myanmar: 'MM',
  'north korea': 'KP',
  'north macedonia the republic of': 'MK',
  'occupied palestinian territories': 'PS',
  palestine: 'PS',
  palestinian: 'PS',
  'republic of korea': 'KR',
  'republic of the congo': 'CG',
  russia: 'RU',
  'slovak republic': 'SK',
  'south korea': 'KR',
  'st kitts and nevis': 'KN',
  'st kitts nevis': 'KN',
  'st vincent and the grenadines': 'VC',
  'state of palestine': 'PS',
  swaziland: 'SZ',
  syria: 'SY',
  'syrian arab republic': 'SY',
  taiwan: 'TW',
  tanzania: 'TZ',
  'the bahamas': 'BS',
  'the gambia': 'GM',
  'the netherlands': 'NL',
  'trinidad tobago': 'TT',
  turkey: 'TR',
  turkiye: 'TR',
  uae: 'AE',
  uk: 'GB',
  'united kingdom of great britain and northern ireland': 'GB',
  'united republic of tanzania': 'TZ',
  'united states': 'US',
  usa: 'US',
  vatican: 'VA',
  venezuela: 'VE',
  'virgin islands british': 'VG',
  vietnam: 'VN',
  'viet nam': 'VN',
  'west bank': 'PS',
}

const byName = new Map<string, string>()
for (const [code, names] of Object.entries(english.countries)) for (const name of [names].flat()) byName.set(comparable(name), code)
for (const [name, code] of Object.entries(otherNames)) byName.set(name, code)
// The package has this name for both republics.
byName.set('congo', 'CG')

/** The code for a code in either case or an English name; undefined if there is none. */
export function countryOf(text: string): string | undefined {
  const code = text.toUpperCase()
  if (/^[A-Z]{2}$/.test(code) && alpha2ToAlpha3(code) !== undefined) return code
  return byName.get(comparable(text))
}

function comparable(name: string): string {
  const bare = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/['’.]/g, '')
  return bare.replace(/[^a-z]+/g, ' ').trim()
}
