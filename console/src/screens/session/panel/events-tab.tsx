import type { Moment } from '../../../lib/api/schemas.ts'
import type { Playback } from '../../../player/playback.ts'
import { MomentRows } from './moment-rows.tsx'

interface EventsTabProps {
  readonly moments: readonly Moment[]
  readonly playback: Playback
  readonly onSelect: (moment: Moment) => void
}

const idOf = ({ id }: Moment) => id
const atOf = ({ atMs }: Moment) => atMs

/** Everything the application and posthog-js captured, with its properties. */
export function EventsTab({ moments, playback, onSelect }: EventsTabProps) {
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
