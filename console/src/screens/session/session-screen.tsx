import { useCallback, useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { Change, PersonRef, SessionDetail } from '../../lib/api/schemas.ts'
import { peopleIn, peopleNames } from '../../lib/person.ts'
import { RequestDrawer } from '../../thread/request/request-drawer.tsx'
import { inOrder } from '../../thread/undo/past.ts'
import type { Picked } from './moments/current.ts'
import { type Neighbours, useAutoplay } from './neighbours.tsx'
import { useNotesPanel } from './notes/use-notes-panel.ts'
import { useDrawn, useLiveEdge, useMomentInAddress, useSessionPlayback } from './recording/use-session-playback.ts'
import { RowDrawer } from './row-drawer.tsx'
import { findMoment, panelCallbacks, readRow, renderRow, type SessionSearch, shownOf, startOf } from './search.ts'
import { SessionActions } from './session-actions.tsx'
import { SessionFacts } from './session-facts.tsx'
import { SessionView } from './session-view.tsx'

interface SessionScreenProps {
  readonly detail: SessionDetail
  /** Its timeline is still to come. */
  readonly isComing: boolean
  /** There is a picture, or it is known that there is none. */
  readonly onDrawn: () => void
  /** As the address has it, its `t` that of the moment which it names. */
  readonly search: SessionSearch
  /** A function of the latest search: the playback writes its moment a while after it was drawn. */
  readonly onSearch: (change: (search: SessionSearch) => SessionSearch) => void
  readonly onRequests: () => void
  readonly onPerson: (person: PersonRef) => void
  readonly neighbours: Neighbours
}

/** A session with its playback; what is chosen in it stands in the address. */
export function SessionScreen(props: SessionScreenProps) {
  const { detail, isComing, onDrawn, search, onSearch, onRequests, onPerson, neighbours } = props
  const { session } = detail
  const [chosen, setChosen] = useState<Picked>()
  // The moment that a link names, until another one is chosen.
  const picked = findMoment(detail.moments, search.moment) ?? chosen
  const start = startOf(search, session.live)
  const { playback, recording } = useSessionPlayback(detail, start, (error, onRetry) => (
    <ErrorProblem error={error} onRetry={onRetry} />
  ))
  useDrawn(playback, recording, onDrawn)
  useMomentInAddress(playback, search.t, (t) => onSearch(({ moment: _moment, ...rest }) => ({ ...rest, t })))
  useLiveEdge(playback, start)
  const notes = useNotesPanel({ session, playback, search, onSearch })
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
          onNote={notes.onWrite}
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
        isComing={isComing}
        player={{ playback, recording, picked }}
        notes={notes}
        shown={shownOf(search)}
        {...panelCallbacks(onSearch)}
        onSelect={(moment) => {
          setChosen({ id: moment.id, atMs: moment.atMs })
          // The link's own time is that of its request, and must not come back as its moment goes.
          onSearch(({ moment: linked, note: _note, ...rest }) =>
            linked === undefined ? rest : { ...rest, t: moment.atMs / 1000 },
          )
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
  for (const name of ['moment', 'note', 'at']) address.searchParams.delete(name)
  address.searchParams.set('t', String(seconds))
  return address.href
}
