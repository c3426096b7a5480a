import type { Change, Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import { rowName } from '../../../thread/change-lines.tsx'
import { plainSql } from '../../../thread/sql/plain-sql.ts'

/** The kinds of moments that the thread list can be filtered by; it always has pages, errors and custom events. */
export const chips = ['clicks', 'api', 'rows', 'live', 'server', 'console'] as const

/** One of `chips`. */
export type ChipName = (typeof chips)[number]

/** The chips that are on at first. */
export const defaultChips: readonly ChipName[] = ['clicks', 'api', 'rows', 'live', 'server']

/** Whether one of the team's own servers told it. */
export const isOfServer = ({ kind }: Pick<Moment, 'kind'>): boolean => kind === 'span' || kind === 'log'

/** The chips of a session: that of servers only where they told something. */
export const chipsOf = (hasServers: boolean): readonly ChipName[] =>
  chips.filter((chip) => chip !== 'server' || hasServers)

/** A click announces itself up to this much early: links carry tenths of seconds. */
const EARLY_MS = 60

/**
 * The moments of the thread list: those of the chosen tracks that hold the text.
 *
 * @param text looked for in labels, paths, SQL, row names and values; upper and lower case are one
 */
export function filterMoments(moments: readonly Moment[], on: readonly ChipName[], text: string): readonly Moment[] {
  const wanted = text.trim().toLowerCase()
  return moments.filter((moment) => isInTracks(moment, on) && (wanted === '' || momentText(moment).includes(wanted)))
}

function isInTracks(moment: Moment, on: readonly ChipName[]): boolean {
  const hasRequests = moment.requests.length > 0
  if (hasRequests && on.includes('api')) return true
  if (on.includes('rows') && moment.requests.some((request) => request.changes.length > 0)) return true
  switch (moment.kind) {
    case 'click':
    case 'input':
      return on.includes('clicks')
    case 'frame':
      return on.includes('live')
    case 'span':
    case 'log':
      return on.includes('server')
    case 'console':
      return on.includes('console') || moment.level === 'error'
    case 'event':
      // What posthog-js captures by itself stands in the tracks already, as clicks and pages.
      return !moment.label.startsWith('$') || moment.label === '$identify'
    case 'request':
      return false
    case 'page':
    case 'exception':
    case 'gap':
      return true
    default:
      return moment.kind satisfies never
  }
}

const texts = new WeakMap<Moment, string>()

/** Everything a moment can be found by, in lower case. */
function momentText(moment: Moment): string {
  const known = texts.get(moment)
  if (known !== undefined) return known
  const { topic = '', direction = '' } = moment.frame ?? {}
  const served = [...(moment.spans ?? []).flatMap(({ name, service }) => [name, service]), moment.log?.service ?? '']
  const text = [moment.kind, moment.label, topic, direction, ...served, ...moment.requests.flatMap(requestTexts)]
    .join('\n')
    .toLowerCase()
  texts.set(moment, text)
  return text
}

function requestTexts(request: RequestMoment): readonly string[] {
  return [
    `${request.method} ${request.path}?${request.query} ${request.status} ${request.errorCode ?? ''}`,
    ...request.statements.map((statement) => statement.text),
    ...request.changes.map((change) => `${rowName(change)} ${change.operation} ${describeChange(change)}`),
  ]
}

/** A moment's place in time. */
export type Timed = Pick<Moment, 'id' | 'atMs' | 'kind'>

/**
 * The moment that stands at a time, by its place in the list.
 *
 * @returns -1 before the first
 */
export function momentAt(moments: readonly Timed[], nowMs: number): number {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle]?.atMs ?? 0) <= nowMs) low = middle + 1
    else high = middle
  }
  for (let index = low; index < moments.length; index += 1) {
    const moment = moments[index]
    if (!moment || moment.atMs > nowMs + EARLY_MS) break
    if (moment.kind === 'click') return index
  }
  return low - 1
}

/** The next or the previous moment as seen from the one that stands now. */
export function stepMoment(moments: readonly Moment[], current: number, nowMs: number, by: 1 | -1): Moment | undefined {
  const here = moments[current]
  // Some way into a moment, back means to its beginning.
  if (by === -1 && here && nowMs - here.atMs > 1000) return here
  return moments[current + by]
}

/** A change in a line: `stock 12 → 11` for an update, the most telling values for the others. */
export function describeChange(change: Change): string {
  if (change.operation === 'update') {
    return change.columns
      .map((column) => {
        const before = change.old?.[column]
        // Who may not see values sees which columns changed.
        if (before === undefined && change.new?.[column] === undefined) return column
        const after = show(change.new?.[column])
        return before === undefined ? `${column} → ${after}` : `${column} ${show(before)} → ${after}`
      })
      .join(', ')
  }
  const values = Object.entries((change.operation === 'delete' ? change.old : change.new) ?? {})
  return values
    .filter(([column, value]) => !(column in change.key) && isTelling(column, value))
    .slice(0, 3)
    .map(([column, value]) => `${column} ${show(value)}`)
    .join(', ')
}

/** Times and ids of other rows tell little in one line; they stand in the drawer. */
function isTelling(column: string, value: string | null): boolean {
  return value !== null && value !== '' && !/(_id|_at|_on)$|^(id|uuid)$/.test(column)
}

function show(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'null'
  return value.length > 40 ? `${value.slice(0, 39)}…` : value
}

/**
 * SQL as it fits a line: in one line, without the frame REST puts around it, names as a person writes them: of one table
 * without its name. The whole text stands in the drawer.
 */
export function shortSql(text: string): string {
  const line = plainSql(text)
    .replace(/\s+/g, ' ')
    .replace(/ limit \$\d+ offset \$\d+$/i, '')
    .replace(/"([a-z_][a-z0-9_]*)"/g, '$1')
    .replace(/\bpublic\./g, '')
  const [, table] = /\b(?:from|into|update) ((?:\w+\.)?\w+)/i.exec(line) ?? []
  return table === undefined || / join | lateral /i.test(line) ? line : line.replaceAll(`${table}.`, '')
}

/** A row's name as it fits a line: other schemas than `public` are named, long keys cut. */
export function shortRowName({ schema, table, key }: Pick<Change, 'schema' | 'table' | 'key'>): string {
  const short = Object.fromEntries(
    Object.entries(key).map(([column, value]) => [
      column,
      value && value.length > 12 ? `${value.slice(0, 8)}…` : value,
    ]),
  )
  return rowName({ table: schema === 'public' ? table : `${schema}.${table}`, key: short })
}

/** Whether a request went wrong: refused or failed. */
export function isBad({ status, link }: Pick<RequestMoment, 'status' | 'link'>): boolean {
  return status >= 400 && status !== 499 && !link.foreign
}

/** A moment in words. */
export function describeMoment(moment: Moment | undefined): string {
  if (!moment) return ''
  const [request] = moment.requests
  if (moment.kind === 'request' && request) return `${request.method} ${request.path}, ${request.status}`
  if (moment.frame) return `${moment.frame.direction} ${moment.label}`
  if (isOfServer(moment)) return `server ${moment.label}`
  return `${moment.kind} ${moment.label}`
}

/** The last moment of the session's own: a stranger may send its id at any later time. */
export const lastOwn = (moments: readonly Moment[]): Moment | undefined =>
  moments.findLast(({ requests, frame }) => !requests.some(({ link }) => link.foreign) && !frame?.link.foreign)
