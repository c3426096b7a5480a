import { rowsOf } from '../../../engines/spool/index.ts'
import { announceSessions, type LiveNotices } from '../../../ground/model/live.ts'
import { frameColumns } from './frame-lines.ts'
import { logColumns } from './log-lines.ts'
import { requestColumns } from './request-lines.ts'

/** Announces requests that were stored, and their sessions. */
export function announceRequests(live: LiveNotices, blocks: readonly Buffer[]): void {
  live.announce('requests')
  announceSessions(live, () => valuesOf(blocks, requestColumns.indexOf('session_id')))
}

/** Announces the sessions of frames that were stored. */
export const announceFrames = (live: LiveNotices, blocks: readonly Buffer[]): void =>
  announceSessions(live, () => valuesOf(blocks, frameColumns.indexOf('session_id')))

/** Announces the functions of lines that were stored. */
export function announceLogs(live: LiveNotices, blocks: readonly Buffer[]): void {
  if (!live.isWatched('function-logs')) return
  const names = new Set(valuesOf(blocks, logColumns.indexOf('name')))
  for (const name of names) live.announce(`function-logs:${name}`)
}

/** The values of one column; lines are lists of values. */
const valuesOf = (blocks: readonly Buffer[], column: number): readonly string[] =>
  blocks.flatMap(rowsOf).map((row) => String((JSON.parse(row.toString()) as readonly unknown[])[column]))
