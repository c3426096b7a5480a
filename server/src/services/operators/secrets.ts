import { createHmac, randomBytes } from 'node:crypto'
import { equalInConstantTime } from '../../ground/ids/constant-time.ts'
import { currentOf, derivedOf, markRoot, type OfRoot, type RootKeys } from '../../ground/ids/root-keys.ts'
import { createRootSealing, type RootSealing } from '../../ground/ids/root-sealing.ts'

/** Keyed hashes and encryption of stored secrets. The root keys are not in the database; each hash names its own. */
export interface Secrets extends RootSealing {
  /** HMAC-SHA256 of a random token, in hex, under the root key that counts. */
  readonly hashToken: (token: string) => string
  /** Those under every root key, by which a stored one is found. */
  readonly tokenHashes: (token: string) => readonly string[]
  /** HMAC-SHA256 of a recovery code together with its operator, in hex, under the root key that counts. */
  readonly hashCode: (operatorId: string, code: string) => string
  /** Those under every root key. */
  readonly codeHashes: (operatorId: string, code: string) => readonly string[]
  /** The value of a cookie that shows that its browser signed in to the account before: a random id and its HMAC. */
  readonly signDevice: (account: string) => string
  readonly isDeviceOf: (device: string, account: string) => boolean
}

const purpose = 'operators’ tokens'

export function createSecrets(roots: RootKeys): Secrets {
  const hmacs = derivedOf(
    roots,
    purpose,
    (key) =>
      (about: string, text: string): string =>
        createHmac('sha256', key).update(`${about}\n${text}`).digest('hex'),
  )
  type Hmac = ReturnType<typeof hmacs>[number]
  const marked = ({ rootId, value }: Hmac, about: string, text: string): string => markRoot(rootId, value(about, text))
  const current = (about: string, text: string): string => marked(currentOf(hmacs()), about, text)
  const every = (about: string, text: string): readonly string[] => hmacs().map((hmac) => marked(hmac, about, text))
  const signatureOf = ({ value }: OfRoot<Hmac['value']>, id: string, account: string): string =>
    value('device', `${id} ${account}`)
  return {
    hashToken: (token) => current('token', token),
    tokenHashes: (token) => every('token', token),
    hashCode: (operatorId, code) => current('recovery code', `${operatorId} ${code}`),
    codeHashes: (operatorId, code) => every('recovery code', `${operatorId} ${code}`),
    ...createRootSealing(roots, purpose, (key) => createHmac('sha256', key).update('sealing').digest()),
    signDevice(account) {
      const id = randomBytes(16).toString('base64url')
      return `${id}.${signatureOf(currentOf(hmacs()), id, account)}`
    },
    isDeviceOf(device, account) {
      const [id = '', signature = ''] = device.split('.')
      return hmacs().some((hmac) => equalInConstantTime(signature, signatureOf(hmac, id, account)))
    },
  }
}
