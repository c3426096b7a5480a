import { Link } from '@tanstack/react-router'
import type { Instance, SessionSummary } from '../../lib/api/schemas.ts'
import { Live } from '../../lib/live/live-session.tsx'
import { peopleDetail, peopleNames } from '../../lib/person.ts'
import { Code } from '../../ui/code.tsx'
import { Duration, Time } from '../../ui/time.tsx'

interface LatestSessionsProps {
  readonly sessions: readonly SessionSummary[]
  readonly instance: Instance
}

/** The newest sessions, each leading to its recording and thread. */
export function LatestSessions({ sessions, instance }: LatestSessionsProps) {
  if (sessions.length === 0) return <NoSessions instance={instance} />
  return (
    <ul>
      {sessions.map((session) => (
        <li key={session.id} className="border-line border-t">
          <Link
            to="/sessions/$id"
            params={{ id: session.id }}
            className="grid h-8 grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_72px_88px_88px] items-center gap-3 px-4 focus-visible:-outline-offset-2 hover:bg-sunken max-sheet:grid-cols-[minmax(0,1fr)_72px_88px]"
          >
            <span className="truncate">
              <span className="font-medium">{peopleNames(session)}</span>
              <span className="ml-2 text-ink-2">{peopleDetail(session)}</span>
            </span>
            <span className="mono truncate text-ink-2 max-sheet:hidden">{session.entryPath}</span>
            <Duration ms={session.durationMs} className="text-right text-ink-2" />
            <span className="tabular truncate text-right max-sheet:hidden">
              {session.errors > 0 ? (
                <span className="text-danger">
                  {session.errors} {session.errors === 1 ? 'error' : 'errors'}
                </span>
              ) : (
                <span className="text-ink-2">
                  {session.changes} {session.changes === 1 ? 'row' : 'rows'}
                </span>
              )}
            </span>
            <span className="text-right text-ink-2">
              <Live session={session} otherwise={<Time at={session.startedAt} />} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function NoSessions({ instance }: { readonly instance: Instance }) {
  const { posthog } = instance.snippets
  return (
    <div className="grid max-w-[592px] gap-2 px-4 pb-2 text-ink-2">
      <p>No sessions yet. Add these lines to your application, and the next visit appears here within seconds.</p>
      <Code text={posthog.code} copyLabel="Copy the analytics setup" />
    </div>
  )
}
