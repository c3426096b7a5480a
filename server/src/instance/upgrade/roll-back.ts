import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { instanceError } from '../../errors.ts'
import {
  draftFolder,
  getRestorePoint,
  listRestorePoints,
  pointFolder,
  pointId,
  publishPoint,
  type RestorePoint,
  removePoint,
  restorePointsFolder,
  stateFolder,
  writePoint,
} from './restore-points.ts'
import { stateNames } from './state-files.ts'
import { findVersionRecord, flushFolder, replaceFile } from './version-record.ts'

const JournalSchema = Type.Object({
  /** The restore point that becomes the present state. */
  to: Type.String(),
  /** The version that wrote it; null where it is not known. */
  toVersion: Type.Union([Type.String(), Type.Null()]),
  /** The restore point that the present state becomes. */
  aside: Type.String(),
  /** Whether the present state is removed in the end. */
  discards: Type.Boolean(),
  /** Names of the present state. */
  present: Type.Array(Type.String()),
  /** Names of the kept state. */
  kept: Type.Array(Type.String()),
  /** Of the state that is set aside. */
  version: Type.Union([Type.String(), Type.Null()]),
})

type Journal = Readonly<Static<typeof JournalSchema>>

export interface RollBackInput {
  /** The restore point to go back to; null for the newest that was kept before an upgrade. */
  readonly id: string | null
  /** Removes the present state, which is set aside otherwise. */
  readonly discards: boolean
}

/** What a rollback came to. */
export interface RolledBack {
  readonly to: Pick<RestorePoint, 'id' | 'version'>
  /** The restore point that the state of before is now; null where it was removed. */
  readonly aside: string | null
}

const journalOf = (data: string): string => join(data, 'rollback.json')

/** Whether a rollback has begun and not ended: the data directory is between two states. */
export const hasUnfinishedRollBack = (data: string): Promise<boolean> => exists(journalOf(data))

/**
 * Makes a restore point the state of a data directory, on which no process runs. A journal says what is to be renamed: the
 * next call finishes a rollback that was interrupted, even where it names another restore point.
 *
 * @param now  names the state that is set aside
 * @param step called before each change of the disk
 * @throws CLEW_UPGRADE_NO_POINT
 */
export async function rollBack(
  data: string,
  input: RollBackInput,
  now: Date,
  step: () => void = () => undefined,
): Promise<RolledBack> {
  const journal = (await findJournal(data)) ?? (await begin(data, input, now, step))
  const { to, aside, discards, present, kept } = journal
  const asideState = join(draftFolder(data, aside), 'state')
  // Once it has its name, all of the present state was moved.
  if (!(await exists(pointFolder(data, aside)))) {
    step()
    await mkdir(asideState, { recursive: true, mode: 0o700 })
    for (const name of present) {
      if (await exists(join(asideState, name))) continue
      step()
      await rename(join(data, name), join(asideState, name))
    }
    step()
    await writePoint(draftFolder(data, aside), pointOf(journal, now))
    await flushFolder(asideState)
    step()
    await publishPoint(data, aside)
  }
  for (const name of kept) {
    const from = join(stateFolder(data, to), name)
    if (!(await exists(from))) continue
    step()
    await rename(from, join(data, name))
  }
  await flushFolder(data)
  // It is empty by now, and none any more.
  if (await exists(pointFolder(data, to))) {
    step()
    await rename(pointFolder(data, to), draftFolder(data, to))
  }
  step()
  await rm(journalOf(data))
  await flushFolder(data)
  step()
  await rm(draftFolder(data, to), { recursive: true, force: true })
  if (discards) {
    step()
    await removePoint(data, aside)
  }
  return { to: { id: to, version: journal.toVersion }, aside: discards ? null : aside }
}

async function begin(data: string, { id, discards }: RollBackInput, now: Date, step: () => void): Promise<Journal> {
  const point = id === null ? await newestOfUpgrade(data) : await getRestorePoint(data, id)
  const journal: Journal = {
    ...{ to: point.id, toVersion: point.version, aside: pointId(now), discards },
    present: [...(await stateNames(data))],
    kept: [...(await stateNames(stateFolder(data, point.id)))],
    version: (await findVersionRecord(data))?.version ?? null,
  }
  await rm(draftFolder(data, journal.aside), { recursive: true, force: true })
  await mkdir(restorePointsFolder(data), { recursive: true, mode: 0o700 })
  step()
  await replaceFile(journalOf(data), JSON.stringify(journal))
  return journal
}

async function newestOfUpgrade(data: string): Promise<RestorePoint> {
  const found = (await listRestorePoints(data)).find(({ reason }) => reason === 'upgrade')
  if (found === undefined)
    throw instanceError('CLEW_UPGRADE_NO_POINT', { message: `${data} has no restore point of an upgrade.` })
  return found
}

const pointOf = ({ aside, version, toVersion }: Journal, now: Date): RestorePoint => ({
  ...{ id: aside, at: now.toISOString(), version, reason: 'rollback', other: toVersion },
  ...{ copiedBytes: 0, sharedBytes: 0, rows: {}, largeTables: 0, result: null },
})

async function findJournal(data: string): Promise<Journal | null> {
  const text = await readFile(journalOf(data), 'utf8').catch(ignoreMissing)
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  // It is written whole or not at all.
  if (!Value.Check(JournalSchema, value)) throw new Error(`${journalOf(data)} is no journal of a rollback.`)
  return value
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(ignoreMissing)) !== null

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
