import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SendCause } from '../lib/api/schemas.ts'
import { personName } from '../lib/person.ts'
import { MomentLink } from './moment-link.tsx'
import { requestQuery } from './queries.ts'

/** What asked for a webhook or a request from SQL, with links to it. */
export function SendCauseLine({ cause }: { readonly cause: SendCause | null }) {
  if (cause === null) return <p className="text-ink-2">Direct SQL: no request</p>
  if (cause.kind === 'request') return <RequestCause requestId={cause.requestId} />
  return (
    <p>
      <span className="text-ink-2">Job </span>
      <Link
        to="/jobs/$jobId"
        params={{ jobId: cause.jobId }}
        search={{ run: Number(cause.runId) }}
        className="font-medium hover:underline"
      >
        {cause.jobId}, run {cause.runId}
      </Link>
    </p>
  )
}

/** The request is looked up; past its retention its id remains. */
function RequestCause({ requestId }: { readonly requestId: string }) {
  const { data } = useQuery(requestQuery(requestId))
  const { request, session } = data ?? {}
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Link to="/requests/$id" params={{ id: requestId }} className="mono min-w-0 truncate hover:underline">
        {request ? `${request.method} ${request.path}` : `request ${requestId}`}
      </Link>
      {request?.person && <span className="text-ink-2">by {personName(request.person)}</span>}
      {session && (
        <MomentLink sessionId={session.id} atMs={session.atMs} of={requestId} hasRecording={session.hasRecording} />
      )}
    </div>
  )
}
