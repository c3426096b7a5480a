import type { Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import type { Span } from '../../../player/timeline.ts'
import type { Mark, Track } from '../../../player/tracks/marks.ts'
import { rowName } from '../../../thread/change-lines.tsx'
import { describeChange, isBad } from './moments.ts'

/**
 * The tracks above the thread: what happened when, in one picture.
 *
 * @param idle       stretches in which the recording shows no activity
 * @param durationMs the axis' length; the last page lasts until there
 */
export function tracksOf(moments: readonly Moment[], idle: readonly Span[], durationMs: number): readonly Track[] {
  const requests = moments.flatMap((moment) => moment.requests.map((request) => ({ request, cause: moment.id })))
  return [
    { id: 'pages', label: 'pages', marks: [...pageMarks(moments, durationMs), ...gapMarks(moments, idle)] },
    { id: 'clicks', label: 'clicks', marks: moments.flatMap(clickMarks) },
    { id: 'api', label: 'api', marks: requests.map(({ request, cause }) => requestMark(request, cause)) },
    { id: 'rows', label: 'rows', marks: requests.flatMap(({ request, cause }) => rowMarks(request, cause)) },
    { id: 'live', label: 'live', marks: moments.flatMap(frameMarks) },
    { id: 'console', label: 'console', marks: moments.flatMap(consoleMarks) },
    { id: 'errors', label: 'errors', marks: errorMarks(moments) },
  ]
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

function gapMarks(moments: readonly Moment[], idle: readonly Span[]): readonly Mark[] {
  const gaps = moments.flatMap((moment) =>
    moment.kind === 'gap' && moment.untilMs !== null ? [{ fromMs: moment.atMs, toMs: moment.untilMs }] : [],
  )
  return mergeSpans([...gaps, ...idle]).map(({ fromMs, toMs }) => ({
    id: `gap ${fromMs} ${toMs}`,
    look: 'gap',
    atMs: fromMs,
    untilMs: toMs,
    label: 'Nothing happened here',
    cause: `gap ${fromMs}`,
  }))
}

/** Overlapping stretches are one: the server and the recording may both have noticed them. */
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
