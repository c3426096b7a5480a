import type { Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import type { Span } from '../../../player/timeline.ts'
import type { Mark, Track } from '../../../player/tracks/marks.ts'
import { rowName } from '../../../thread/change-lines.tsx'
import { formatDuration } from '../../../ui/time-text.ts'
import type { TimedNote } from '../notes/notes.ts'
import { type ChipName, describeChange, isBad, isOfServer } from './moments.ts'

/** What the tracks show. */
interface TracksInput {
  readonly moments: readonly Moment[]
  /** Those that fit the filter of the list: only their marks are drawn. Pages are where the others stand, and stay. */
  readonly shown: readonly Moment[]
  /** What operators wrote: a track of their own, where there are some. */
  readonly notes?: readonly TimedNote[]
  readonly on: readonly ChipName[]
  /** Stretches in which nothing happened, apart. */
  readonly idle: readonly Span[]
  /** The axis' length; the last page lasts until there. */
  readonly durationMs: number
}

/** The tracks under the picture: what happened when, in one picture, as far as the list beside it shows it. */
export function tracksOf({ moments, shown, notes = [], on, idle, durationMs }: TracksInput): readonly Track[] {
  const requests = shown.flatMap((moment) => moment.requests.map((request) => ({ request, cause: moment.id })))
  const tracks: readonly (Track & { readonly chip?: ChipName })[] = [
    { id: 'pages', label: 'pages', marks: [...pageMarks(moments, durationMs), ...idle.map(gapMark)] },
    { id: 'clicks', label: 'clicks', chip: 'clicks', marks: shown.flatMap(clickMarks) },
    { id: 'api', label: 'api', chip: 'api', marks: requests.map(({ request, cause }) => requestMark(request, cause)) },
    {
      id: 'rows',
      label: 'rows',
      chip: 'rows',
      marks: requests.flatMap(({ request, cause }) => rowMarks(request, cause)),
    },
    { id: 'live', label: 'live', chip: 'live', marks: shown.flatMap(frameMarks) },
    ...(moments.some(isOfServer)
      ? [{ id: 'server', label: 'server', chip: 'server' as const, marks: shown.flatMap(serverMarks) }]
      : []),
    { id: 'console', label: 'console', chip: 'console', marks: shown.flatMap(consoleMarks) },
    { id: 'errors', label: 'errors', marks: errorMarks(shown) },
    ...(notes.length === 0 ? [] : [{ id: 'notes', label: 'notes', marks: notes.map(noteMark) }]),
  ]
  return tracks
    .filter(({ chip }) => chip === undefined || on.includes(chip))
    .map(({ id, label, marks }) => ({ id, label, marks: marks.toSorted((a, b) => a.atMs - b.atMs) }))
}

/**
 * The stretches in which nothing happened, apart and by time: the server and the recording may both have noticed them.
 *
 * @param recorded those that the recording shows
 */
export function idleSpans(moments: readonly Moment[], recorded: readonly Span[]): readonly Span[] {
  const gaps = moments.flatMap((moment) =>
    moment.kind === 'gap' && moment.untilMs !== null ? [{ fromMs: moment.atMs, toMs: moment.untilMs }] : [],
  )
  return mergeSpans([...gaps, ...recorded])
}

function pageMarks(moments: readonly Moment[], durationMs: number): readonly Mark[] {
  const pages = moments.filter((moment) => moment.kind === 'page')
  return pages.map((page, index) => ({
    id: page.id,
    look: 'segment',
    atMs: page.atMs,
    untilMs: pages[index + 1]?.atMs ?? durationMs,
    label: page.label,
    cause: page.id,
  }))
}

const noteMark = ({ id, atMs, text, createdBy }: TimedNote): Mark => ({
  id,
  look: 'flag',
  atMs,
  cause: id,
  label: `${createdBy}: ${text.length > 100 ? `${text.slice(0, 99)}…` : text}`,
})

const gapMark = ({ fromMs, toMs }: Span): Mark => ({
  id: `gap ${fromMs} ${toMs}`,
  look: 'gap',
  atMs: fromMs,
  untilMs: toMs,
  label: `Nothing happened for ${formatDuration(toMs - fromMs)}`,
  cause: `gap ${fromMs}`,
})

/** Overlapping stretches are one. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1)
    if (last && span.fromMs <= last.toMs) {
      merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) }
    } else {
      merged.push(span)
    }
  }
  return merged
}

function clickMarks(moment: Moment): readonly Mark[] {
  if (moment.kind !== 'click' && moment.kind !== 'input') return []
  const label = moment.kind === 'click' ? `Click ${moment.label}` : `Typed in ${moment.label}`
  return [{ id: moment.id, look: 'dot', atMs: moment.atMs, label, cause: moment.id }]
}

function requestMark(request: RequestMoment, cause: string): Mark {
  const { id, atMs, durationMs, method, path, status } = request
  return { id, look: 'bar', atMs, durationMs, bad: isBad(request), label: `${method} ${path} ${status}`, cause }
}

const rowLooks = { insert: 'plus', update: 'tilde', delete: 'minus', truncate: 'minus' } as const

function rowMarks(request: RequestMoment, cause: string): readonly Mark[] {
  const startedAt = Date.parse(request.at)
  return request.changes.map((change) => ({
    id: change.id,
    look: rowLooks[change.operation],
    // A change carries the wall clock of its commit; the request ties both clocks together.
    atMs: request.atMs + Math.max(0, Date.parse(change.at) - startedAt || 0),
    label: `${rowName(change)} ${describeChange(change)}`,
    cause,
  }))
}

function frameMarks({ id, atMs, label, frame }: Moment): readonly Mark[] {
  if (!frame) return []
  const verb = frame.direction === 'sent' ? 'Sent' : 'Received'
  return [{ id, look: 'dot', atMs, label: `${verb} ${label} in ${frame.topic}`, cause: id }]
}

function serverMarks({ id, atMs, label, spans, log }: Moment): readonly Mark[] {
  const [root] = spans ?? []
  if (root) {
    const bad = spans?.some(({ status }) => status === 'error') === true
    const name = `${root.service} ${label} ${formatDuration(root.durationMs)}`.trim()
    return [{ id, look: 'bar', atMs, durationMs: root.durationMs, bad, label: name, cause: id }]
  }
  if (!log) return []
  return [{ id, look: 'dot', atMs, label: `${log.level}: ${label}`, cause: id }]
}

function consoleMarks(moment: Moment): readonly Mark[] {
  if (moment.kind !== 'console') return []
  return [
    {
      id: moment.id,
      look: 'dot',
      atMs: moment.atMs,
      label: `${moment.level ?? 'log'}: ${moment.label}`,
      cause: moment.id,
    },
  ]
}

function errorMarks(moments: readonly Moment[]): readonly Mark[] {
  return moments.flatMap((moment): readonly Mark[] => [
    ...(moment.kind === 'exception' || (moment.kind === 'console' && moment.level === 'error')
      ? [
          {
            id: `error ${moment.id}`,
            look: 'triangle' as const,
            atMs: moment.atMs,
            label: moment.label,
            cause: moment.id,
          },
        ]
      : []),
    ...moment.requests.filter(isBad).map((request) => ({
      id: `error ${request.id}`,
      look: 'triangle' as const,
      atMs: request.atMs,
      label: `${request.method} ${request.path} answered ${request.status} ${request.errorCode ?? ''}`,
      cause: moment.id,
    })),
  ])
}
