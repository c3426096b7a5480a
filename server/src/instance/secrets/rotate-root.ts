import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { rootKeyOf } from '../../ground/ids/root-keys.ts'
import { randomToken } from '../../ground/ids/tokens.ts'
import { retiredCertificateKeyOf } from '../../ground/privacy/certificate.ts'
import { inTurn } from '../in-turn.ts'
import { completeKeyFile, keyFileOf, readKeyFile, writeKeyFile } from '../keys.ts'

/** The dependencies of `rotateRoot`. */
export interface RootRotationDeps {
  readonly dataDir: string
  readonly production: boolean
  readonly now: () => Date
  /** Keeps a root key where backups are, before anything is kept under it. */
  readonly keep: (secret: string) => Promise<void>
  /** Has every process read the keys. */
  readonly tell: () => Promise<unknown>
}

/** The result of a rotation of the root key. */
export interface RootRotation {
  /** Of the one that counts now. */
  readonly id: string
  readonly replacedId: string
  readonly file: string
}

/**
 * Makes a new root key. It opens and verifies in every process before it counts in one of them, so that nothing is kept under
 * a key that some process does not know. Ended at any step, it is done by the next rotation, which takes the key that is
 * there; two at once make one key.
 *
 * @throws CLEW_START_KEYS, and what `keep` throws, with which everything stays
 */
export async function rotateRoot({ dataDir, production, now, keep, tell }: RootRotationDeps): Promise<RootRotation> {
  const path = keyFileOf(dataDir)
  await mkdir(dirname(path), { recursive: true })
  const { next, replaced } = await inTurn(path, async () => {
    const found = await readKeyFile(path)
    const file = await completeKeyFile(path, found, production, now)
    const made = file.nextPepper ?? randomToken()
    await writeKeyFile(path, { ...file, nextPepper: made })
    return { next: made, replaced: file.pepper }
  })
  await keep(next)
  await tell()
  await inTurn(path, async () => {
    const file = await readKeyFile(path)
    // Another rotation had this key count meanwhile.
    if (file?.nextPepper !== next) return
    const { nextPepper, pepper, earlierPeppers = [], ...rest } = file
    const before = pepper === undefined ? [] : [{ pepper, replacedAt: now().toISOString() }]
    await writeKeyFile(path, { ...rest, pepper: nextPepper, earlierPeppers: [...before, ...earlierPeppers] })
  })
  await tell()
  return { id: rootKeyOf(next).id, replacedId: rootKeyOf(replaced).id, file: path }
}

/**
 * Forgets an earlier root key, but for what certificates of erasures are known by.
 *
 * @returns false where none has the id
 * @throws CLEW_START_KEYS
 */
export async function retireRoot(dataDir: string, id: string): Promise<boolean> {
  const path = keyFileOf(dataDir)
  return inTurn(path, async () => {
    const file = await readKeyFile(path)
    const { earlierPeppers = [], retiredCertificateKeys = [] } = file ?? {}
    const retired = earlierPeppers.find(({ pepper }) => rootKeyOf(pepper).id === id)
    if (file === null || retired === undefined) return false
    await writeKeyFile(path, {
      ...file,
      earlierPeppers: earlierPeppers.filter((each) => each !== retired),
      retiredCertificateKeys: [retiredCertificateKeyOf(retired.pepper), ...retiredCertificateKeys],
    })
    return true
  })
}
