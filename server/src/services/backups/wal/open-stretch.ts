import { formatLsn, parseLsn } from '../../../engines/postgres/index.ts'
import { backupsError } from '../errors.ts'
import { idOf } from '../keep.ts'
import type { BackupTarget } from '../target/target.ts'
import { listParts, readSegment, type WalPart } from './parts.ts'
import { segmentOf, startOf } from './segments.ts'
import {
  createSlotStatement,
  dropSlotStatement,
  readSlotStatement,
  readWalStatement,
  type SlotFacts,
  type WalFacts,
  type WalServer,
} from './slot.ts'
import { listStretches, type Stretch, writeStretch } from './stretch.ts'

/** A stretch that goes on, and what is kept of the segment in which it does. */
export interface OpenStretch {
  readonly stretch: Stretch
  readonly parts: readonly WalPart[]
  readonly beginning: Buffer
}

/**
 * Finds the stretch that a server's log continues, or begins one: then the stretch of before ends, with the reason.
 *
 * @throws CLEW_BACKUP_BUSY where another process keeps the log; CLEW_BACKUP_TARGET, CLEW_BACKUP_DAMAGED
 */
export async function openStretch(server: WalServer, target: BackupTarget, now: () => Date): Promise<OpenStretch> {
  const slot = await takeSlot(server)
  const facts = await readWalFacts(server)
  const last = (await listStretches(target)).at(-1)
  const reason = last === undefined ? null : (last.ended ?? whyItEnds(last, slot, facts))
  if (last !== undefined && reason === null) return resume(last, target)
  if (last !== undefined && last.ended === null) await writeStretch(target, { ...last, ended: reason })
  const { systemId, timeline, segmentBytes } = facts
  const start = formatLsn(startOf(segmentOf(parseLsn(slot.restartLsn), segmentBytes), segmentBytes))
  const place = { fromLsn: start, untilLsn: start, untilAt: null, ended: null }
  const stretch = { id: idOf(now()), systemId, timeline, segmentBytes, ...place }
  // Before its first part, which would belong to none otherwise.
  await writeStretch(target, stretch)
  return { stretch, parts: [], beginning: Buffer.alloc(0) }
}

/** @throws CLEW_BACKUP_BUSY */
async function takeSlot(server: WalServer): Promise<SlotFacts & { readonly restartLsn: string }> {
  const read = async (): Promise<SlotFacts | undefined> => (await server.query<SlotFacts>(readSlotStatement()))[0]
  const found = await read()
  if (found?.isActive === true)
    throw backupsError('CLEW_BACKUP_BUSY', { message: 'Another process keeps the log of this instance.' })
  if (found !== undefined && found.restartLsn === null) await server.query(dropSlotStatement())
  if (found === undefined || found.restartLsn === null) await server.query(createSlotStatement())
  const slot = await read()
  if (slot === undefined || slot.restartLsn === null) throw new Error('The replication slot was lost as it was made.')
  return { ...slot, restartLsn: slot.restartLsn }
}

export async function readWalFacts(server: WalServer): Promise<WalFacts> {
  const [facts] = await server.query<WalFacts>(readWalStatement())
  if (facts === undefined) throw new Error('The server does not know where its log is.')
  return facts
}

/** Why a stretch does not go on with the log that a server has; null where it does. */
function whyItEnds(
  { systemId, timeline, untilLsn, segmentBytes }: Stretch,
  { restartLsn, keeps }: Pick<SlotFacts, 'keeps'> & { readonly restartLsn: string },
  facts: WalFacts,
): string | null {
  if (systemId !== facts.systemId) return 'Another instance took its place.'
  if (timeline !== facts.timeline) return 'The instance was restored from a backup.'
  if (parseLsn(facts.flushedLsn) < parseLsn(untilLsn)) return putBack
  const needed = startOf(segmentOf(parseLsn(untilLsn), segmentBytes), segmentBytes)
  if (parseLsn(restartLsn) < needed + BigInt(segmentBytes)) return null
  return `PostgreSQL had no more of the log after ${untilLsn}: it holds ${keeps} (max_slot_wal_keep_size) while nothing keeps it.`
}

/** The end of a stretch whose log is another one by now. */
export const putBack = 'An earlier state of the data directory was put back.'

async function resume(stretch: Stretch, target: BackupTarget): Promise<OpenStretch> {
  const segment = segmentOf(parseLsn(stretch.untilLsn), stretch.segmentBytes)
  const parts = (await listParts(target, stretch.id)).filter((part) => part.segment === segment)
  return { stretch, parts, beginning: await readSegment(target, stretch.id, parts) }
}
