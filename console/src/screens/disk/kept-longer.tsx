import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { HoldDialog } from '../../holds/hold-dialog.tsx'
import { keptLongerQuery } from '../../holds/queries.ts'
import type { Hold } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Time } from '../../ui/time.tsx'
import { EndHoldDialog } from './end-hold-dialog.tsx'

/** What stays beyond its days and budgets: sessions with errors, and what is under a legal hold. */
export function KeptLonger() {
  const { data, error, refetch } = useQuery(keptLongerQuery)
  const { canProtect } = useRights()
  const [ending, setEnding] = useState<Hold>()
  const [isHolding, setHolding] = useState(false)
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return null
  const { sessionsWithErrorsDays: days, holds } = data
  const open = holds.filter(({ isOpen }) => isOpen)
  const ended = holds.filter(({ isOpen }) => !isOpen)
  const onEnd = canProtect ? setEnding : undefined
  return (
    <section aria-label="Kept longer" className="grid shrink-0 gap-3 border-line border-t p-4">
      <header className="flex items-start justify-between gap-4 max-narrow:flex-col">
        <div className="grid gap-1">
          <h2 className="font-semibold">Kept longer</h2>
          <p className="max-w-[80ch] text-ink-2">
            {days === null
              ? 'A session with errors is kept as any other: sessions_with_errors_days of [retention] says otherwise.'
              : `All of a session with an error is kept for ${days} days after the error.`}{' '}
            What is under a legal hold stays until the hold ends, on top of the budgets.
          </p>
        </div>
        {canProtect && <Button onClick={() => setHolding(true)}>Hold a span of time</Button>}
      </header>
      {open.length === 0 ? (
        <p>There is no open hold. A session or a person is held from its own page.</p>
      ) : (
        <HoldList label="Open holds" holds={open} onEnd={onEnd} />
      )}
      {ended.length > 0 && (
        <Fold summary={ended.length === 1 ? 'One hold has ended' : `${ended.length} holds have ended`}>
          <HoldList label="Holds that have ended" holds={ended} onEnd={undefined} />
        </Fold>
      )}
      {isHolding && <HoldDialog on="span" onClose={() => setHolding(false)} />}
      {ending && <EndHoldDialog hold={ending} onClose={() => setEnding(undefined)} />}
    </section>
  )
}

interface HoldListProps {
  readonly label: string
  readonly holds: readonly Hold[]
  /** Absent where none can be ended. */
  readonly onEnd: ((hold: Hold) => void) | undefined
}

function HoldList({ label, holds, onEnd }: HoldListProps) {
  return (
    <ul aria-label={label} className="grid divide-y divide-line border-line border-y">
      {holds.map((hold) => (
        <li key={hold.id} className="flex items-start justify-between gap-4 py-2">
          <div className="grid min-w-0 gap-1">
            <p className="wrap-anywhere">
              <Subject subject={hold.subject} />: {hold.reason}
            </p>
            <p className="wrap-anywhere text-ink-2 text-sm">
              <Standing hold={hold} />
            </p>
          </div>
          {onEnd && <Button onClick={() => onEnd(hold)}>End</Button>}
        </li>
      ))}
    </ul>
  )
}

function Standing({ hold }: { readonly hold: Hold }) {
  const { createdBy, createdAt, until, isOpen, endedAt, endedBy, endReason } = hold
  return (
    <>
      placed by {createdBy}, <Time at={createdAt} />
      {endedAt !== null && (
        <>
          ; ended by {endedBy}, <Time at={endedAt} />: {endReason}
        </>
      )}
      {endedAt === null && until !== null && (
        <>
          ; {isOpen ? 'until' : 'its time ran out'} <Time at={until} look="clock" />
        </>
      )}
    </>
  )
}

function Subject({ subject }: Pick<Hold, 'subject'>) {
  switch (subject.kind) {
    case 'session':
      return (
        <Link to="/sessions/$id" params={{ id: subject.id }} className="quiet-link">
          Session <span className="mono">{subject.id.slice(0, 13)}</span>
        </Link>
      )
    case 'person':
      return (
        <Link to="/people/$id" params={{ id: subject.id }} className="quiet-link">
          Person <span className="mono">{subject.id.slice(0, 8)}</span>
        </Link>
      )
    case 'user':
      return (
        <Link to="/users/$id" params={{ id: subject.id }} className="quiet-link">
          User <span className="mono">{subject.id.slice(0, 8)}</span>
        </Link>
      )
    case 'span':
      return (
        <>
          <Time at={subject.from} look="clock" /> to{' '}
          {subject.to === null ? <Badge>all that comes</Badge> : <Time at={subject.to} look="clock" />}
        </>
      )
  }
}
