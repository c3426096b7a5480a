import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { peopleIn, peopleNames, personSearch } from '../../lib/person.ts'
import { requestQuery } from '../../screens/requests/queries.ts'
import type { Picked } from '../../screens/session/current.ts'
import { sessionQuery } from '../../screens/session/queries.ts'
import {
  type RowRef,
  readChips,
  readRow,
  readSessionSearch,
  renderChips,
  renderRow,
  type SessionSearch,
} from '../../screens/session/search.ts'
import { SessionActions } from '../../screens/session/session-actions.tsx'
import { SessionFacts } from '../../screens/session/session-facts.tsx'
import { SessionPending } from '../../screens/session/session-pending.tsx'
import { SessionView } from '../../screens/session/session-view.tsx'
import { useMomentInAddress, useSessionPlayback } from '../../screens/session/use-session-playback.ts'
import { historyQuery } from '../../screens/table/queries.ts'
import { RowHistory } from '../../screens/table/row-history.tsx'
import { rowName } from '../../thread/change-lines.tsx'
import { RequestView } from '../../thread/request-view.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

export const Route = createFileRoute('/sessions/$id')({
  validateSearch: readSessionSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(sessionQuery(params.id)),
  pendingComponent: SessionPending,
  component: SessionRoute,
})

function SessionRoute() {
  const { id } = Route.useParams()
  // Another session is another playback: nothing of the one before is to remain.
  return <OpenSession key={id} id={id} />
}

function OpenSession({ id }: { readonly id: string }) {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: detail } = useSuspenseQuery(sessionQuery(id))
  const [picked, setPicked] = useState<Picked>()
  const { playback, recording } = useSessionPlayback(detail, (search.t ?? 0) * 1000, (error, onRetry) => (
    <ErrorProblem error={error} onRetry={onRetry} />
  ))
  const go = (change: (search: SessionSearch) => SessionSearch) => {
    navigate({ search: change, replace: true }).catch(console.error)
  }
  useMomentInAddress(playback, search.t, (t) => go((now) => ({ ...now, t })))
  const { session } = detail
  const close = () => go(({ request: _request, row: _row, ...rest }) => rest)
  return (
    <Page
      crumbs={[{ label: 'Sessions', link: { to: '/sessions' } }]}
      title={peopleNames(session)}
      facts={<SessionFacts session={session} />}
      actions={
        <SessionActions
          session={session}
          playback={playback}
          linkAt={(t) => addressAt(t)}
          onRequests={() => {
            navigate({ to: '/requests', search: { session: id } }).catch(console.error)
          }}
          people={peopleIn(session)}
          onPerson={(person) => {
            navigate({ to: '/sessions', search: { q: personSearch(person) } }).catch(console.error)
          }}
        />
      }
    >
      <SessionView
        detail={detail}
        recording={recording}
        playback={playback}
        picked={picked}
        tab={search.tab ?? 'thread'}
        filter={search.q ?? ''}
        chips={readChips(search.lane)}
        onTab={(tab) => go(({ tab: _tab, ...rest }) => (tab === 'thread' ? rest : { ...rest, tab }))}
        onFilter={(q) => go(({ q: _q, ...rest }) => (q === '' ? rest : { ...rest, q }))}
        onChips={(on) => go(({ lane: _lane, ...rest }) => ({ ...rest, ...renderChips(on) }))}
        onSelect={(moment) => {
          setPicked({ id: moment.id, atMs: moment.atMs })
          playback.seek(moment.atMs)
        }}
        onRequest={(request) => go(({ row: _row, ...rest }) => ({ ...rest, request: request.id }))}
        onRow={(change) => go(({ request: _request, ...rest }) => ({ ...rest, row: renderRow(change) }))}
        drawer={
          <>
            <RequestDrawer id={search.request} onClose={close} />
            <RowDrawer row={readRow(search.row)} onClose={close} />
          </>
        }
      />
    </Page>
  )
}

/** This view's address, at a moment of the session. */
function addressAt(seconds: number): string {
  const address = new URL(window.location.href)
  address.searchParams.set('t', String(seconds))
  return address.href
}

function RequestDrawer({ id, onClose }: { readonly id: string | undefined; readonly onClose: () => void }) {
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      label="Request"
      title={
        id && (
          <Link to="/requests/$id" params={{ id }} className="hover:underline">
            Request <span className="mono font-normal text-ink-2">{id.slice(-12)}</span>
          </Link>
        )
      }
    >
      {id && <OpenRequest id={id} />}
    </Drawer>
  )
}

function OpenRequest({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(requestQuery(id))
  if (data) return <RequestView detail={data} />
  return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows />
}

function RowDrawer({ row, onClose }: { readonly row: RowRef | undefined; readonly onClose: () => void }) {
  return (
    <Drawer
      open={row !== undefined}
      onClose={onClose}
      label="Row"
      title={
        row && (
          <Link
            to="/data/$schema/$table"
            params={{ schema: row.schema, table: row.table }}
            search={{ row: JSON.stringify(row.key), tab: 'history' }}
            className="mono text-base hover:underline"
          >
            {rowName(row)}
          </Link>
        )
      }
    >
      {row && <OpenRow row={row} />}
    </Drawer>
  )
}

function OpenRow({ row }: { readonly row: RowRef }) {
  const { data, error, refetch } = useQuery(historyQuery(row.schema, row.table, row.key))
  if (data) return <RowHistory past={data} />
  return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows rows={6} />
}
