import { randomBytes, scrypt } from 'node:crypto'
import { createSealing } from '../../../ground/ids/sealing.ts'
import { backupsError } from '../errors.ts'
import type { Manifest } from './manifest.ts'

/** Small files by their names. */
export type SecretFiles = Readonly<Record<string, Buffer>>

type Sealed = NonNullable<Manifest['secrets']>

/** 64 MiB and some tenths of a second for each guess of a passphrase (RFC 7914 §2). */
const cost = 65_536
const blockSize = 8

/** Seals files with a passphrase: scrypt, then AES-256-GCM. */
export async function sealFiles(files: SecretFiles, passphrase: string): Promise<Sealed> {
  const salt = randomBytes(16)
  const texts = Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')])
  const { seal } = createSealing(await deriveKey(passphrase, salt, cost, blockSize))
  return { cost, blockSize, salt: salt.toString('base64'), sealed: seal(JSON.stringify(Object.fromEntries(texts))) }
}

/** @throws CLEW_BACKUP_PASSPHRASE where the passphrase is another */
export async function openFiles({ sealed, salt, ...parameters }: Sealed, passphrase: string): Promise<SecretFiles> {
  const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), parameters.cost, parameters.blockSize)
  try {
    // `sealFiles` wrote it: the key opens nothing else.
    const files = JSON.parse(createSealing(key).open(sealed)) as Readonly<Record<string, string>>
    return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'base64')]))
  } catch (cause) {
    throw backupsError('CLEW_BACKUP_PASSPHRASE', { message: 'The passphrase is not that of the backup.', cause })
  }
}

const deriveKey = (passphrase: string, salt: Buffer, N: number, r: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N, r, p: 1, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
