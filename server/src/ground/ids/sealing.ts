import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encryption of stored texts under one key (AES-256-GCM, NIST SP 800-38D). */
export interface Sealing {
  /** @returns the vector, the tag and the encrypted text, in base64url */
  readonly seal: (text: string) => string
  /** @throws when the sealed text was changed, or sealed with another key */
  readonly open: (sealed: string) => string
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** @param key 32 bytes */
export function createSealing(key: Buffer): Sealing {
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
