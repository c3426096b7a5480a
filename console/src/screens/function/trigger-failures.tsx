import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { deadLettersQuery, failedDeliveriesQuery, failedPage, type HookName } from './queries.ts'

/** The messages of a queue that failed for good, and the way to send them back. */
export function DeadLetters({ queue }: { readonly queue: string }) {
  const { data: count = 0, refetch } = useQuery(deadLettersQuery(queue))
  const send = useSendAgain(async () => (await api.replayMessages(`${queue}_dead`)).replayed, refetch)
  if (count === 0) return <span className="text-ink-2">no dead letters</span>
  return (
    <Failed
      link={
        <Link to="/queues/$name" params={{ name: `${queue}_dead` }} className="text-danger hover:underline">
          {count === 1 ? '1 dead letter' : `${count} dead letters`}
        </Link>
      }
      action="Send all back"
      send={send}
    />
  )
}

/** The deliveries of a webhook that failed for good, and the way to attempt them once more. */
export function FailedDeliveries({ of }: { readonly of: HookName }) {
  const { data: count = 0, refetch } = useQuery(failedDeliveriesQuery(of))
  const send = useSendAgain(async () => (await api.sendFailedWebhooksAgain(of)).sent, refetch)
  if (count === 0) return null
  return (
    <Failed
      link={
        <Link
          to="/webhooks"
          search={{ tab: 'deliveries', state: 'failed', ...of }}
          className="text-danger hover:underline"
        >
          {count === failedPage ? `${failedPage} failed or more` : `${count} failed`}
        </Link>
      }
      action="Send all again"
      send={send}
    />
  )
}

interface FailedProps {
  readonly link: ReactNode
  readonly action: string
  readonly send: { readonly isPending: boolean; mutate(): void }
}

function Failed({ link, action, send }: FailedProps) {
  const { canChange } = useRights()
  return (
    <span className="flex items-center gap-2">
      {link}
      {canChange && (
        <Button size="small" disabled={send.isPending} onClick={() => send.mutate()}>
          {action}
        </Button>
      )}
    </span>
  )
}

/** Sends what failed once more, and says how many. */
function useSendAgain(send: () => Promise<number>, onSent: () => Promise<unknown>) {
  const toast = useToast()
  return useMutation({
    mutationFn: send,
    onSuccess: (count) => {
      toast.add({ title: `${count} sent once more.` })
      inBackground(onSent())
    },
    onError: (problem) => void toast.add({ title: 'Nothing was sent.', description: errorText(problem) }),
  })
}
