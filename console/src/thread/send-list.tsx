import { Link } from '@tanstack/react-router'
import type { Send } from '../lib/api/schemas.ts'
import { Time } from '../ui/time.tsx'
import { SendStateText } from './send-state.tsx'

/** The webhooks and requests from SQL that a request, or a job's run, asked for; each leads to its own page. */
export function SendList({ sends }: { readonly sends: readonly Send[] }) {
  return (
    <ol className="grid gap-2">
      {sends.map((send) => (
        <li key={`${send.kind} ${send.id}`} className="grid gap-0.5">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <SendLink send={send} />
            <SendStateText {...send} />
            <Time at={send.at} look="clock" className="ml-auto text-ink-2 text-sm" />
          </div>
          <p className="mono wrap-anywhere text-ink-2">
            {send.method} {send.url}
          </p>
          {send.error && <p className="text-danger text-sm">{send.error}</p>}
        </li>
      ))}
    </ol>
  )
}

/** The link to a webhook's delivery, or to a request of pg_net. */
export function SendLink({ send }: { readonly send: Send }) {
  const { kind, id } = send
  return (
    <Link
      to="/webhooks"
      search={kind === 'webhook' ? { tab: 'deliveries', open: Number(id) } : { tab: 'requests', open: Number(id) }}
      className="font-medium hover:underline"
    >
      {sendName(send)}
    </Link>
  )
}

/** What was sent, in words. */
export const sendName = ({ kind, hook }: Send): string => (kind === 'webhook' ? `webhook ${hook}` : 'request from SQL')
