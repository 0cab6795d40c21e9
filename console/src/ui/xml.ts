// Formats messages: one element per line, and only the relevant payment of many. The service has validated the XML.

/** One element per line, indented; everything else unchanged. */
export function prettyXml(xml: string): string {
  let depth = 0
  const lines: string[] = []
  for (const [part] of xml.matchAll(/<\?[^>]*\?>|<!--[\s\S]*?-->|<[^>/][^>]*\/>|<[^>/][^>]*>[^<]*<\/[^>]+>|<\/[^>]+>|<[^>]+>|[^<]+/g)) {
    const text = part.trim()
    if (text === '') continue
    if (text.startsWith('</')) depth = Math.max(0, depth - 1)
    lines.push(`${'  '.repeat(depth)}${text}`)
    if (/^<[^?!/][^>]*[^/]>$/.test(text) || /^<[^?!/>]>$/.test(text)) depth += 1
  }
  return lines.join('\n')
}

const transactions = 'CdtTrfTxInf|DrctDbtTxInf|TxInfAndSts|TxInf'

/** The part of a message about one payment: the only one, or the one with this transaction id. Undefined if it cannot be identified. */
export function partAbout(xml: string, tx_id: string): string | undefined {
  const parts = [...xml.matchAll(new RegExp(`<(${transactions})>[\\s\\S]*?</\\1>`, 'g'))].map(([part]) => part)
  return parts.length === 1 ? parts[0] : parts.find((part) => part.includes(`>${tx_id}<`))
}
