import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { Overview, SessionSummary } from '../../lib/api/schemas.ts'
import { useLive } from '../../lib/live/live-session.tsx'
import { peopleNames } from '../../lib/person.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Time } from '../../ui/time.tsx'

/** The first request, event and recording, ticked as they arrive; then the link to the session they made. */
export function Firsts({ overview }: { readonly overview: Overview }) {
  const { firsts, latestSessions } = overview
  const steps = [
    { label: 'First request', at: firsts.requestAt },
    { label: 'First event', at: firsts.eventAt },
    { label: 'First recording', at: firsts.recordingAt },
  ]
  // Visits that the instance began with are not what is waited for.
  const session = firsts.recordingAt === null ? undefined : latestSessions.find(({ hasRecording }) => hasRecording)
  return (
    <section aria-label="First data" className="rounded-float border border-line bg-surface">
      <ol aria-live="polite" className="relative grid gap-3 p-4">
        <span aria-hidden="true" className="absolute top-7 bottom-7 left-[23px] border-line border-l" />
        {steps.map(({ label, at }) => (
          <li key={label} className="relative flex items-center gap-3">
            <span
              className={classes(
                'grid size-4 place-items-center rounded-full border',
                at === null ? 'border-ink-3 bg-surface' : 'border-ok bg-ok text-surface',
              )}
            >
              {at !== null && <Check aria-hidden="true" className="size-3" strokeWidth={3} />}
            </span>
            <span className={at === null ? 'text-ink-2' : 'font-medium'}>{label}</span>
            <span className="ml-auto text-ink-2 text-sm">{at === null ? 'waiting' : <Time at={at} />}</span>
          </li>
        ))}
      </ol>
      <div className="border-line border-t p-4">
        {session ? (
          <SessionLink session={session} />
        ) : (
          <p className="text-ink-2">
            Your first session will appear here.
            {latestSessions.length > 0 && (
              <>
                {' '}
                Earlier visits are in{' '}
                <Link to="/sessions" className="quiet-link">
                  Sessions
                </Link>
                .
              </>
            )}
          </p>
        )}
      </div>
    </section>
  )
}

function SessionLink({ session }: { readonly session: SessionSummary }) {
  const isLive = useLive(session)
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">
        {isLive ? 'Online now: ' : 'Last visit: '}
        <span className="text-ink">{peopleNames(session)}</span>
      </p>
      <Link
        to="/sessions/$id"
        params={{ id: session.id }}
        className={`${buttonClasses('primary', 'large')} justify-center`}
      >
        {isLive ? 'Watch the live session' : 'Watch the session'}
      </Link>
      <Link to="/" className="justify-self-center text-ink-2 hover:text-ink">
        Go to Home
      </Link>
    </div>
  )
}
