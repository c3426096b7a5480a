import type { Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import { readableQuery } from '../../../lib/request-text.ts'
import type { Playback } from '../../../player/playback.ts'
import { statusTone, toneText } from '../../../ui/badge.tsx'
import { classes } from '../../../ui/classes.ts'
import { formatDuration } from '../../../ui/time-text.ts'
import { MomentRows } from './moment-rows.tsx'

interface SideTabProps {
  readonly moments: readonly Moment[]
  readonly playback: Playback
  readonly onSelect: (moment: Moment) => void
}

const idOf = (item: { readonly id: string }) => item.id
const atOf = (item: { readonly atMs: number }) => item.atMs

const levels: Readonly<Record<string, string>> = { error: 'text-danger', warn: 'text-warn', info: 'text-info' }

/** The page's console output and its exceptions. */
export function ConsoleTab({ moments, playback, onSelect }: SideTabProps) {
  const lines = moments.filter((moment) => moment.kind === 'console' || moment.kind === 'exception')
  return (
    <MomentRows
      label="Console"
      items={lines}
      playback={playback}
      idOf={idOf}
      atOf={atOf}
      onSelect={onSelect}
      none="The page wrote nothing to its console."
      draw={({ kind, level, label }) => {
        const name = kind === 'exception' ? 'error' : (level ?? 'log')
        return (
          <span className="mono flex min-w-0 gap-2">
            <span className={classes('w-10 shrink-0', levels[name] ?? 'text-ink-2')}>{name}</span>
            <span className="min-w-0 whitespace-pre-wrap break-words">{label}</span>
          </span>
        )
      }}
    />
  )
}

interface NetworkTabProps extends Omit<SideTabProps, 'onSelect'> {
  readonly onRequest: (request: RequestMoment) => void
}

/** The session's calls as the server saw them, in order. */
export function NetworkTab({ moments, playback, onRequest }: NetworkTabProps) {
  const requests = moments.flatMap((moment) => moment.requests).toSorted((a, b) => a.atMs - b.atMs)
  return (
    <MomentRows
      label="Network"
      items={requests}
      playback={playback}
      idOf={idOf}
      atOf={atOf}
      onSelect={onRequest}
      none="No requests of this session were recorded. Set tracing_headers in posthog-js to tag each request with its session."
      draw={({ method, path, query, status, durationMs }) => (
        <span className="mono grid min-w-0 grid-cols-[auto_minmax(0,1fr)_auto_60px] gap-2">
          <b className="font-medium">{method}</b>
          <span className="truncate" title={`${path}${readableQuery(query)}`}>
            {path}
            <span className="text-ink-2">{readableQuery(query)}</span>
          </span>
          <span className={toneText[statusTone(status)]}>{status}</span>
          <span className="tabular text-right text-ink-2">{formatDuration(durationMs)}</span>
        </span>
      )}
    />
  )
}

/** Everything the application and posthog-js captured, with its properties. */
export function EventsTab({ moments, playback, onSelect }: SideTabProps) {
  const events = moments.filter((moment) => moment.kind === 'event' || moment.properties !== null)
  return (
    <MomentRows
      label="Events"
      items={events}
      playback={playback}
      idOf={idOf}
      atOf={atOf}
      onSelect={onSelect}
      none="No events were captured in this session."
      draw={({ kind, label, properties }) => (
        <span className="grid min-w-0 gap-0.5">
          <span className="truncate">
            {kind !== 'event' && <span className="text-ink-2">{kind} </span>}
            {label}
          </span>
          <span className="mono truncate text-ink-2" title={JSON.stringify(properties, null, 2)}>
            {Object.entries(properties ?? {})
              .filter(([name]) => !name.startsWith('$'))
              .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
              .join('  ')}
          </span>
        </span>
      )}
    />
  )
}
