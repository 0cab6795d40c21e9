// An envelope: one element with a business application header (head.001.001.02) and the document. Clearing systems that want one name its root themselves.
import type { XmlDocument, XmlElement } from 'libxml2-wasm'
import type { MessageType } from '../definitions/iso20022.messages.ts'
import { escapeXml } from './iso20022.escape.ts'
import { MessageFault } from './iso20022.faults.ts'

export type BusinessHeader = {
  root: string
  from_bic: string
  to_bic: string
  business_service: string | null
  message_id: string
  type: MessageType
  created_at: string
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const headerNamespace = 'urn:iso:std:iso:20022:tech:xsd:head.001.001.'

const element = (tag: string, content: string): string => `<${tag}>${content}</${tag}>`
const bankIn = (tag: string, bic: string): string => element(tag, element('FIId', element('FinInstnId', element('BICFI', bic))))

/** The bytes of a written message in its envelope. */
export function enveloped(document: Buffer, header: BusinessHeader): Buffer {
  const { root, from_bic, to_bic, business_service, message_id, type, created_at } = header
  const content = [
    bankIn('Fr', from_bic),
    bankIn('To', to_bic),
    element('BizMsgIdr', escapeXml(message_id)),
    element('MsgDefIdr', type),
    ...(business_service === null ? [] : [element('BizSvc', escapeXml(business_service))]),
    element('CreDt', created_at.replace(/\.\d+Z$/, 'Z')),
  ].join('')
  const text = document.toString()
  if (!text.startsWith(declaration)) throw new Error('a written message begins with its declaration')
  return Buffer.from(
    `${declaration}<${root}><AppHdr xmlns="${headerNamespace}02">${content}</AppHdr>${text.slice(declaration.length)}</${root}>`,
  )
}

const named = (name: string): string => `*[local-name() = "${name}"]`

/** The document in an envelope, as text of its own; undefined if the root is not one. The header must name the type of the document. */
export function documentIn({ root }: XmlDocument): string | undefined {
  const children = root.find('*') as XmlElement[]
  const [header, document] = children
  if (header?.name !== 'AppHdr' || document?.name !== 'Document' || children.length !== 2) return undefined
  if (!header.namespaceUri.startsWith(headerNamespace)) throw new MessageFault('invalid', 'its header is not a head.001.001')
  const stated = header.get(named('MsgDefIdr'))?.content.trim()
  if (stated === undefined || !document.namespaceUri.endsWith(`:${stated}`))
    throw new MessageFault('invalid', `its header names ${stated ?? 'no type'}, and the document is ${document.namespaceUri}`)
  return document.canonicalizeToString()
}
