import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from '../target/target.ts'

const Lsn = Type.String({ pattern: '^[0-9A-F]+/[0-9A-F]+$' })

const StretchSchema = Type.Object({
  id: Type.String(),
  systemId: Type.String(),
  timeline: Type.Integer(),
  segmentBytes: Type.Integer({ minimum: 1_048_576 }),
  fromLsn: Lsn,
  untilLsn: Lsn,
  /** Everything that was committed by then is before `untilLsn`; null while the first of it is kept. */
  untilAt: Type.Union([Type.String(), Type.Null()]),
  /** Why it does not go on; null while it may. */
  ended: Type.Union([Type.String(), Type.Null()]),
})

/**
 * A stretch of PostgreSQL's log without a gap, of one timeline. Its id begins with when it was begun, as those of backups do,
 * and its segments are in a folder of its own: the log of a data directory that was put back cannot mix with it.
 */
export type Stretch = Readonly<Static<typeof StretchSchema>>

const SinceSchema = Type.Object({ lsn: Lsn })

const folder = 'wal/'
const ending = '.json'
const pieceOf = (id: string): string => `${folder}${id}${ending}`
/** Written by clean-ups alone, as the record is by the process that keeps the log. */
const sincePieceOf = (id: string): string => `wal-since/${id}${ending}`

export async function writeStretch(target: BackupTarget, stretch: Stretch): Promise<void> {
  await target.put(pieceOf(stretch.id), Buffer.from(JSON.stringify(stretch, null, 1)))
  await target.settle()
}

/** The stretches, the oldest first. @throws CLEW_BACKUP_DAMAGED */
export async function listStretches(target: BackupTarget): Promise<readonly Stretch[]> {
  const ids: string[] = []
  for await (const { name } of target.list(folder))
    if (name.endsWith(ending)) ids.push(name.slice(folder.length, -ending.length))
  return Promise.all(ids.sort().map((id) => readStretch(target, id)))
}

async function readStretch(target: BackupTarget, id: string): Promise<Stretch> {
  const value = parse((await target.get(pieceOf(id))).toString())
  if (Value.Check(StretchSchema, value) && value.id === id) return value
  throw backupsError('CLEW_BACKUP_DAMAGED', { message: `The record ${pieceOf(id)} of the log is damaged.` })
}

/** The place before which a clean-up has removed a stretch's log; null where it is whole. @throws CLEW_BACKUP_DAMAGED */
export async function readSince(target: BackupTarget, id: string): Promise<string | null> {
  if (!(await target.has(sincePieceOf(id)))) return null
  const value = parse((await target.get(sincePieceOf(id))).toString())
  if (Value.Check(SinceSchema, value)) return value.lsn
  throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${sincePieceOf(id)} is damaged.` })
}

export const writeSince = (target: BackupTarget, id: string, lsn: string): Promise<void> =>
  target.put(sincePieceOf(id), Buffer.from(JSON.stringify({ lsn })))

export async function removeStretch(target: BackupTarget, id: string): Promise<void> {
  await target.remove(pieceOf(id))
  await target.remove(sincePieceOf(id))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
