// An authenticator in software, which creates a passkey and signs challenges as a browser and its device do.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Options = { challenge: string; rp?: { id?: string }; rpId?: string; user?: { id: string } }
type Changes = { origin?: string; flags?: number; counter?: number; challenge?: string }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** The flags for user present and verified. */
const usual = 0x05

export class Authenticator {
  readonly #origin: string
  readonly #privateKey: KeyObject
  readonly #publicKey: { x: string; y: string }
  readonly credentialId = randomBytes(32)
  readonly #counts: boolean
  #counter = 0

  /** `counts`: whether it counts its signatures. Passkeys on several devices do not. */
  constructor(origin: string, { counts = true } = {}) {
    this.#counts = counts
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#origin = origin
    this.#privateKey = privateKey
    this.#publicKey = { x, y }
  }

  create(options: Options, changes: Changes = {}): object {
    const clientData = this.#clientData('webauthn.create', options, changes)
    const key = cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), cborBytes(Buffer.from(this.#publicKey.x, 'base64url'))],
      [cborInt(-3), cborBytes(Buffer.from(this.#publicKey.y, 'base64url'))],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, key])
    const authData = Buffer.concat([this.#head(options.rp?.id ?? '', (changes.flags ?? usual) | 0x40, changes), attested])
    const attestationObject = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  get(options: Options, changes: Changes = {}): object {
    const clientData = this.#clientData('webauthn.get', options, changes)
    const authenticatorData = this.#head(options.rpId ?? '', changes.flags ?? usual, changes)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#privateKey)
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #credential(response: object): object {
    const id = this.credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, authenticatorAttachment: 'platform', response }
  }

  #clientData(type: string, { challenge }: Options, changes: Changes): Buffer {
    const data = { type, challenge: changes.challenge ?? challenge, origin: changes.origin ?? this.#origin, crossOrigin: false }
    return Buffer.from(JSON.stringify(data))
  }

  #head(rpId: string, flags: number, changes: Changes): Buffer {
    const counter = Buffer.alloc(4)
    if (this.#counts) this.#counter++
    counter.writeUInt32BE(changes.counter ?? this.#counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter])
  }
}

// The subset of CBOR (RFC 8949) that a passkey needs.

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
const cborMap = (pairs: (readonly [Buffer, Buffer])[]) => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()])
