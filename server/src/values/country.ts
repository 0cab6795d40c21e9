// Countries (ISO 3166-1). Imports only the table of i18n-iso-countries (3 ms); its main module also loads every language (29 ms).
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }

const alpha2ByAlpha3 = new Map<string, string>()
const alpha3ByAlpha2 = new Map<string, string>()
for (const [alpha2 = '', code = ''] of codes) {
  // ISO 3166-1 has no code for Kosovo. Banks and the European Union use XK and XKX; the package has XKK from Unicode.
  const alpha3 = alpha2 === 'XK' ? 'XKX' : code
  alpha2ByAlpha3.set(alpha3, alpha2)
  alpha3ByAlpha2.set(alpha2, alpha3)
}

export const alpha3Codes: readonly string[] = [...alpha2ByAlpha3.keys()].sort()

/** The code in upper case. Non-ASCII letters are refused first, because upper-casing turns some of them into ASCII (ſ into S). */
export function parseAlpha3(text: string): string | undefined {
  if (!/^[A-Za-z]{3}$/.test(text)) return undefined
  const code = text.toUpperCase()
  return alpha2ByAlpha3.has(code) ? code : undefined
}

export function alpha3ToAlpha2(code: string): string | undefined {
  return alpha2ByAlpha3.get(code)
}

export function alpha2ToAlpha3(code: string): string | undefined {
  return alpha3ByAlpha2.get(code)
}
