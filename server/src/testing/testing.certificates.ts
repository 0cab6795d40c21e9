// Certificates for tests of mutual TLS, made without any program: X.509 in DER, with a key on P-256.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate with its key, both as PEM. `issue`: makes another one that this one has signed. */
export type Certificate = { cert: string; key: string; issue(name: string, options?: Period): Certificate }

type Period = { from_h?: number; until_h?: number }

const hour_ms = 3_600_000

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const isTrue = der(0x01, Buffer.from([0xff]))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const commonName = oid('550403')
const [subjectAltName, basicConstraints] = [oid('551d11'), oid('551d13')]

const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))

/** As YYMMDDHHMMSSZ. */
const time = (at: Date): Buffer => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`

type Issuer = { name: string; key: KeyObject }

function make(name: string, { from_h = -1, until_h = 24 }: Period, issuer?: Issuer): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const extensions = sequence(
    sequence(basicConstraints, isTrue, der(0x04, sequence(isTrue))),
    // For localhost and 127.0.0.1.
    sequence(subjectAltName, der(0x04, sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))))),
  )
  const validity = sequence(...[from_h, until_h].map((hours) => time(new Date(Date.now() + hours * hour_ms))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    validity,
    nameOf(name),
    spki,
    der(0xa3, extensions),
  )
  const signed = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, issuer?.key ?? privateKey)))
  return {
    cert: pem('CERTIFICATE', signed),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issue: (other, options = {}) => make(other, options, { name, key: privateKey }),
  }
}

/** Signed by itself, and valid now unless `until_h` is in the past. */
export const makeCertificate = (name: string, options: Period = {}): Certificate => make(name, options)

/** Writes texts into files of a folder, and returns their paths. */
export function filesIn<Name extends string>(folder: string, texts: Readonly<Record<Name, string>>): Record<Name, string> {
  const paths = Object.entries<string>(texts).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return [name, path]
  })
  return Object.fromEntries(paths)
}
