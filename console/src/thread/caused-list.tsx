import { Link } from '@tanstack/react-router'
import type { RequestSummary } from '../lib/api/schemas.ts'
import { readableQuery } from '../lib/request-text.ts'
import { Status } from '../ui/badge.tsx'
import { Duration } from '../ui/time.tsx'

/** The requests that were made for another, for a job's run or a queue's message; each leads to its own page. */
export function CausedList({ requests }: { readonly requests: readonly RequestSummary[] }) {
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {requests.map(({ id, method, path, query, status, durationMs }) => (
        <li key={id} className="flex min-w-0 items-baseline gap-x-3">
          <Link to="/requests/$id" params={{ id: id }} className="mono min-w-0 truncate hover:underline">
            <b className="font-medium">{method}</b> {path}
            <span className="text-ink-2">{readableQuery(query)}</span>
          </Link>
          <span className="ml-auto flex shrink-0 gap-x-3">
            <Status status={status} />
            <Duration ms={durationMs} className="min-w-14 text-right" />
          </span>
        </li>
      ))}
    </ol>
  )
}
