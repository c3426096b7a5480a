import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { deriveKey } from '../ids/derive-key.ts'
import { isObject, type JsonObject } from '../json/object.ts'
import type { ErasedTable } from './account.ts'

/** What was done to erase a person, without anything that says who it was. */
export interface ErasureFacts {
  readonly kind: 'erasure'
  readonly version: 1
  readonly id: string
  readonly requestedAt: string
  readonly completedAt: string
  /** Of the operator who asked for it. */
  readonly requestedByRole: string
  /** A keyed hash of each name of the person that the instance alone can make again: `clew erasure verify --of`. */
  readonly subject: readonly string[]
  /** Rows that were the person's, and rows of others that named them, by store. */
  readonly stores: readonly { readonly store: string; readonly removed: number; readonly rewritten: number }[]
  readonly tables: readonly ErasedTable[]
  readonly refusesFuture: boolean
  readonly search: {
    readonly tables: number
    /** Where a name of the person is left. */
    readonly found: readonly { readonly table: string; readonly rows: number }[]
    readonly notSearched: readonly string[]
  }
  /** Backups from before, until when the last of them is kept at most. */
  readonly backups: { readonly count: number; readonly until: string | null }
}

/** A certificate as a file has it. */
export interface Certificate {
  readonly certificate: ErasureFacts
  readonly signature: { readonly algorithm: 'Ed25519'; readonly publicKey: string; readonly value: string }
}

/** What an instance signs certificates with. */
export interface CertificateKey {
  readonly privateKey: KeyObject
  /** The raw public key, in base64url. */
  readonly publicKey: string
  /** Hashes a name of a person. */
  readonly digest: (text: string) => string
}

/** A private key of Ed25519 is 32 bytes behind this, in DER (RFC 8410 §7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex')

/** What a certificate is known by when the root key that it was signed under is no more: neither opens anything else. */
export interface RetiredCertificateKey {
  readonly publicKey: string
  /** Hashes a name of a person, in base64url. */
  readonly digestKey: string
}

/** What the certificates of a root key are known by without it. */
export const retiredCertificateKeyOf = (root: string): RetiredCertificateKey => ({
  publicKey: certificateKeyOf(root).publicKey,
  digestKey: subjectKeyOf(root).toString('base64url'),
})

/** The key of an instance, always the same for one root key. */
export function certificateKeyOf(root: string): CertificateKey {
  const seed = deriveKey(root, 'erasure certificates')
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return {
    privateKey,
    publicKey: spki.subarray(spkiHead.length).toString('base64url'),
    digest: subjectDigest(subjectKeyOf(root)),
  }
}

const subjectKeyOf = (root: string): Buffer => deriveKey(root, 'subjects of erasure certificates')

/** Hashes a name of a person, as certificates have it. */
export const subjectDigest =
  (digestKey: Buffer) =>
  (text: string): string =>
    createHmac('sha256', digestKey).update(text.trim().toLowerCase()).digest('base64url')

/** Signs facts (Ed25519, RFC 8032) as their JSON with the members of objects in order of name. */
export const signCertificate = (certificate: ErasureFacts, key: CertificateKey): Certificate => ({
  certificate,
  signature: {
    algorithm: 'Ed25519',
    publicKey: key.publicKey,
    value: sign(null, signedBytes(certificate), key.privateKey).toString('base64url'),
  },
})

/** What a look at a file showed. */
export type CertificateCheck =
  | { readonly kind: 'good'; readonly facts: ErasureFacts; readonly isOfKey: boolean }
  | { readonly kind: 'not a certificate' }
  | { readonly kind: 'changed' }

/**
 * Whether a certificate is as it was signed, and which instance signed it.
 *
 * @param publicKeys of the instance that must have signed it, by one of them
 */
export function checkCertificate(file: unknown, publicKeys: readonly string[]): CertificateCheck {
  if (!isObject(file) || !isObject(file.certificate) || !isObject(file.signature)) return { kind: 'not a certificate' }
  const { certificate, signature } = file
  const { value, publicKey: named } = signature
  if (certificate.kind !== 'erasure' || typeof value !== 'string' || typeof named !== 'string')
    return { kind: 'not a certificate' }
  const key = publicKeyOf(named)
  if (key === null || !verify(null, signedBytes(certificate), key, Buffer.from(value, 'base64url')))
    return { kind: 'changed' }
  // What the signature covers is what `signCertificate` was given.
  return { kind: 'good', facts: certificate as unknown as ErasureFacts, isOfKey: publicKeys.includes(named) }
}

function publicKeyOf(text: string): KeyObject | null {
  const raw = Buffer.from(text, 'base64url')
  if (raw.length !== 32) return null
  return createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' })
}

const signedBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(ordered(value)))

/** With the members of objects in order of name, so that a file that was formatted anew is still good. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, ordered(value[name])]),
  ) satisfies JsonObject
}
