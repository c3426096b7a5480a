import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { recordingFileUrl } from '../../lib/api/api.ts'
import type { PersonRef, SessionSummary } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { personName } from '../../lib/person.ts'
import { useRights } from '../../lib/rights.ts'
import type { Playback } from '../../player/playback.ts'
import { saveSessionTest } from '../../thread/copy/save-session-test.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatOffset } from '../../ui/time-text.ts'
import { useToast } from '../../ui/toast.tsx'
import { usePlayback } from './moments/current.ts'
import { NeighbourSteps, type Neighbours } from './neighbours.tsx'
import { ShareDialog } from './share/share-dialog.tsx'

interface SessionActionsProps {
  readonly session: SessionSummary
  readonly playback: Playback
  /** The address of this view at a moment. */
  readonly linkAt: (seconds: number) => string
  readonly onRequests: () => void
  readonly people: readonly PersonRef[]
  readonly onPerson: (person: PersonRef) => void
  readonly neighbours: Neighbours
  /** Whether the next session is played after this one. */
  readonly autoplay: boolean
  readonly onAutoplay: (on: boolean) => void
}

/** Has the browser save what an address answers. */
function save(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

/** The link to this very moment, and what else can be done with a session. */
export function SessionActions(props: SessionActionsProps) {
  const { session, playback, linkAt, onRequests, people, onPerson, neighbours, autoplay, onAutoplay } = props
  const { canChange } = useRights()
  const [shares, setShares] = useState(false)
  const toast = useToast()
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
          { label: 'Requests of this session', onSelect: onRequests },
          {
            label: autoplay ? 'Stop after this session' : 'Play the list, one session after another',
            onSelect: () => onAutoplay(!autoplay),
          },
          ...people.map((person) => ({
            label: people.length === 1 ? 'All sessions of this person' : `All sessions of ${personName(person)}`,
            onSelect: () => onPerson(person),
          })),
          ...(canChange ? [{ label: 'Share by a link…', onSelect: () => setShares(true) }] : []),
          ...(session.hasRecording
            ? [{ label: 'Save the recording as a file', onSelect: () => save(recordingFileUrl(session.id)) }]
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
      <ShareDialog sessionId={session.id} open={shares} onClose={() => setShares(false)} />
    </>
  )
}
