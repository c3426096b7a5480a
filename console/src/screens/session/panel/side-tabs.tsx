import type { Moment, RequestMoment } from '../../../lib/api/schemas.ts'
import { readableQuery } from '../../../lib/request-text.ts'
import type { Playback } from '../../../player/playback.ts'
import { statusTone, toneText } from '../../../ui/badge.tsx'
import { classes } from '../../../ui/classes.ts'
import { Filter } from '../../../ui/field.tsx'
import { formatDuration } from '../../../ui/time-text.ts'
import { MomentRows } from './moment-rows.tsx'

interface SideTabProps {
  readonly moments: readonly Moment[]
  readonly playback: Playback
  /** The text that the lines shown hold. */
  readonly filter: string
  readonly onFilter: (filter: string) => void
  readonly onSelect: (moment: Moment) => void
}

const idOf = (item: { readonly id: string }) => item.id
const atOf = (item: { readonly atMs: number }) => item.atMs

const levels: Readonly<Record<string, string>> = { error: 'text-danger', warn: 'text-warn', info: 'text-info' }

/** The page's console output and its exceptions. */
export function ConsoleTab({ moments, playback, filter, onFilter, onSelect }: SideTabProps) {
  const lines = moments.filter((moment) => moment.kind === 'console' || moment.kind === 'exception')
  const shown = lines.filter((line) => holds(`${levelOf(line)} ${line.label}`, filter))
  return (
    <>
      <FilterBar label="Filter the console" placeholder="Text or level" value={filter} onChange={onFilter} />
      <MomentRows
        label="Console"
        items={shown}
        playback={playback}
        idOf={idOf}
        atOf={atOf}
        onSelect={onSelect}
        none={lines.length === 0 ? 'The page wrote nothing to its console.' : noMatch}
        draw={(line) => {
          const { label } = line
          const name = levelOf(line)
          return (
            <span className="mono flex min-w-0 gap-2">
              <span className={classes('w-10 shrink-0', levels[name] ?? 'text-ink-2')}>{name}</span>
              <span className="min-w-0 whitespace-pre-wrap break-words">{label}</span>
            </span>
          )
        }}
      />
    </>
  )
}

const levelOf = ({ kind, level }: Moment): string => (kind === 'exception' ? 'error' : (level ?? 'log'))

const holds = (text: string, filter: string): boolean => text.toLowerCase().includes(filter.trim().toLowerCase())

const noMatch = 'No lines match this filter.'

interface FilterBarProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function FilterBar(props: FilterBarProps) {
  return (
    <div className="flex h-10 shrink-0 items-center border-line border-b px-4">
      <Filter {...props} />
    </div>
  )
}

interface NetworkTabProps extends Omit<SideTabProps, 'onSelect'> {
  readonly onRequest: (request: RequestMoment) => void
}

/** The session's calls as the server saw them, in order. */
export function NetworkTab({ moments, playback, filter, onFilter, onRequest }: NetworkTabProps) {
  const requests = moments.flatMap((moment) => moment.requests).toSorted((a, b) => a.atMs - b.atMs)
  const shown = requests.filter(({ method, path, query, status, errorCode }) =>
    holds(`${method} ${path}${readableQuery(query)} ${status} ${errorCode ?? ''}`, filter),
  )
  return (
    <>
      <FilterBar label="Filter the calls" placeholder="Method, path or status" value={filter} onChange={onFilter} />
      <MomentRows
        label="Network"
        items={shown}
        playback={playback}
        idOf={idOf}
        atOf={atOf}
        onSelect={onRequest}
        none={
          requests.length === 0
            ? 'No requests of this session were recorded. Set tracing_headers in posthog-js to tag each request with its session.'
            : noMatch
        }
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
    </>
  )
}

/** Everything the application and posthog-js captured, with its properties. */
export function EventsTab({ moments, playback, onSelect }: Omit<SideTabProps, 'filter' | 'onFilter'>) {
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
