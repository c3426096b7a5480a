import { Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { recordingFileUrl } from '../../lib/api/api.ts'
import type { Change, PersonRef, SessionSummary } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { personName } from '../../lib/person.ts'
import { useRights } from '../../lib/rights.ts'
import { saveFrom } from '../../lib/save-file.ts'
import type { Playback } from '../../player/playback.ts'
import { saveSessionTest } from '../../thread/copy/save-session-test.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatOffset } from '../../ui/time-text.ts'
import { useToast } from '../../ui/toast.tsx'
import { usePlayback } from './moments/current.ts'
import { NeighbourSteps, type Neighbours } from './neighbours.tsx'

// Seldom opened, and not worth a wait of every session.
const ClipDialog = lazy(async () => ({ default: (await import('./clip-dialog.tsx')).ClipDialog }))
const HoldDialog = lazy(async () => ({ default: (await import('../../holds/hold-dialog.tsx')).HoldDialog }))
const ShareDialog = lazy(async () => ({ default: (await import('./share/share-dialog.tsx')).ShareDialog }))
const UndoDialog = lazy(async () => ({ default: (await import('../../thread/undo/undo-dialog.tsx')).UndoDialog }))

interface SessionActionsProps {
  readonly session: SessionSummary
  /** What its requests changed, in their order. */
  readonly changes: readonly Change[]
  readonly playback: Playback
  /** The address of this view at a moment. */
  readonly linkAt: (seconds: number) => string
  /** Begins a note at the moment that is shown. */
  readonly onNote: () => void
  readonly onRequests: () => void
  readonly people: readonly PersonRef[]
  readonly onPerson: (person: PersonRef) => void
  readonly neighbours: Neighbours
  /** Whether the next session is played after this one. */
  readonly autoplay: boolean
  readonly onAutoplay: (on: boolean) => void
}

/** The link to this very moment, and what else can be done with a session. */
export function SessionActions(props: SessionActionsProps) {
  const { session, changes, playback, linkAt, onNote, onRequests, people, onPerson, neighbours, autoplay, onAutoplay } =
    props
  const { canChange, canProtect } = useRights()
  const toast = useToast()
  const [opened, setOpened] = useState<'share' | 'undo' | 'clip' | 'hold'>()
  const close = () => setOpened(undefined)
  const tenths = usePlayback(playback, ({ nowMs }) => Math.round(nowMs / 100))
  return (
    <>
      <NeighbourSteps neighbours={neighbours} />
      <CopyButton look="plain" text={linkAt(tenths / 10)} label={`Copy link at ${formatOffset(tenths * 100)}`}>
        <span className="tabular">
          <span className="max-sheet:hidden">Copy link at </span>
          {formatOffset(tenths * 100)}
        </span>
      </CopyButton>
      <Menu
        trigger={
          <Button look="bare" size="icon" aria-label="More">
            <Ellipsis aria-hidden="true" className="size-4" />
          </Button>
        }
        items={[
          { label: 'Write a note at this moment', onSelect: onNote },
          { label: 'Requests of this session', onSelect: onRequests },
          {
            label: autoplay ? 'Stop after this session' : 'Play the list, one session after another',
            onSelect: () => onAutoplay(!autoplay),
          },
          ...people.map((person) => ({
            label: people.length === 1 ? 'All sessions of this person' : `All sessions of ${personName(person)}`,
            onSelect: () => onPerson(person),
          })),
          ...(canChange ? [{ label: 'Share by a link…', onSelect: () => setOpened('share') }] : []),
          ...(canChange && changes.length > 0
            ? [{ label: 'Undo what it changed…', onSelect: () => setOpened('undo') }]
            : []),
          ...(canProtect ? [{ label: 'Place a legal hold…', onSelect: () => setOpened('hold') }] : []),
          ...(session.hasRecording
            ? [
                { label: 'Save the recording as a file', onSelect: () => saveFrom(recordingFileUrl(session.id)) },
                { label: 'Save a clip…', onSelect: () => setOpened('clip') },
              ]
            : []),
          {
            label: 'Save as a Playwright test',
            onSelect: () =>
              inBackground(
                saveSessionTest(session.id).catch((problem: Error) => toast.add({ title: problem.message })),
              ),
          },
          {
            label: 'Copy the session’s id',
            onSelect: () => inBackground(navigator.clipboard?.writeText(session.id)),
          },
        ]}
      />
      <Suspense fallback={null}>
        {opened === 'clip' && (
          <ClipDialog
            sessionId={session.id}
            durationMs={Math.max(session.durationMs, playback.endMs())}
            playback={playback}
            open
            onClose={close}
          />
        )}
        {opened === 'share' && <ShareDialog sessionId={session.id} open onClose={close} />}
        {opened === 'hold' && <HoldDialog on={{ kind: 'session', id: session.id }} onClose={close} />}
        {opened === 'undo' && (
          <UndoDialog open onClose={close} title="Undo what this session changed" changes={changes} />
        )}
      </Suspense>
    </>
  )
}
