import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { DeliveryDetail } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { SendCauseLine } from '../../thread/send-cause.tsx'
import { SendStateText } from '../../thread/send-state.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { HttpParts, Part } from './http-parts.tsx'
import { deliveryQuery } from './queries.ts'

interface DeliveryDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  readonly onClose: () => void
}

/** A delivery opened in place: its cause, its attempts, what was sent and what came back. */
export function DeliveryDrawer({ id, onClose }: DeliveryDrawerProps) {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={`Delivery ${id ?? ''}`}>
      {id && <OpenDelivery id={id} />}
    </Drawer>
  )
}

function OpenDelivery({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(deliveryQuery(id))
  if (!data) return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
  const { delivery, headers, body, attempts, response } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1">
          <p>
            {delivery.hook} <span className="text-ink-2">{delivery.event.toLowerCase()} of</span>{' '}
            <span className="mono">
              {delivery.schema}.{delivery.table}
            </span>
          </p>
          <p>
            <SendStateText {...delivery} />
          </p>
        </div>
        <SendAgain detail={data} />
      </div>
      <Facts>
        <Fact name="Caused by">
          <SendCauseLine cause={delivery.cause} />
        </Fact>
        <Fact name="Asked for">
          <Time at={delivery.at} look="clock" />
        </Fact>
        {delivery.state === 'waiting' && delivery.nextAttemptAt && (
          <Fact name="Next attempt">
            <Time at={delivery.nextAttemptAt} />
          </Fact>
        )}
        <Fact name="webhook-id">
          <span className="mono">{data.messageId}</span>
        </Fact>
      </Facts>
      <Part title="Attempts">
        {attempts.length === 0 ? (
          <p className="text-ink-2">None yet.</p>
        ) : (
          <ol className="grid gap-1">
            {attempts.map(({ attempt, startedAt, durationMs, status, error: problem }) => (
              <li key={attempt} className="flex flex-wrap items-baseline gap-x-3">
                <span className="tabular text-ink-2">{attempt}</span>
                <Time at={startedAt} look="clock" className="mono text-ink-2" />
                <span className="mono">{status ?? '–'}</span>
                {durationMs !== null && <Duration ms={durationMs} className="text-ink-2" />}
                {problem && <span className="wrap-anywhere text-danger">{problem}</span>}
              </li>
            ))}
          </ol>
        )}
      </Part>
      <Part title="Sent">
        <Code text={`${delivery.method} ${delivery.url}`} copyLabel="Copy the address" />
        <HttpParts headers={headers} body={body} noBody="The body of a delivered webhook is not kept." />
      </Part>
      {response && (
        <Part title="Response">
          <HttpParts headers={response.headers} body={response.content} noBody={response.error ?? 'It has no body.'} />
        </Part>
      )}
    </div>
  )
}

function SendAgain({ detail: { delivery, canSendAgain } }: { readonly detail: DeliveryDetail }) {
  const { canChange } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const send = useMutation({
    mutationFn: () => api.sendWebhookAgain(delivery.id),
    onError: (problem) => void toast.add({ title: 'It was not sent again.', description: errorText(problem) }),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: deliveryQuery(delivery.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['deliveries'] }),
      ]),
  })
  if (!canChange || !canSendAgain) return null
  return (
    <Button disabled={send.isPending} onClick={() => send.mutate()}>
      {delivery.state === 'waiting' ? 'Send now' : 'Send again'}
    </Button>
  )
}
