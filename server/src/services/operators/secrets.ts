import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { equalInConstantTime } from '../../ground/ids/constant-time.ts'

/** Keyed hashes and encryption of stored secrets. The key is not in the database. */
export interface Secrets {
  /** HMAC-SHA256 of a random token, in hex. */
  readonly hashToken: (token: string) => string
  /** HMAC-SHA256 of a recovery code together with its operator, in hex. */
  readonly hashCode: (operatorId: string, code: string) => string
  /** Encrypts a text (AES-256-GCM, base64url). */
  readonly seal: (text: string) => string
  /** Decrypts a sealed text. @throws when it was changed, or sealed with another key */
  readonly open: (sealed: string) => string
  /** The value of a cookie that shows that its browser signed in to the account before: a random id and its HMAC. */
  readonly signDevice: (account: string) => string
  readonly isDeviceOf: (device: string, account: string) => boolean
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** @param key 32 bytes */
export function createSecrets(key: Buffer): Secrets {
  const hmac = (purpose: string, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('hex')
  const sealingKey = createHmac('sha256', key).update('sealing').digest()
  const signatureOf = (id: string, account: string): string => hmac('device', `${id} ${account}`)
  return {
    hashToken: (token) => hmac('token', token),
    hashCode: (operatorId, code) => hmac('recovery code', `${operatorId} ${code}`),
    seal(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, sealingKey, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv(algorithm, sealingKey, bytes.subarray(0, ivBytes))
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      return decipher.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
    signDevice(account) {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${signatureOf(id, account)}`
    },
    isDeviceOf(device, account) {
      const [id = '', signature = ''] = device.split('.')
      return equalInConstantTime(signature, signatureOf(id, account))
    },
  }
}
