import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { VitalVisit } from '../../lib/api/schemas.ts'
import { personName } from '../../lib/person.ts'
import { Chip } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { visitsQuery } from './queries.ts'
import { type Vital, type VitalsFilter, vitals } from './search.ts'
import { Measured, vitalNames } from './vital-text.tsx'

interface VisitsDrawerProps {
  /** Nothing is open without it. */
  readonly path: string | undefined
  readonly filter: VitalsFilter
  readonly vital: Vital
  readonly onVital: (vital: Vital) => void
  readonly onClose: () => void
}

/** The worst visits of a path, each with the way into its session. */
export function VisitsDrawer({ path, filter, vital, onVital, onClose }: VisitsDrawerProps) {
  const asked = path === undefined ? filter : { ...filter, path }
  const { data, error, refetch } = useQuery({ ...visitsQuery(asked, vital), enabled: path !== undefined })
  return (
    <Drawer open={path !== undefined} onClose={onClose} title={<span className="mono">{path}</span>}>
      <div className="flex flex-wrap gap-1.5 border-line border-b px-4 py-2">
        {vitals.map((name) => (
          <Chip key={name} on={name === vital} onToggle={(on) => on && onVital(name)}>
            {name}
          </Chip>
        ))}
      </div>
      {data ? (
        <VisitList visits={data} vital={vital} />
      ) : error ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows rows={12} />
      )}
    </Drawer>
  )
}

/** Visits, the worst first. */
function VisitList({ visits, vital }: { readonly visits: readonly VitalVisit[]; readonly vital: Vital }) {
  if (visits.length === 0) return <Empty title={`No ${vital} was measured on this path.`} />
  return (
    <ul aria-label={`Worst visits by ${vitalNames[vital].name}`} className="divide-y divide-line">
      {visits.map((visit) => (
        <li key={visit.id} className="grid gap-2 px-4 py-3">
          <VisitLine visit={visit} vital={vital} />
        </li>
      ))}
    </ul>
  )
}

function VisitLine({ visit, vital }: { readonly visit: VitalVisit; readonly vital: Vital }) {
  const { at, momentAt, person, distinctId, sessionId, measure, element, resource, parts } = visit
  const name = person === null ? `Visitor ${distinctId.slice(0, 8)}` : personName({ ...person, distinctId })
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-3">
        <Measured vital={vital} measure={measure} className="font-medium" />
        {person === null ? (
          <span className="text-ink-2">{name}</span>
        ) : (
          <Link to="/people/$id" params={{ id: person.id }} className="hover:underline">
            {name}
          </Link>
        )}
        <Time at={at} className="ml-auto text-ink-2" />
      </span>
      <Facts>
        <Fact name="From">
          {[visit.browser, visit.os, visit.device, visit.country].filter(Boolean).join(', ') || '–'}
        </Fact>
        {element !== null && (
          <Fact name="Element">
            <span className="mono text-sm">{element}</span>
          </Fact>
        )}
        {resource !== null && (
          <Fact name="Resource">
            <span className="mono text-sm">{resource}</span>
          </Fact>
        )}
        {parts.map((part) => (
          <Fact key={part.name} name={part.name}>
            <Duration ms={part.ms} />
          </Fact>
        ))}
      </Facts>
      {sessionId !== null && (
        <span>
          <Link
            to="/sessions/$id"
            params={{ id: sessionId }}
            search={{ at: momentAt }}
            aria-label={`The session at that moment, of ${name}`}
            className={buttonClasses('plain', 'small')}
          >
            <Play aria-hidden="true" className="size-3 fill-thread text-thread" />
            The session at that moment
          </Link>
        </span>
      )}
    </>
  )
}
