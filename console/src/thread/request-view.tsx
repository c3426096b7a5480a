import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { RequestDetail } from '../lib/api/schemas.ts'
import { personDetail, personName, personSearch } from '../lib/person.ts'
import { readableQuery } from '../lib/request-text.ts'
import { Status } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Duration, Time } from '../ui/time.tsx'
import { formatBytes } from '../ui/time-text.ts'
import { ChangeList } from './change-list.tsx'
import { MomentLink } from './moment-link.tsx'
import { Foreign, Probable } from './probable.tsx'
import { StatementList } from './statement-list.tsx'

/** One request: its links, its facts, the SQL it ran, the rows it changed. Drawn in the drawer and on its own page. */
export function RequestView({ detail }: { readonly detail: RequestDetail }) {
  const { request, session, statements, changes } = detail
  return (
    <div className="@container">
      <div className="grid @4xl:grid-cols-[380px_minmax(0,1fr)] grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 p-4">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="grid gap-1">
            <p className="mono wrap-anywhere text-base">
              <b className="font-medium">{request.method}</b> {request.path}
              <span className="text-ink-2">{readableQuery(request.query)}</span>
            </p>
            <p className="flex flex-wrap items-baseline gap-x-3 text-ink-2">
              <Status status={request.status} />
              {request.errorCode && <span className="mono text-danger">{request.errorCode}</span>}
              <Duration ms={request.durationMs} />
              <Time at={request.at} look="clock" />
            </p>
          </div>
          <dl className="grid grid-cols-[112px_minmax(0,1fr)] items-center gap-y-1 border-line border-y py-3">
            <Fact name="Person">
              {request.person ? (
                <Link to="/sessions" search={{ q: personSearch(request.person) }} className="quiet-link">
                  {personName(request.person)}
                </Link>
              ) : (
                <span className="text-ink-2">not known</span>
              )}
              {request.person && <span className="ml-2 text-ink-2">{personDetail(request.person)}</span>}
              {request.personWhy && <Reason mark={<Probable why={null} />}>{request.personWhy}</Reason>}
            </Fact>
            <Fact name="Session">
              {session ? (
                <>
                  <MomentLink sessionId={session.id} atMs={session.atMs} hasRecording={session.hasRecording} />
                  {!session.link.exact && (
                    <Reason mark={session.link.foreign ? <Foreign why={null} /> : <Probable why={null} />}>
                      {session.link.why}
                    </Reason>
                  )}
                </>
              ) : (
                <span className="text-ink-2">none: the call carried no session</span>
              )}
            </Fact>
            <Fact name="Role">
              <span className="mono">{request.role}</span>
            </Fact>
            <Fact name="Service">{request.service}</Fact>
            <Fact name="Time">
              <Duration ms={request.durationMs} />
              <span className="text-ink-2">
                , of it <Duration ms={request.databaseMs} /> in the database
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
          </dl>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Part title="Rows changed" count={changes.length} none="This request changed no rows.">
            <ChangeList changes={changes} />
          </Part>
          <Part title="SQL" count={statements.length} none="This request ran no SQL of the application.">
            <StatementList statements={statements} />
          </Part>
        </div>
      </div>
    </div>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0">{children}</dd>
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

interface PartProps {
  readonly title: string
  readonly count: number
  readonly none: string
  readonly children: ReactNode
}

function Part({ title, count, none, children }: PartProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">
        {title} {count > 0 && <span className="tabular font-normal text-ink-2">{count}</span>}
      </h2>
      {count === 0 ? <p className="text-ink-2">{none}</p> : children}
    </section>
  )
}
