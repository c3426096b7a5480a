import { Link } from '@tanstack/react-router'
import type { Cause, PersonRef } from '../lib/api/schemas.ts'
import { personName } from '../lib/person.ts'
import { MomentLink } from './moment-link.tsx'
import { Foreign, Probable } from './probable.tsx'

/** The cause of a change, with links to the request and to the moment. */
export function CauseLine({ cause }: { readonly cause: Cause }) {
  switch (cause.kind) {
    case 'session':
      return (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0">
            <Who {...cause} />
            <span className="text-ink-2"> in this session at</span>
          </span>
          <MomentLink
            sessionId={cause.sessionId}
            atMs={cause.atMs}
            of={cause.requestId}
            hasRecording={cause.hasRecording}
          />
          {!cause.exact && <Probable why={cause.why} />}
          <RequestLink {...cause} />
        </div>
      )
    case 'request':
      if (cause.method === '')
        return (
          <p className="text-ink-2">
            No request of the application: an operator did it in the console (the{' '}
            <Link to="/audit" className="quiet-link">
              audit log
            </Link>{' '}
            names who), or its record is past its retention
          </p>
        )
      return (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0">
            <Who {...cause} />
            {!cause.foreign && <span className="text-ink-2">, no session</span>}
          </span>
          {cause.foreign && <Foreign why={cause.why} />}
          <RequestLink {...cause} />
        </div>
      )
    case 'operator':
      return <OperatorLine {...cause} />
    case 'job':
      return (
        <p>
          <span className="text-ink-2">Job </span>
          <Link
            to="/jobs/$jobId"
            params={{ jobId: cause.jobId }}
            search={{ run: Number(cause.runId) }}
            className="font-medium hover:underline"
          >
            {cause.name ?? cause.jobId}
          </Link>
          <span className="text-ink-2">, run {cause.runId}</span>
        </p>
      )
    case 'sql':
      return <p className="text-ink-2">Direct SQL: no session</p>
    default:
      return cause satisfies never
  }
}

function OperatorLine({ operator, action, actionId }: Extract<Cause, { kind: 'operator' }>) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="min-w-0 wrap-anywhere">
        <strong className="font-medium">{operator}</strong>
        <span className="text-ink-2"> in the console</span>
      </span>
      <Link
        to="/audit"
        search={{ operator, action, open: actionId }}
        aria-label={`${action} in the audit log`}
        className="mono ml-auto text-ink-2 hover:text-ink hover:underline"
      >
        {action}
      </Link>
    </p>
  )
}

interface WhoProps {
  readonly person: PersonRef | null
  readonly personWhy: string | null
  readonly role: string
}

function Who({ person, personWhy, role }: WhoProps) {
  if (person === null) {
    return (
      <>
        A request as <span className="mono">{role}</span>
      </>
    )
  }
  return (
    <>
      <strong className="font-medium">{personName(person)}</strong>
      {personWhy && (
        <>
          {' '}
          <Probable why={personWhy} />
        </>
      )}
    </>
  )
}

function RequestLink({ requestId, method, path }: { requestId: string; method: string; path: string }) {
  return (
    <Link
      to="/requests/$id"
      params={{ id: requestId }}
      className="mono ml-auto min-w-0 truncate text-ink-2 hover:text-ink hover:underline"
    >
      {method} {path}
    </Link>
  )
}
