import type { TaskOutput } from '../../../engines/threads/index.ts'
import { decompress } from '../../../ground/http/decompress.ts'
import { type MovedRecord, memoryOf, moveRecords } from '../capture/moved-record.ts'
import { analyticsError } from '../errors.ts'
import { type HistoryContext, type PlannedHistory, planHistory } from './plan-history.ts'

/** A batch of events of the past, packed by gzip, as it moves to a thread. */
export interface HistoryTask {
  readonly body: ArrayBuffer
  readonly limitBytes: number
  readonly maxLines: number
  readonly context: HistoryContext
}

/** What comes back: what goes into the spool, rendered. */
export type HistoryTaskValue = Omit<PlannedHistory, 'records'> & { readonly records: readonly MovedRecord[] }

/** Unpacks, reads and plans a batch in a thread. @throws CLEW_INGEST_ENCODING, CLEW_INGEST_TOO_LARGE */
export async function run({ body, limitBytes, maxLines, context }: HistoryTask): Promise<TaskOutput> {
  const lines = await linesOf(Buffer.from(body), limitBytes)
  if (lines.length > maxLines) throw analyticsError('CLEW_INGEST_TOO_LARGE', { details: `more than ${maxLines} lines` })
  const planned = planHistory(lines, context)
  const records = moveRecords(planned.records)
  const value: HistoryTaskValue = { ...planned, records }
  return { value, transfer: memoryOf(records) }
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
