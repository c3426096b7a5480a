import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RequestDetail } from '../../lib/api/schemas.ts'
import { personDetail, personName, personSearch } from '../../lib/person.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Duration } from '../../ui/time.tsx'
import { formatBytes } from '../../ui/time-text.ts'
import { Maker } from '../maker.tsx'
import { MomentLink } from '../moment-link.tsx'
import { Foreign, Probable } from '../probable.tsx'

/** Who made a request and in which session, its role, times and sizes, where it came from. */
export function RequestFacts({ detail }: { readonly detail: RequestDetail }) {
  const { request, session } = detail
  return (
    <Facts className="border-line border-y py-3">
      <Fact name="Person">
        <RequestPerson request={request} />
      </Fact>
      <Fact name="Session">
        <RequestSession requestId={request.id} session={session} />
      </Fact>
      {detail.causeId !== null && (
        <Fact name="Made for">
          <Maker causeId={detail.causeId} />
        </Fact>
      )}
      <Fact name="Role">
        <span className="mono">{request.role}</span>
      </Fact>
      <Fact name="Service">{request.service}</Fact>
      <Fact name="Duration">
        <Duration ms={request.durationMs} />
        <span className="text-ink-2">
          {' '}
          (database <Duration ms={request.databaseMs} />)
        </span>
      </Fact>
      <Fact name="Rows">{request.rows ?? '–'}</Fact>
      <Fact name="Sizes">
        {formatBytes(detail.requestBytes)} in, {formatBytes(detail.responseBytes)} out
      </Fact>
      <Fact name="From">
        <span className="mono">{detail.remoteAddress}</span>
      </Fact>
      {detail.userAgent && (
        <Fact name="Browser">
          <span className="block truncate text-ink-2" title={detail.userAgent}>
            {detail.userAgent}
          </span>
        </Fact>
      )}
      <Fact name="Request id">
        <span className="mono flex min-w-0 items-center gap-1">
          <span className="truncate">{request.id}</span>
          <CopyButton text={request.id} label="Copy the request id" />
        </span>
      </Fact>
    </Facts>
  )
}

function RequestPerson({ request: { person, personWhy } }: Pick<RequestDetail, 'request'>) {
  return (
    <>
      {person ? (
        <>
          <Link to="/sessions" search={{ q: personSearch(person) }} className="quiet-link">
            {personName(person)}
          </Link>
          <span className="ml-2 text-ink-2">{personDetail(person)}</span>
        </>
      ) : (
        <span className="text-ink-2">unknown</span>
      )}
      {personWhy && <Reason mark={<Probable why={null} />}>{personWhy}</Reason>}
    </>
  )
}

function RequestSession({ requestId, session }: Pick<RequestDetail, 'session'> & { readonly requestId: string }) {
  if (!session) return <span className="text-ink-2">none: the request carried no session id</span>
  const { foreign, exact, why } = session.link
  return (
    <>
      <MomentLink sessionId={session.id} atMs={session.atMs} of={requestId} hasRecording={session.hasRecording} />
      {!exact && <Reason mark={foreign ? <Foreign why={null} /> : <Probable why={null} />}>{why}</Reason>}
    </>
  )
}

/** Why something is not certain: the mark, and the reason in words. */
function Reason({ mark, children }: { readonly mark: ReactNode; readonly children: ReactNode }) {
  return (
    <span className="mt-1 block text-ink-2 text-sm">
      {mark} {children}
    </span>
  )
}
