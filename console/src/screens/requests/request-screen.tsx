import { Page } from '../../frame/page.tsx'
import type { RequestDetail } from '../../lib/api/schemas.ts'
import { RequestView } from '../../thread/request/request-view.tsx'
import { Status } from '../../ui/badge.tsx'
import { Duration, Time } from '../../ui/time.tsx'

/** One request as a full page. */
export function RequestScreen({ detail }: { readonly detail: RequestDetail }) {
  const { method, path, status, durationMs, at } = detail.request
  return (
    <Page
      crumbs={[{ label: 'Requests', link: { to: '/requests' } }]}
      title={
        <span className="mono">
          {method} {path}
        </span>
      }
      facts={
        <>
          <Status status={status} />
          <Duration ms={durationMs} />
          <Time at={at} />
        </>
      }
    >
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="max-w-[1280px]">
          <RequestView detail={detail} />
        </div>
      </div>
    </Page>
  )
}
