// The only place where text becomes part of XML, and back.

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => entities[character] ?? character) : text
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x9;': '\t',
  '&#xA;': '\n',
  '&#xD;': '\r',
}

/** For canonical XML, which has these entities and no others. */
export function unescapeXml(text: string): string {
  return text.includes('&') ? text.replace(/&[^;]+;/g, (entity) => characters[entity] ?? entity) : text
}
