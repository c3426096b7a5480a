import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { instanceError } from '../../errors.ts'
import { findVersionRecord, flushFolder, replaceFile } from './version-record.ts'

const PointSchema = Type.Object({
  id: Type.String(),
  at: Type.String(),
  /** The version that wrote the data; null where it is not known. */
  version: Type.Union([Type.String(), Type.Null()]),
  /** Whether it was kept before an upgrade, or set aside by a rollback. */
  reason: Type.Enum(['upgrade', 'rollback']),
  /** The version of the upgrade, or the one that the rollback went back to; null where it is not known. */
  other: Type.Union([Type.String(), Type.Null()]),
  /** What its files took as they were copied; files that it shares with the data directory are not counted. */
  copiedBytes: Type.Integer(),
  sharedBytes: Type.Integer(),
  /** Rows of the application's tables by their names. */
  rows: Type.Record(Type.String(), Type.Integer()),
  /** Tables whose rows were not counted, as they are too large. */
  largeTables: Type.Integer(),
  /** What the upgrade came to; null where it did not end. */
  result: Type.Union([
    Type.Null(),
    Type.Object({ at: Type.String(), version: Type.String(), checks: Type.Array(Type.String()) }),
  ]),
})

/** A state of the data directory that is kept beside the present one. */
export type RestorePoint = Readonly<Static<typeof PointSchema>>

const pointFile = 'point.json'
/** What is not whole yet, or not any more. */
const draftSuffix = '.draft'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const restorePointsFolder = (data: string): string => join(data, 'restore-points')
export const pointFolder = (data: string, id: string): string => join(restorePointsFolder(data), id)
/** Where the state of a restore point is, with the names that it has in the data directory. */
export const stateFolder = (data: string, id: string): string => join(pointFolder(data, id), 'state')
/** Where a restore point is made. */
export const draftFolder = (data: string, id: string): string => `${pointFolder(data, id)}${draftSuffix}`

/** A name that sorts by time, as `20260131T120000000Z`. */
export const pointId = (at: Date): string => at.toISOString().replace(/[-:.]/g, '')

/** The restore points of a data directory, the newest first. */
export async function listRestorePoints(data: string): Promise<readonly RestorePoint[]> {
  const names = await readdir(restorePointsFolder(data)).catch(ignoreMissing)
  const ids = (names ?? []).filter((name) => !name.endsWith(draftSuffix)).sort()
  const points = await Promise.all(ids.map((id) => readPoint(data, id)))
  return points.filter((point) => point !== null).reverse()
}

/** @throws CLEW_UPGRADE_NO_POINT */
export async function getRestorePoint(data: string, id: string): Promise<RestorePoint> {
  const found = (await listRestorePoints(data)).find((point) => point.id === id)
  if (found === undefined)
    throw instanceError('CLEW_UPGRADE_NO_POINT', { message: `${data} has no restore point ${id}.` })
  return found
}

export const writePoint = (folder: string, point: RestorePoint): Promise<void> =>
  replaceFile(join(folder, pointFile), `${JSON.stringify(point, null, 1)}\n`)

/** Gives a restore point that is whole its name. */
export async function publishPoint(data: string, id: string): Promise<void> {
  await rename(draftFolder(data, id), pointFolder(data, id))
  await flushFolder(restorePointsFolder(data))
}

/** Removes a restore point: one that is half removed is none. */
export async function removePoint(data: string, id: string): Promise<void> {
  await rename(pointFolder(data, id), draftFolder(data, id))
  await rm(draftFolder(data, id), { recursive: true, force: true })
}

/** Removes what a killed process has left: restore points that were being made or removed. */
export async function removeDrafts(data: string): Promise<void> {
  const names = (await readdir(restorePointsFolder(data)).catch(ignoreMissing)) ?? []
  for (const name of names.filter((each) => each.endsWith(draftSuffix)))
    await rm(join(restorePointsFolder(data), name), { recursive: true, force: true })
}

/**
 * Removes restore points that are older than so many days, but for that of an upgrade that is under way.
 *
 * @returns those that were removed
 */
export async function pruneRestorePoints(data: string, keepDays: number, now: Date): Promise<readonly RestorePoint[]> {
  const needed = (await findVersionRecord(data))?.upgrade?.restorePoint ?? null
  const oldestMs = now.getTime() - keepDays * dayMs
  const old = (await listRestorePoints(data)).filter(({ id, at }) => id !== needed && Date.parse(at) < oldestMs)
  for (const { id } of old) await removePoint(data, id)
  return old
}

/** Bytes that removing a restore point frees: those of files that nothing else has. */
export const bytesOfPoint = (data: string, id: string): Promise<number> => bytesOnlyIn(pointFolder(data, id), 1)

/**
 * Bytes that removing all restore points frees. They are counted anew when there are others, and once an hour: a file that a
 * restore point shares with the data directory is its own once it is replaced there.
 */
export function createPointsMeasure(data: string, now: () => Date): () => Promise<number> {
  let known: { readonly names: string; readonly atMs: number; readonly bytes: number } | null = null
  return async () => {
    const all = (await readdir(restorePointsFolder(data)).catch(ignoreMissing)) ?? []
    const names = all.sort().join()
    if (known?.names === names && now().getTime() - known.atMs < hourMs) return known.bytes
    const bytes = await bytesOnlyIn(restorePointsFolder(data), all.length)
    known = { names, atMs: now().getTime(), bytes }
    return bytes
  }
}

/** Bytes of files all of whose names are in a folder. @param mostNames that a file has there */
async function bytesOnlyIn(folder: string, mostNames: number): Promise<number> {
  let bytes = 0
  const seen = new Map<number, number>()
  for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true }).catch(ignoreMissing)) ?? []) {
    if (!entry.isFile()) continue
    // A running instance removes old ones meanwhile.
    const found = await stat(join(entry.parentPath, entry.name)).catch(ignoreMissing)
    if (found === null || found.nlink > mostNames) continue
    const names = (seen.get(found.ino) ?? 0) + 1
    if (found.nlink > 1) seen.set(found.ino, names)
    if (names === found.nlink) bytes += found.size
  }
  return bytes
}

/** Null for a folder that says nothing of a restore point. */
async function readPoint(data: string, id: string): Promise<RestorePoint | null> {
  const text = await readFile(join(pointFolder(data, id), pointFile), 'utf8').catch(ignoreMissing)
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(PointSchema, value) ? value : null
  } catch {
    return null
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
