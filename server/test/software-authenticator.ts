import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/** What a test may want to be wrong. */
export interface CeremonyOptions {
  readonly origin?: string
  readonly rpId?: string
  /** Signs with another key than the credential's. */
  readonly forged?: boolean
  /** Says that it counted on, or back. */
  readonly signCount?: number
}

/** An authenticator with one credential (WebAuthn §6), in software: ES256, attestation "none", user verified. */
export interface SoftwareAuthenticator {
  create(options: PublicKeyCredentialCreationOptionsJSON, with_?: CeremonyOptions): RegistrationResponseJSON
  get(options: PublicKeyCredentialRequestOptionsJSON, with_?: CeremonyOptions): AuthenticationResponseJSON
}

const userPresent = 0x01
const userVerified = 0x04
const attested = 0x40

export function createSoftwareAuthenticator(origin: string): SoftwareAuthenticator {
  const id = randomBytes(32)
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let userHandle = ''
  let count = 0

  const authData = (rpId: string, flags: number, signCount: number, rest = Buffer.alloc(0)): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(signCount)
    return Buffer.concat([sha256(rpId), Buffer.of(flags), counter, rest])
  }
  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  return {
    create(options, with_ = {}) {
      userHandle = options.user.id
      const { x = '', y = '' } = keys.publicKey.export({ format: 'jwk' })
      // COSE key (RFC 9053 §7.1): EC2, ES256, P-256.
      const publicKey = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, publicKey])
      const rpId = with_.rpId ?? options.rp.id ?? ''
      const data = authData(rpId, userPresent | userVerified | attested, with_.signCount ?? count, credential)
      const attestation = cborMap([
        ['fmt', 'none'],
        ['attStmt', 'no entries'],
        ['authData', data],
      ])
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, with_.origin ?? origin).toString(
            'base64url',
          ),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(options, with_ = {}) {
      count = with_.signCount ?? count + 1
      const data = authData(with_.rpId ?? options.rpId ?? '', userPresent | userVerified, count)
      const client = clientData('webauthn.get', options.challenge, with_.origin ?? origin)
      const { privateKey } = with_.forged === true ? stranger : keys
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
          userHandle,
        },
      }
    },
  }
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** `no entries` stands for the empty map. */
type Cbor = number | string | Buffer

/** The little of CBOR (RFC 8949) that an attestation is made of. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (value === 'no entries') return cborHead(5, 0)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  return Buffer.concat([cborHead(2, value.length), value])
}

const cborMap = (pairs: readonly (readonly [number | string, Cbor])[]): Buffer =>
  Buffer.concat([cborHead(5, pairs.length), ...pairs.flatMap(([key, value]) => [cbor(key), cbor(value)])])

function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size)
  if (size < 256) return Buffer.of((major << 5) | 24, size)
  return Buffer.of((major << 5) | 25, size >> 8, size & 255)
}
