import { Link } from '@tanstack/react-router'
import type { RequestDetail } from '../../lib/api/schemas.ts'
import { readableQuery } from '../../lib/request-text.ts'
import { useRights } from '../../lib/rights.ts'
import { Status } from '../../ui/badge.tsx'
import { Duration, Time } from '../../ui/time.tsx'
import { CopyMenu } from '../copy/copy-menu.tsx'

/** What was asked and how it ended, and the ways on: requests like it, why it was answered so, its text to copy. */
export function RequestHeading({ detail }: { readonly detail: RequestDetail }) {
  const { request, likeness } = detail
  const { canChange } = useRights()
  return (
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
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/requests"
          search={{ method: request.method, route: likeness.route, shape: likeness.shape, last: '7d' }}
          title="Requests of this route with these parameters, of the last 7 days"
          className="quiet-link"
        >
          Requests like this
        </Link>
        {canChange && request.service === 'rest' && (
          <Link to="/requests/why" search={{ request: request.id }} className="quiet-link">
            Why this answer?
          </Link>
        )}
        <CopyMenu detail={detail} />
      </p>
    </div>
  )
}
