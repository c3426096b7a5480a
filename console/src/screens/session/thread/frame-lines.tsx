import { Link } from '@tanstack/react-router'
import { type ReactNode, use } from 'react'
import type { Frame, Moment, Reached } from '../../../lib/api/schemas.ts'
import { personName } from '../../../lib/person.ts'
import { momentSearch } from '../../../lib/time.ts'
import { Bytes } from '../../../ui/bytes.tsx'
import { formatDuration, formatOffset } from '../../../ui/time-text.ts'
import { Leads } from './leads.ts'

/** A message of a socket in a line: which way, what, in which channel. */
export function FrameTitle({ moment: { label, frame } }: { readonly moment: Moment }) {
  if (!frame) return label
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="shrink-0">{frame.direction === 'sent' ? 'Sent' : 'Received'}</span>
      <b className="truncate font-medium">{frame.kind === 'presence' ? `presence ${label}` : shortEvent(label)}</b>
      <span className="mono min-w-0 flex-1 truncate text-ink-2">{frame.topic}</span>
      <span className="mono tabular shrink-0 text-ink-2">
        <Bytes value={frame.bytes} />
      </span>
      {frame.delayMs !== null && (
        <span className="mono tabular shrink-0" title="Since what led to it came, or was committed">
          {formatDuration(frame.delayMs)}
        </span>
      )}
    </span>
  )
}

interface FrameLinesProps {
  readonly frame: Frame
  readonly whole: boolean
}

/** What led to a message, the sessions that it reached, and what is not shown. */
export function FrameLines({ frame, whole }: FrameLinesProps) {
  const { cause, reached, skipped, link } = frame
  const shown = whole ? reached : reached.slice(0, mostReached)
  const hidden = reached.length - shown.length
  return (
    <div className="mono grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 pl-3.5 text-ink-2">
      {link.foreign && <p className="truncate text-danger">{link.why}</p>}
      {cause && <CauseOfFrame cause={cause} />}
      {shown.map((one) => (
        <ReachedLine key={`${one.sessionId} ${one.atMs}`} reached={one} />
      ))}
      {hidden > 0 && <p>and {hidden} more</p>}
      {skipped > 0 && <p>{skipped} messages before it were not kept</p>}
    </div>
  )
}

const mostReached = 3

function CauseOfFrame({ cause }: { readonly cause: NonNullable<Frame['cause']> }) {
  switch (cause.kind) {
    case 'session':
    case 'message':
      return (
        <SessionLine
          sign="←"
          sessionId={cause.sessionId}
          atMs={cause.atMs}
          of={cause.kind === 'message' ? cause.frameId : cause.requestId}
          name={cause.person && personName(cause.person)}
        >
          {cause.kind === 'message' ? `sent ${cause.event}` : `${cause.method} ${cause.path}`}
        </SessionLine>
      )
    case 'request':
      return (
        <p className="truncate">
          ← {cause.method} {cause.path || 'a request that is not stored yet'}
        </p>
      )
    case 'job':
      return <p className="truncate">← job {cause.name ?? cause.jobId}</p>
    case 'operator':
      return <p className="truncate">← {cause.action} in the console</p>
    case 'sql':
      return <p className="truncate">← direct SQL</p>
    default:
      return cause satisfies never
  }
}

/** A session that heard of a request or a message. */
export function ReachedLine({
  reached: { sessionId, atMs, frameId, delayMs, person, event },
}: {
  readonly reached: Reached
}) {
  return (
    <SessionLine sign="→" sessionId={sessionId} atMs={atMs} of={frameId} name={personName(person)} delayMs={delayMs}>
      {shortEvent(event)}
    </SessionLine>
  )
}

/** Tables of `public` are known by their name. */
const shortEvent = (event: string): string => event.replace(' public.', ' ')

interface SessionLineProps {
  readonly sign: '←' | '→'
  readonly sessionId: string
  readonly atMs: number
  /** The request or message there. */
  readonly of: string | undefined
  /** Null: no person is known. */
  readonly name: string | null
  readonly delayMs?: number | null
  readonly children: ReactNode
}

/** A line that leads to a moment of another session. */
function SessionLine({ sign, sessionId, atMs, of, name, delayMs = null, children }: SessionLineProps) {
  return (
    <p className="flex min-w-0 items-baseline gap-1.5 text-ink-2">
      <span aria-hidden="true">{sign}</span>
      {use(Leads) ? (
        <Link
          to="/sessions/$id"
          params={{ id: sessionId }}
          search={momentSearch(atMs, of)}
          className="quiet-link shrink-0 truncate"
          title={`Open this session at ${formatOffset(atMs)}`}
        >
          {name ?? 'a visitor'}
        </Link>
      ) : (
        <span className="shrink-0 truncate">{name ?? 'a visitor'}</span>
      )}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {delayMs !== null && <span className="tabular whitespace-nowrap">{formatDuration(delayMs)}</span>}
    </p>
  )
}
