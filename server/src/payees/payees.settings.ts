// The settings of payee verification.
import { type Given, httpUrl, integer, type Settings, text } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'
import type { VopListen } from './vop/payees.vop.listener.ts'
import type { VopVia } from './vop/payees.vop.route.ts'

export const payeesSettings = {
  PAYEE_VERIFICATION_RETENTION_DAYS: {
    default: '400',
    meaning: 'for how many days payee verifications are kept; payers may claim money back for 13 months',
    parse: integer(2, 3_650),
  },
  VOP_VIA: {
    default: 'none; in the sandbox, a stand-in',
    meaning: 'the https address of the routing service that asks other banks about payees, without the path /vop/v1/payee-verifications',
    parse: httpsUrl,
  },
  VOP_VIA_CERTIFICATE_FILE: { default: 'none', meaning: 'the file with the certificate that is shown to VOP_VIA, as PEM', parse: text },
  VOP_VIA_KEY_FILE: { default: 'none', meaning: 'the file with the private key of that certificate, as PEM', parse: text },
  VOP_VIA_AUTHORITY_FILE: {
    default: 'the authorities that Node.js trusts',
    meaning: 'the file with the certificates, as PEM, one of which is that of VOP_VIA or has issued it',
    parse: text,
  },
  VOP_LISTEN: {
    default: 'none',
    meaning: 'where other banks may ask about payees, over TLS and with a certificate: an address and a port, such as 0.0.0.0:8443',
    parse: address,
  },
  VOP_LISTEN_CERTIFICATE_FILE: { default: 'none', meaning: 'the file with the certificate of VOP_LISTEN, as PEM', parse: text },
  VOP_LISTEN_KEY_FILE: { default: 'none', meaning: 'the file with the private key of that certificate, as PEM', parse: text },
  VOP_TRUST_FILE: {
    default: 'none',
    meaning: 'the file with the certificates, as PEM, that clients of VOP_LISTEN may show; those that they have issued do not count',
    parse: text,
  },
} satisfies Settings

/** `vopVia`, `vopListen`: undefined if not set. */
export type PayeesConfig = { payeeVerificationRetention_days: number; vopVia: VopVia | undefined; vopListen: VopListen | undefined }

type GivenPayees = Given<typeof payeesSettings>

export function payeesConfig(given: GivenPayees): PayeesConfig {
  return {
    payeeVerificationRetention_days: given.PAYEE_VERIFICATION_RETENTION_DAYS ?? 400,
    vopVia: viaOf(given),
    vopListen: listenOf(given),
  }
}

function viaOf(given: GivenPayees): VopVia | undefined {
  if (given.VOP_VIA === undefined) return undefined
  return {
    url: given.VOP_VIA,
    certificateFile: required(given, 'VOP_VIA_CERTIFICATE_FILE', 'VOP_VIA'),
    keyFile: required(given, 'VOP_VIA_KEY_FILE', 'VOP_VIA'),
    authorityFile: given.VOP_VIA_AUTHORITY_FILE,
  }
}

function listenOf(given: GivenPayees): VopListen | undefined {
  if (given.VOP_LISTEN === undefined) return undefined
  return {
    ...given.VOP_LISTEN,
    certificateFile: required(given, 'VOP_LISTEN_CERTIFICATE_FILE', 'VOP_LISTEN'),
    keyFile: required(given, 'VOP_LISTEN_KEY_FILE', 'VOP_LISTEN'),
    trustFile: required(given, 'VOP_TRUST_FILE', 'VOP_LISTEN'),
  }
}

type FileSetting =
  | 'VOP_VIA_CERTIFICATE_FILE'
  | 'VOP_VIA_KEY_FILE'
  | 'VOP_LISTEN_CERTIFICATE_FILE'
  | 'VOP_LISTEN_KEY_FILE'
  | 'VOP_TRUST_FILE'

function required(given: GivenPayees, name: FileSetting, by: string): string {
  const file = given[name]
  if (file === undefined) throw new StartupError(`The setting ${by} needs ${name}: banks know each other by certificates.`)
  return file
}

function httpsUrl(text: string): string {
  const url = httpUrl(text)
  if (!url.startsWith('https:')) throw new Error('must be an https URL')
  return url
}

/** An IPv6 address is in brackets. */
function address(text: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === '' || (host.includes(':') && !/^\[.+\]$/.test(host)))
    throw new Error(`must be an address and a port, such as 0.0.0.0:8443, not "${text}"`)
  return { host: host.replace(/^\[|\]$/g, ''), port: integer(1, 65_535)(port) }
}
