import { issuesError } from '../errors.ts'
import { levels } from '../exception/model.ts'
import type { CountsRow, ExceptionRow, TimeParts } from '../store/exceptions.ts'
import type { IssueRow, IssuesPlace } from '../store/issues.ts'
import type { ExceptionSummary, IssueSummary, ranges } from './schemas.ts'

type Range = (typeof ranges)[number]

const hourMs = 3_600_000
const parts: Readonly<Record<Range, Omit<TimeParts, 'from'>>> = {
  '24h': { parts: 24, partMs: hourMs },
  '7d': { parts: 28, partMs: 6 * hourMs },
  '30d': { parts: 30, partMs: 24 * hourMs },
}

/** The time of a range: its last part is the one that is not over. */
export function timeOf(range: Range, now: Date): TimeParts {
  const { parts: count, partMs } = parts[range]
  const end = (Math.floor(now.getTime() / partMs) + 1) * partMs
  return { from: new Date(end - count * partMs), parts: count, partMs }
}

export const instantOfMs = (ms: string): string => new Date(Number(ms)).toISOString()

export type Counts = Pick<IssueSummary, 'events' | 'people' | 'sessions' | 'parts'>

export function renderCounts(row: CountsRow | undefined, range: Range): Counts {
  const inParts = new Array<number>(parts[range].parts).fill(0)
  const [numbers, counts] = row?.parts ?? [[], []]
  for (const [index, number] of numbers.entries()) if (number in inParts) inParts[number] = Number(counts[index])
  return {
    events: Number(row?.events ?? 0),
    people: Number(row?.people ?? 0),
    sessions: Number(row?.sessions ?? 0),
    parts: inParts,
  }
}

export const renderIssue = (row: IssueRow, counts: Counts): IssueSummary => ({
  id: row.id,
  title: row.title,
  culprit: row.culprit,
  level: row.level,
  source: row.source,
  state: row.state,
  firstSeenAt: row.firstSeenAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  firstRelease: row.firstRelease,
  lastRelease: row.lastRelease,
  assignedTo: row.assignedTo,
  cameBackAt: row.cameBackAt?.toISOString() ?? null,
  ...counts,
})

const orNull = (text: string): string | null => (text === '' ? null : text)

export const renderException = (row: ExceptionRow): ExceptionSummary => ({
  id: row.id,
  at: instantOfMs(row.time_ms),
  source: row.source,
  level: levels.find((level) => level === row.level) ?? 'error',
  handled: row.handled,
  release: orNull(row.release),
  sessionId: orNull(row.session_id),
  windowId: orNull(row.window_id),
  distinctId: orNull(row.distinct_id),
  userId: orNull(row.user_id),
  requestId: orNull(row.request_id),
  url: orNull(row.url),
  browser: orNull(row.browser),
  os: orNull(row.os),
})

/** A place in a list as a page's `next`. */
export const writePlace = (value: number, id: string): string => `${value}.${id}`

const place = /^(?<value>\d{1,15})\.(?<id>[0-9A-Za-z-]{1,100})$/

/** @throws CLEW_ISSUES_CURSOR */
export function readPlace(text: string): IssuesPlace {
  const found = place.exec(text)?.groups
  if (found?.value === undefined || found.id === undefined) throw issuesError('CLEW_ISSUES_CURSOR')
  return { value: Number(found.value), id: found.id }
}
