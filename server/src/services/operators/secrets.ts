import { createHmac, randomBytes } from 'node:crypto'
import { equalInConstantTime } from '../../ground/ids/constant-time.ts'
import { createSealing, type Sealing } from '../../ground/ids/sealing.ts'

/** Keyed hashes and encryption of stored secrets. The key is not in the database. */
export interface Secrets extends Sealing {
  /** HMAC-SHA256 of a random token, in hex. */
  readonly hashToken: (token: string) => string
  /** HMAC-SHA256 of a recovery code together with its operator, in hex. */
  readonly hashCode: (operatorId: string, code: string) => string
  /** The value of a cookie that shows that its browser signed in to the account before: a random id and its HMAC. */
  readonly signDevice: (account: string) => string
  readonly isDeviceOf: (device: string, account: string) => boolean
}

/** @param key 32 bytes */
export function createSecrets(key: Buffer): Secrets {
  const hmac = (purpose: string, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('hex')
  const sealingKey = createHmac('sha256', key).update('sealing').digest()
  const signatureOf = (id: string, account: string): string => hmac('device', `${id} ${account}`)
  return {
    hashToken: (token) => hmac('token', token),
    hashCode: (operatorId, code) => hmac('recovery code', `${operatorId} ${code}`),
    ...createSealing(sealingKey),
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
