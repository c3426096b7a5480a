import { useCallback, useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { Change, PersonRef, SessionDetail } from '../../lib/api/schemas.ts'
import { peopleIn, peopleNames } from '../../lib/person.ts'
import { RequestDrawer } from '../../thread/request/request-drawer.tsx'
import { inOrder } from '../../thread/undo/past.ts'
import type { Picked } from './moments/current.ts'
import { type Neighbours, useAutoplay } from './neighbours.tsx'
import { useMomentInAddress, useSessionPlayback } from './recording/use-session-playback.ts'
import { RowDrawer } from './row-drawer.tsx'
import { readChips, readRow, renderChips, renderRow, type SessionSearch } from './search.ts'
import { SessionActions } from './session-actions.tsx'
import { SessionFacts } from './session-facts.tsx'
import { SessionView } from './session-view.tsx'

interface SessionScreenProps {
  readonly detail: SessionDetail
  readonly search: SessionSearch
  /** A function of the latest search: the playback writes its moment a while after it was drawn. */
  readonly onSearch: (change: (search: SessionSearch) => SessionSearch) => void
  readonly onRequests: () => void
  readonly onPerson: (person: PersonRef) => void
  readonly neighbours: Neighbours
}

/** A session with its playback; what is chosen in it stands in the address. */
export function SessionScreen(props: SessionScreenProps) {
  const { detail, search, onSearch, onRequests, onPerson, neighbours } = props
  const { session } = detail
  const [picked, setPicked] = useState<Picked>()
  const { playback, recording } = useSessionPlayback(detail, (search.t ?? 0) * 1000, (error, onRetry) => (
    <ErrorProblem error={error} onRetry={onRetry} />
  ))
  useMomentInAddress(playback, search.t, (t) => onSearch((now) => ({ ...now, t })))
  const { next } = neighbours
  const goNext = useCallback(() => next !== undefined && neighbours.onGo(next), [next, neighbours])
  const autoplay = search.auto === true
  useAutoplay(playback, recording.kind === 'ready', autoplay, next === undefined ? undefined : goNext)
  const close = () => onSearch(({ request: _request, row: _row, ...rest }) => rest)
  return (
    <Page
      crumbs={[{ label: 'Sessions', link: { to: '/sessions' } }]}
      title={peopleNames(session)}
      facts={<SessionFacts session={session} />}
      actions={
        <SessionActions
          session={session}
          changes={changesIn(detail)}
          playback={playback}
          linkAt={addressAt}
          onRequests={onRequests}
          people={peopleIn(session)}
          onPerson={onPerson}
          neighbours={neighbours}
          autoplay={autoplay}
          onAutoplay={(on) => onSearch(({ auto: _auto, ...rest }) => (on ? { ...rest, auto: true } : rest))}
        />
      }
    >
      <SessionView
        detail={detail}
        player={{ playback, recording, picked }}
        shown={{ tab: search.tab ?? 'thread', filter: search.q ?? '', chips: readChips(search.lane) }}
        onTab={(tab) => onSearch(({ tab: _tab, ...rest }) => (tab === 'thread' ? rest : { ...rest, tab }))}
        onFilter={(q) => onSearch(({ q: _q, ...rest }) => (q === '' ? rest : { ...rest, q }))}
        onChips={(on) => onSearch(({ lane: _lane, ...rest }) => ({ ...rest, ...renderChips(on) }))}
        onSelect={(moment) => {
          setPicked({ id: moment.id, atMs: moment.atMs })
          playback.seek(moment.atMs)
        }}
        onRequest={(request) => onSearch(({ row: _row, ...rest }) => ({ ...rest, request: request.id }))}
        onRow={(change) => onSearch(({ request: _request, ...rest }) => ({ ...rest, row: renderRow(change) }))}
      />
      <RequestDrawer id={search.request} onClose={close} />
      <RowDrawer row={readRow(search.row)} onClose={close} />
    </Page>
  )
}

/** What the session's own requests changed, in the order in which it was committed. */
const changesIn = ({ moments }: SessionDetail): readonly Change[] =>
  inOrder(
    moments.flatMap(({ requests }) => requests.filter(({ link }) => !link.foreign).flatMap(({ changes }) => changes)),
  )

/** This view's address, at a moment of the session. */
function addressAt(seconds: number): string {
  const address = new URL(window.location.href)
  address.searchParams.set('t', String(seconds))
  return address.href
}
