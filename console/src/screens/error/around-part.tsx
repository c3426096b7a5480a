import { useQuery } from '@tanstack/react-query'
import type { ExceptionDetail, ExceptionSummary, Moment, SessionDetail } from '../../lib/api/schemas.ts'
import { MomentLink } from '../../thread/moment-link.tsx'
import { Status } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Duration } from '../../ui/time.tsx'
import { sessionOfErrorQuery } from './queries.ts'

interface AroundProps {
  readonly exception: ExceptionSummary
  readonly steps: ExceptionDetail['steps']
  /** Opens a request. */
  readonly onRequest: (id: string) => void
}

/** What led to an exception: what the application noted, and the session at that moment. */
export function AroundPart({ exception, steps, onRequest }: AroundProps) {
  const { sessionId, at } = exception
  return (
    <>
      {steps.length > 0 && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">Noted by the application</h2>
          <ol className="border-line border-t">
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
              <li key={index} className="wrap-anywhere border-line border-b py-1.5">
                {step.message}
              </li>
            ))}
          </ol>
        </section>
      )}
      {sessionId && <SessionAround sessionId={sessionId} at={at} onRequest={onRequest} />}
    </>
  )
}

interface SessionAroundProps {
  readonly sessionId: string
  readonly at: string
  readonly onRequest: (id: string) => void
}

function SessionAround({ sessionId, at, onRequest }: SessionAroundProps) {
  const { data, error } = useQuery(sessionOfErrorQuery(sessionId))
  const atMs = data === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(data.session.startedAt))
  return (
    <section aria-label="The session at that moment" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-center gap-3">
        <h2 className="font-semibold">The session at that moment</h2>
        {data && <MomentLink sessionId={sessionId} atMs={atMs} hasRecording={data.session.hasRecording} />}
      </div>
      {error ? (
        <p className="text-ink-2">Nothing more is known of its session.</p>
      ) : data === undefined ? (
        <SkeletonRows rows={4} />
      ) : (
        <ol className="border-line border-t">
          {momentsAround(data, atMs).map((moment) => (
            <MomentLine key={moment.id} moment={moment} atMs={atMs} onRequest={onRequest} />
          ))}
        </ol>
      )}
    </section>
  )
}

const before = 12
const after = 4
const longestMs = 5 * 60_000

/** The moments before and after one, none of them minutes away. */
function momentsAround({ moments }: SessionDetail, atMs: number): readonly Moment[] {
  const near = moments.filter((moment) => moment.kind !== 'gap' && Math.abs(moment.atMs - atMs) <= longestMs)
  const earlier = near.filter((moment) => moment.atMs <= atMs)
  return [...earlier.slice(-before), ...near.slice(earlier.length, earlier.length + after)]
}

interface MomentLineProps {
  readonly moment: Moment
  readonly atMs: number
  readonly onRequest: (id: string) => void
}

function MomentLine({ moment, atMs, onRequest }: MomentLineProps) {
  const isBad = moment.kind === 'exception' || moment.level === 'error'
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 border-line border-b py-1.5">
      <div className="flex min-w-0 items-baseline gap-3">
        <span className="tabular mono w-14 shrink-0 text-right text-ink-2 text-sm">
          {formatDistance(moment.atMs - atMs)}
        </span>
        <span className="w-18 shrink-0 text-ink-2">{moment.kind}</span>
        <span className={classes('min-w-0 truncate', isBad && 'text-danger')} title={moment.label}>
          {moment.label}
        </span>
      </div>
      {moment.requests.map(({ id, method, path, status, durationMs, statements, changes }) => (
        <button
          key={id}
          type="button"
          onClick={() => onRequest(id)}
          className="ml-17 flex min-w-0 items-baseline gap-2.5 rounded-small px-1 py-0.5 text-left hover:bg-sunken"
        >
          <span className="mono min-w-0 truncate">
            {method} {path}
          </span>
          <Status status={status} />
          <Duration ms={durationMs} className="text-ink-2" />
          <span className="whitespace-nowrap text-ink-2 max-sheet:hidden">
            {statements.length} SQL, {changes.length} {changes.length === 1 ? 'row' : 'rows'}
          </span>
        </button>
      ))}
    </li>
  )
}

/** `−1.2 s`, `+0.4 s`. */
function formatDistance(ms: number): string {
  const tenths = Math.round(Math.abs(ms) / 100)
  const sign = tenths === 0 ? '' : ms < 0 ? '−' : '+'
  return `${sign}${(tenths / 10).toFixed(1)} s`
}
