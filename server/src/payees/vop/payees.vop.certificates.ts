// The certificates with which banks know each other.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { StartupError } from '../../platform/startup-error.ts'

export type CertificateFiles = { certificateFile: string; keyFile: string }
export type Identity = { cert: string; key: string; expires_at: Date }

/** Our certificate, with those of its issuers behind it if the file has them, and its key. */
export function readIdentity({ certificateFile, keyFile }: CertificateFiles): Identity {
  const [first] = readTrusted(certificateFile)
  const [cert, key] = [readText(certificateFile), readText(keyFile)]
  if (first === undefined || !fits(first.certificate, key))
    throw new StartupError(
      `The file ${keyFile} does not have the private key of the certificate in ${certificateFile}, without a passphrase.`,
    )
  return { cert, key, expires_at: first.certificate.validToDate }
}

function fits(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

export type Trusted = { pem: string; certificate: X509Certificate }

/** The certificates of a file, of which there is at least one. */
export function readTrusted(file: string): Trusted[] {
  const texts = readText(file).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    if (texts.length === 0) throw new Error('no certificate')
    return texts.map((pem) => ({ pem, certificate: new X509Certificate(pem) }))
  } catch {
    throw new StartupError(`The file ${file} has no certificates in the form PEM, or one that cannot be read.`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartupError(`The file ${file} cannot be read: ${(error as Error).message}.`)
  }
}

/** In real time, negative afterwards. */
export const secondsUntil = (time: Date): number => (time.getTime() - Date.now()) / 1000
