import { Held } from '../../holds/held.tsx'
import type { SessionSummary } from '../../lib/api/schemas.ts'
import { Live } from '../../lib/live/live-session.tsx'
import { peopleIn } from '../../lib/person.ts'
import { Duration, Time } from '../../ui/time.tsx'

/** The session in a line, beside the person's name. */
export function SessionFacts({ session }: { readonly session: SessionSummary }) {
  const { browser, os, durationMs, errors, startedAt } = session
  const people = peopleIn(session)
  const signedIn = people.filter(({ userId }) => userId !== null).length
  return (
    <>
      <Live session={session} />
      <Held subject={{ kind: 'session', id: session.id }} />
      {session.person.distinctId !== '' && (
        <span>{signedIn > 1 ? `${signedIn} people` : signedIn === 1 ? 'signed in' : 'not signed in'}</span>
      )}
      {(browser || os) && <span>{[browser, os].filter(Boolean).join(', ')}</span>}
      <Duration ms={durationMs} />
      <Time at={startedAt} className="max-full:hidden" />
      {errors > 0 && (
        <b
          title="Console errors and exceptions, each counted once, and requests answered 4xx or 5xx"
          className="tabular font-medium text-danger"
        >
          {errors} {errors === 1 ? 'error' : 'errors'}
        </b>
      )}
    </>
  )
}
