import { Link } from '@tanstack/react-router'
import { Play, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HeatmapArea } from '../../../lib/api/schemas.ts'
import { personName } from '../../../lib/person.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { areaText, countText } from '../heat-data.ts'
import type { Area, PointKind } from '../search.ts'

interface AreaPanelProps {
  readonly area: Area
  readonly kind: PointKind
  /** Absent while it is on its way. */
  readonly found: HeatmapArea | undefined
  readonly problem: ReactNode
  readonly onClose: () => void
}

/** What was done in an area of a page, and the newest sessions of it, each at its moment. */
export function AreaPanel({ area, kind, found, problem, onClose }: AreaPanelProps) {
  return (
    <section aria-labelledby="heat-area" className="grid gap-2 border-line border-b p-4">
      <div className="flex items-center justify-between gap-2">
        <h2 id="heat-area" className="font-semibold">
          Chosen area
        </h2>
        <Button look="bare" size="icon" aria-label="Choose no area" onClick={onClose}>
          <X aria-hidden="true" className="size-3.5" />
        </Button>
      </div>
      <p className="text-ink-2 text-sm">{areaText(area)}</p>
      {problem ?? (found === undefined ? <Skeleton className="h-16" /> : <Found found={found} kind={kind} />)}
    </section>
  )
}

function Found({ found, kind }: Pick<AreaPanelProps, 'kind'> & { readonly found: HeatmapArea }) {
  const { points, visitors, sessions, newest } = found
  return (
    <>
      <p role="status">
        {countText(kind, points)} of {visitorsText(visitors)}, in {sessionsText(sessions)}
      </p>
      <ul aria-label="Sessions of the chosen area" className="grid">
        {newest.map(({ sessionId, distinctId, person, points: own, at }) => (
          <li key={sessionId} className="flex h-8 items-center gap-2 border-line border-t">
            <Link
              to="/sessions/$id"
              params={{ id: sessionId }}
              search={{ at }}
              className="flex min-w-0 flex-1 items-center gap-1.5 hover:underline"
            >
              <Play aria-hidden="true" className="size-3 shrink-0 fill-thread text-thread" />
              <span className="truncate">{personName({ name: null, email: null, ...person, distinctId })}</span>
            </Link>
            <span className="tabular text-ink-2" title={countText(kind, own)}>
              {own}
            </span>
            <Time at={at} className="text-ink-2" />
          </li>
        ))}
      </ul>
      {sessions > newest.length && newest.length > 0 && (
        <p className="text-ink-2 text-sm">
          The newest {newest.length} sessions. Each link begins just before the moment.
        </p>
      )}
    </>
  )
}

/** A number of ids of browsers in words. */
export const visitorsText = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'visitor' : 'visitors'}`
export const sessionsText = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'session' : 'sessions'}`
