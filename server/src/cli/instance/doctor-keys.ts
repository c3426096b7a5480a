import { readFile, stat } from 'node:fs/promises'
import { messageOf } from '../../ground/errors/message.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { keyFileOf, parseRootKeyIds, type RootKeyIds } from '../../instance/keys.ts'
import { joinRoots } from '../../instance/secrets/join-roots.ts'
import { hasTarget, openTarget, readRestoredKeys } from '../../services/backups/index.ts'
import type { Settings } from '../../settings/index.ts'
import { askRootKeys, type RootKeysAnswer } from './ask-root-keys.ts'
import { type Finding, fine, wrong } from './finding.ts'

const about = 'root keys'

/**
 * What is true of the keys of a data directory: who may read them, the ring of root keys, and whether a restore brings it.
 * A directory without keys gets them by its first start.
 */
export async function checkKeys(settings: Settings, isRunning: boolean): Promise<readonly Finding[]> {
  const { instance, backup } = settings
  const path = keyFileOf(instance.data)
  const found = await stat(path).catch(() => null)
  if (found === null) return []
  const file = checkKeyFile(path, found.mode)
  let ring: RootKeyIds
  try {
    ring = parseRootKeyIds(await readFile(path, 'utf8'), path)
  } catch (error) {
    return [file, wrongBy(error, 'Run this as the user that the instance runs as, or restore the file.')]
  }
  const answer = isRunning ? await askRunning(instance.data) : null
  return [
    file,
    ...checkRing(ring),
    ...(answer === null ? [] : checkUses(ring, answer)),
    ...(hasTarget(backup) && instance.databaseUrl === null ? await checkBackedUp(ring, settings) : []),
  ]
}

/** Keys are for their owner only. */
const checkKeyFile = (path: string, mode: number): Finding =>
  (mode & 0o077) === 0
    ? fine('keys', 'for their owner only')
    : wrong('keys', 'others may read them', `chmod 600 ${path}`)

/** How many root keys there are, and whether the last rotation was done. */
function checkRing({ current, next, earlier }: RootKeyIds): readonly Finding[] {
  if (current === null) return [fine(about, 'none yet, the next start makes one')]
  const counted = earlier.length === 0 ? 'one' : `${earlier.length + 1}, of which ${earlier.length} from before`
  return [
    fine(about, `${counted}; ${current} is the current one`),
    ...(next === null
      ? []
      : [wrong(about, `the rotation to ${next} was not finished`, 'Finish it: clew keys rotate --root')]),
  ]
}

/** What is still under earlier root keys, where one that nothing uses can be retired, and what is under none. */
export function checkUses(ring: RootKeyIds, { rootKeys, lost }: RootKeysAnswer): readonly Finding[] {
  const known = [ring.current, ring.next, ...ring.earlier.map(({ id }) => id)].filter((id) => id !== null)
  const used = rootKeys.map(({ id }) => id)
  if (known.join() !== used.join())
    return [
      wrong(
        about,
        'the running instance has others than keys.json',
        'Put the right keys.json there, and start it again.',
      ),
    ]
  const uses = rootKeys.flatMap(({ id, replacedAt, contents }) => {
    if (replacedAt === null) return []
    if (contents.length === 0)
      return [fine(about, `nothing is under ${id}, replaced ${replacedAt}: forget it by clew keys retire ${id}`)]
    return [fine(about, `still under ${id}, replaced ${replacedAt}: ${render(contents)}`)]
  })
  const hint = 'Put the keys.json there that the data directory had, or store them anew; see docs/guide/security.md.'
  return lost.length === 0 ? uses : [...uses, wrong(about, `under none of them: ${render(lost)}`, hint)]
}

const render = (counts: readonly { readonly name: string; readonly count: number }[]): string =>
  counts.map(({ name, count }) => `${name}: ${count}`).join(', ')

/** Whether a restore of the newest backup brings every root key that something may be kept under. */
async function checkBackedUp(ring: RootKeyIds, { backup, instance }: Settings): Promise<readonly Finding[]> {
  const { passphrase } = backup
  if (passphrase === null)
    // `missingInProduction` says it there.
    return instance.production
      ? []
      : [wrong(about, 'backups leave them out', 'Give CLEW_BACKUP_PASSPHRASE, or keep keys.json yourself.')]
  try {
    const target = await openTarget(backup)
    try {
      return [checkRestored(ring, await readRestoredKeys(passphrase, { target, joinKeys: joinRoots }))]
    } finally {
      target.close()
    }
  } catch (error) {
    return [wrongBy(error, 'See docs/guide/backup.md.')]
  }
}

/** @param restored null where there is no backup */
export function checkRestored(
  { current, earlier }: RootKeyIds,
  restored: { readonly id: string; readonly keysJson: Buffer | null } | null,
): Finding {
  if (restored === null) return fine(about, 'no backup has them yet')
  const { id, keysJson } = restored
  const again = 'Make a backup: clew backup create'
  if (keysJson === null) return wrong(about, `the newest backup, ${id}, has no keys`, again)
  const brought = parseRootKeyIds(keysJson.toString(), `keys.json of ${id}`)
  const there = new Set([brought.current, ...brought.earlier.map((each) => each.id)])
  const missing = [current, ...earlier.map((each) => each.id)].filter((each) => each !== null && !there.has(each))
  return missing.length === 0
    ? fine(about, `a restore of the newest backup, ${id}, brings them`)
    : wrong(
        about,
        `a restore of the newest backup, ${id}, would lack ${missing.join(', ')}, and what is under it`,
        again,
      )
}

const unanswered = new Set(['CLEW_NOT_RUNNING', 'CLEW_CONSOLE_REFUSED'])

/** Null where its socket is another user's, which a check of production says, or an earlier version still runs. */
async function askRunning(data: string): Promise<RootKeysAnswer | null> {
  try {
    return await askRootKeys(data)
  } catch (error) {
    if (error instanceof ServiceError && unanswered.has(error.code)) return null
    throw error
  }
}

const wrongBy = (error: unknown, hint: string): Finding =>
  wrong(about, messageOf(error), error instanceof ServiceError ? error.hint : hint)
