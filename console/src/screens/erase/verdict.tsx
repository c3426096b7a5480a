import type { UseQueryResult } from '@tanstack/react-query'
import type { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Dot } from '../../ui/badge.tsx'

export interface VerdictProps {
  readonly check: UseQueryResult<Awaited<ReturnType<typeof api.checkErasure>>>
}

/** Whether the database lets the account go, and what stands against it. */
export function Verdict({ check: { data, error, isFetching } }: VerdictProps) {
  return (
    <div role="status" className="grid gap-1">
      {error ? (
        <p className="text-danger">{errorText(error)}</p>
      ) : data === undefined || isFetching ? (
        <p className="text-ink-2">Trying it out, and rolling it back…</p>
      ) : data.refusal === null ? (
        <p>
          <Dot tone="ok">possible</Dot>{' '}
          <span className="text-ink-2">– it was tried out in the database, and rolled back</span>
        </p>
      ) : (
        <>
          <p>
            <Dot tone="danger">refused by the database</Dot>
          </p>
          <p className="mono wrap-anywhere text-danger">{data.refusal.message}</p>
          {data.refusal.detail !== null && <p className="mono wrap-anywhere text-ink-2">{data.refusal.detail}</p>}
        </>
      )}
    </div>
  )
}
