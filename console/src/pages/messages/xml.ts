// Reads what a message answers. The service has validated the XML.

export type Answer = {
  /** The original message. */
  message_id: string
  type: string | undefined
  /** The status of the whole message, if it has one. */
  status: string | undefined
  reason: string | undefined
  transactions: { tx_id: string | undefined; end_to_end_id: string | undefined; status: string | undefined; reason: string | undefined }[]
}

/** What a pacs.002, pacs.004, pacs.028, camt.029 or camt.056 refers to; undefined if it refers to no other message. */
export function answerOf(xml: string): Answer | undefined {
  const message_id = textOf(xml, 'OrgnlMsgId')
  if (message_id === undefined) return undefined
  const group = /<OrgnlGrpInfAndSts>[\s\S]*?<\/OrgnlGrpInfAndSts>/.exec(xml)?.[0] ?? ''
  const transactions = [...xml.matchAll(/<(TxInfAndSts|TxInf)>([\s\S]*?)<\/\1>/g)].map(([, , inner = '']) => ({
    tx_id: textOf(inner, 'OrgnlTxId'),
    end_to_end_id: textOf(inner, 'OrgnlEndToEndId'),
    status: textOf(inner, 'TxSts') ?? textOf(inner, 'TxCxlSts'),
    reason: reasonOf(inner),
  }))
  return { message_id, type: textOf(xml, 'OrgnlMsgNmId'), status: textOf(group, 'GrpSts'), reason: reasonOf(group), transactions }
}

function textOf(xml: string, element: string): string | undefined {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]
  return text === undefined ? undefined : plain(text.trim())
}

function reasonOf(xml: string): string | undefined {
  return /<Rsn>\s*<(?:Cd|Prtry)>([^<]*)</.exec(xml)?.[1]
}

const signs: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const plain = (text: string): string => text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => signs[name] ?? '')
