import { rowsOf } from '../../../engines/spool/index.ts'
import type { ExceptionRecord } from '../../../ground/errors/exception-record.ts'
import { isObject } from '../../../ground/json/object.ts'
import { storableText } from '../../../ground/text/storable.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import type { Exception, Report } from '../exception/model.ts'

/** The records of blocks of a spool's lines; a line that is no record is left out. */
export const recordsOf = (blocks: readonly Buffer[]): readonly ExceptionRecord[] =>
  blocks.flatMap(rowsOf).flatMap((line) => {
    const record: unknown = JSON.parse(line.toString())
    // What was rendered by `renderException`, and is checked by its CRC.
    return isObject(record) && isObject(record.properties) ? [record as unknown as ExceptionRecord] : []
  })

/** An exception with its group, as it is stored. */
export interface GroupedException {
  readonly record: ExceptionRecord
  readonly report: Report
  readonly fingerprint: string
}

/** The columns of `exceptions`, in the order of a line's values. */
export const exceptionColumns = (
  'id client_time time received_at fingerprint source level handled release session_id window_id distinct_id user_id ' +
  'request_id url browser os exceptions steps'
).split(' ')

const longestUrl = 2000
const latestMs = Date.UTC(2299, 0)

/** A moment that both engines hold: those that a client's clock invents are moved to the nearest one. */
export const heldMs = (ms: number): number => Math.trunc(Math.min(Math.max(ms, 0), latestMs))

/** A row of `exceptions`; times are ticks of its columns, which are milliseconds. */
export const exceptionLine = ({ record, report, fingerprint }: GroupedException): string =>
  stringifyWellFormed([
    record.id,
    heldMs(record.clientTimeMs),
    heldMs(record.timeMs),
    heldMs(record.receivedAtMs),
    fingerprint,
    record.source,
    report.level,
    // Of what was thrown last: its causes were caught, or they would be no causes.
    report.exceptions[0]?.handled ?? false,
    report.release ?? '',
    record.sessionId,
    record.windowId,
    record.distinctId,
    record.userId,
    record.requestId,
    storableText(record.url, longestUrl),
    record.browser,
    record.os,
    JSON.stringify(report.exceptions satisfies readonly Exception[]),
    JSON.stringify(report.steps),
  ])
