import { renderRecord } from '../../../engines/spool/index.ts'
import { movable, type TaskOutput } from '../../../engines/threads/index.ts'
import { decompress } from '../../../ground/http/decompress.ts'
import type { PlannedRecord } from '../capture/task.ts'
import { analyticsError } from '../errors.ts'
import { placeOf } from '../targets.ts'
import { type HistoryContext, type PlannedHistory, planHistory } from './plan-history.ts'

/** A batch of events of the past, packed by gzip, as it moves to a thread. */
export interface HistoryTask {
  readonly body: ArrayBuffer
  readonly limitBytes: number
  readonly maxLines: number
  readonly context: HistoryContext
}

/** What comes back: what goes into the spool, rendered. */
export type HistoryTaskValue = Omit<PlannedHistory, 'records'> & { readonly records: readonly PlannedRecord[] }

/** Unpacks, reads and plans a batch in a thread. @throws CLEW_INGEST_ENCODING, CLEW_INGEST_TOO_LARGE */
export async function run({ body, limitBytes, maxLines, context }: HistoryTask): Promise<TaskOutput> {
  const lines = await linesOf(Buffer.from(body), limitBytes)
  if (lines.length > maxLines) throw analyticsError('CLEW_INGEST_TOO_LARGE', { details: `more than ${maxLines} lines` })
  const planned = planHistory(lines, context)
  const records = planned.records.map((record): PlannedRecord => {
    const { target, rows } = record
    return { target, rows, frame: movable(renderRecord(placeOf(target), record)) }
  })
  const value: HistoryTaskValue = { ...planned, records }
  return { value, transfer: records.map(({ frame }) => frame) }
}

/** The lines of a packed body. @throws CLEW_INGEST_ENCODING, CLEW_INGEST_TOO_LARGE */
export async function linesOf(packed: Buffer, limitBytes: number): Promise<readonly string[]> {
  const unpacked = await decompress('gzip', packed, limitBytes)
  if (unpacked.kind === 'too_large') throw analyticsError('CLEW_INGEST_TOO_LARGE')
  if (unpacked.kind === 'damaged') throw analyticsError('CLEW_INGEST_ENCODING')
  return unpacked.bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '')
}
