import { rowsOf } from '../../../engines/spool/index.ts'
import { atOnce, type Consent, mayBeStored, type RowTimes } from '../../../ground/privacy/consent.ts'
import { frameColumns } from './frame-lines.ts'
import type { Evidence } from './observation.ts'
import { instantOf, requestColumns } from './request-lines.ts'

/** A row of values, as its line has it. */
type Values = readonly unknown[]

const place = (columns: readonly string[], name: string): number => columns.indexOf(name)

/** What ties a request to a session, and what stands there where nothing does. */
const untied: ReadonlyMap<number, unknown> = new Map<number, unknown>([
  ...['session_id', 'window_id', 'distinct_id', 'channel'].map((name) => [place(requestColumns, name), ''] as const),
  [place(requestColumns, 'exact'), false],
])

/**
 * Requests as they may be stored: those of visitors who have not consented belong to no session. A request without a
 * session is left as it is.
 */
export async function untieRequests(consent: Consent, blocks: readonly Buffer[]): Promise<readonly Buffer[]> {
  if (await consent.isOpen()) return blocks
  const session = place(requestColumns, 'session_id')
  const person = place(requestColumns, 'distinct_id')
  const time = place(requestColumns, 'time')
  const rows = blocks.map(readRows)
  const isTied = (row: Values): boolean => row[session] !== '' || row[person] !== ''
  const since = await consent.since(idsOf(rows.flat().filter(isTied), person))
  const mayBeTied = (row: Values): boolean => mayBeStored(since.get(String(row[person])), () => timeOf(row[time]))
  return rows.map((block) =>
    Buffer.from(
      block
        .map((row) => (isTied(row) && !mayBeTied(row) ? untie(row) : row))
        .map((row) => JSON.stringify(row))
        .join('\n'),
    ),
  )
}

/** A time as a number of milliseconds, or as ClickHouse writes it. */
const timeOf = (time: unknown): RowTimes => atOnce(typeof time === 'number' ? time : instantOf(String(time)).getTime())
const untie = (row: Values): Values => row.map((value, index) => (untied.has(index) ? untied.get(index) : value))

/** Messages of sockets as they may be stored: they are kept for their sessions alone. */
export async function withholdFrames(consent: Consent, blocks: readonly Buffer[]): Promise<readonly Buffer[]> {
  if (await consent.isOpen()) return blocks
  const person = place(frameColumns, 'distinct_id')
  const time = place(frameColumns, 'time')
  const rows = blocks.map(readRows)
  const since = await consent.since(idsOf(rows.flat(), person))
  return rows.flatMap((block) => {
    const left = block.filter((row) => mayBeStored(since.get(String(row[person])), () => timeOf(row[time])))
    return left.length === 0 ? [] : [Buffer.from(left.map((row) => JSON.stringify(row)).join('\n'))]
  })
}

/** Evidence of who was in which session, as it may be stored; that a user signed out is none. */
export async function withholdEvidence(consent: Consent, evidence: readonly Evidence[]): Promise<readonly Evidence[]> {
  if (await consent.isOpen()) return evidence
  const idOf = (one: Evidence): string | null => (one.kind === 'signed_out' ? null : (one.distinctId ?? ''))
  const since = await consent.since([...new Set(evidence.map(idOf))].filter((id) => id !== null))
  return evidence.filter((one) => {
    const id = idOf(one)
    return id === null || mayBeStored(since.get(id), () => atOnce(one.at.getTime()))
  })
}

// An Int64 among them would lose digits; the columns have none.
const readRows = (block: Buffer): readonly Values[] => rowsOf(block).map((line) => JSON.parse(line.toString()))
const idsOf = (rows: readonly Values[], person: number): readonly string[] => [
  ...new Set(rows.map((row) => String(row[person]))),
]
