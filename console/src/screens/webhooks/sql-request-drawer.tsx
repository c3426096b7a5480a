import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { SendCauseLine } from '../../thread/send-cause.tsx'
import { SendStateText } from '../../thread/send-state.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { HttpParts, Part } from './http-parts.tsx'
import { sqlRequestQuery } from './queries.ts'

interface SqlRequestDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  readonly onClose: () => void
}

/** A request of pg_net opened in place, with its cause and its response. */
export function SqlRequestDrawer({ id, onClose }: SqlRequestDrawerProps) {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title="Request from SQL">
      {id && <OpenRequest id={id} />}
    </Drawer>
  )
}

function OpenRequest({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(sqlRequestQuery(id))
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  const { request, response } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      <Code text={`${request.method} ${request.url}`} copyLabel="Copy the address" />
      <Facts>
        <Fact name="State">
          <SendStateText {...request} />
        </Fact>
        <Fact name="Caused by">
          <SendCauseLine cause={request.cause} />
        </Fact>
        <Fact name="Asked for">
          <Time at={request.at} look="clock" />
        </Fact>
        {request.durationMs !== null && (
          <Fact name="Duration">
            <Duration ms={request.durationMs} />
          </Fact>
        )}
        <Fact name="Number">{request.requestId}</Fact>
      </Facts>
      <Part title="Response">
        {response ? (
          <HttpParts headers={response.headers} body={response.content} noBody={response.error ?? 'It has no body.'} />
        ) : (
          <p className="text-ink-2">{request.error ?? 'pg_net keeps responses for some hours only.'}</p>
        )}
      </Part>
    </div>
  )
}
