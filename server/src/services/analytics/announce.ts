import { rowsOf } from '../../engines/spool/index.ts'
import { announceSessions, type LiveNotices } from '../../ground/model/live.ts'
import { sessionIdOfEventLine } from './event/event-line.ts'

/** Announces events that were stored, and their sessions. */
export function announceEvents(live: LiveNotices, blocks: readonly Buffer[]): void {
  live.announce('events')
  announceSessions(live, () => blocks.flatMap(rowsOf).map(sessionIdOfEventLine))
}

/** Announces the sessions of parts of recordings that were stored. */
export function announceSnapshots(live: LiveNotices, blocks: readonly Buffer[]): void {
  announceSessions(live, () => {
    const ids = blocks.flatMap(rowsOf).map(sessionIdOfSnapshotLine)
    for (const id of new Set(ids)) if (id !== null) live.announce(`recording:${id}`)
    return ids
  })
}

const longestHead = 128

/** The session stands first in a line, in characters that need no escape. */
const sessionIdOfSnapshotLine = (line: Buffer): string | null =>
  /^\{"session_id":"([A-Za-z0-9-]*)"/.exec(line.toString('latin1', 0, longestHead))?.[1] ?? null
