import type { SessionPerson } from '../../../lib/api/schemas.ts'
import { personName } from '../../../lib/person.ts'
import { type Axis, toX } from '../../../player/tracks/axis/axis.ts'
import { classes } from '../../../ui/classes.ts'
import { formatOffset } from '../../../ui/time-text.ts'

interface PeopleBandProps {
  readonly people: readonly SessionPerson[]
  readonly axis: Axis
}

const rowPx = 20

/** The people of a session over time, above the tracks; nothing for a session of one person. */
export function PeopleBand({ people, axis }: PeopleBandProps) {
  if (people.length < 2 || axis.durationMs <= 0) return null
  const rows = rowsOf(people)
  return (
    <div className="mt-2 grid grid-cols-[64px_minmax(0,1fr)] items-start">
      <span aria-hidden="true" className="text-ink-2 text-sm" style={{ lineHeight: `${rowPx}px` }}>
        people
      </span>
      <ol
        aria-label="People"
        className="relative overflow-hidden"
        style={{ height: Math.max(1, ...rows.map((row) => row + 1)) * rowPx }}
      >
        {people.map((part, index) => (
          <li
            key={`${part.fromMs} ${part.person?.userId}`}
            title={titleOf(part)}
            className={classes(
              'absolute flex items-center overflow-hidden rounded-small border border-line px-1 text-sm leading-[15px]',
              part.person === null ? 'border-dashed text-ink-2' : 'bg-sunken text-ink',
            )}
            style={{
              left: toX(axis, part.fromMs),
              width: toX(axis, Math.min(part.toMs, axis.durationMs)) - toX(axis, part.fromMs),
              top: (rows[index] ?? 0) * rowPx + 1,
              height: rowPx - 3,
            }}
          >
            <span className="truncate">
              {nameOf(part)}
              {!part.exact && <span className="text-warn"> ≈</span>}
            </span>
            <span className="sr-only">
              , {span(part)}
              {part.why && `, probable: ${part.why}`}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const nameOf = ({ person }: SessionPerson): string => (person === null ? 'not signed in' : personName(person))

const span = ({ fromMs, toMs }: SessionPerson): string => `${formatOffset(fromMs)} to ${formatOffset(toMs)}`

const titleOf = (part: SessionPerson): string =>
  [nameOf(part), span(part), ...(part.why === null ? [] : [`probable: ${part.why}`])].join(', ')

/** Two people in two tabs at once stand one below the other. */
function rowsOf(people: readonly SessionPerson[]): readonly number[] {
  const endsMs: number[] = []
  return people.map(({ fromMs, toMs }) => {
    const free = endsMs.findIndex((endMs) => endMs <= fromMs)
    const row = free === -1 ? endsMs.length : free
    endsMs[row] = toMs
    return row
  })
}
