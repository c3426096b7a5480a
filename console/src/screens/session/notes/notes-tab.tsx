import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../lib/api/api-error.ts'
import type { Playback } from '../../../player/playback.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Kbd } from '../../../ui/kbd.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { formatOffset } from '../../../ui/time-text.ts'
import { usePlayback } from '../moments/current.ts'
import { NoteForm } from './note-form.tsx'
import type { NotesPanel, TimedNote } from './notes.ts'

interface NotesTabProps {
  readonly panel: NotesPanel
  readonly playback: Playback
}

/** What operators wrote at moments of the session, by time; one more is written at the moment that is shown. */
export function NotesTab({ panel, playback }: NotesTabProps) {
  const { items, problem, writingAtMs, add, onWrite, onWritten } = panel
  return (
    <>
      <div className="shrink-0 border-line border-b px-4 py-1.5">
        {writingAtMs === undefined ? (
          <WriteButton playback={playback} onWrite={onWrite} />
        ) : (
          <NoteForm
            label={`Note at ${formatOffset(writingAtMs, { tenths: true })}`}
            text=""
            onSave={(text) => add(writingAtMs, text)}
            onClose={onWritten}
          />
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {problem ?? (items === undefined ? <Loading /> : <NoteList panel={panel} items={items} />)}
      </div>
    </>
  )
}

function WriteButton({ playback, onWrite }: { readonly playback: Playback; readonly onWrite: () => void }) {
  const tenths = usePlayback(playback, ({ nowMs }) => Math.round(nowMs / 100))
  return (
    <Button onClick={onWrite} title="Write a note (m)">
      <span className="tabular">Write a note at {formatOffset(tenths * 100, { tenths: true })}</span>
      <Kbd>m</Kbd>
    </Button>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the notes" className="grid gap-3 p-4">
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  )
}

function NoteList({ panel, items }: { readonly panel: NotesPanel; readonly items: readonly TimedNote[] }) {
  const [deleting, setDeleting] = useState<TimedNote>()
  const remove = useMutation({
    mutationFn: ({ id }: TimedNote) => panel.remove(id),
    onSuccess: () => setDeleting(undefined),
  })
  if (items.length === 0)
    return (
      <p className="p-4 text-ink-2">
        No notes yet. A note stands at a moment of the session, here and on the time axis, for all who see sessions.
      </p>
    )
  return (
    <>
      <ol aria-label="Notes">
        {items.map((note) => (
          <NoteItem key={note.id} note={note} panel={panel} onDelete={() => setDeleting(note)} />
        ))}
      </ol>
      <ConfirmDialog
        open={deleting !== undefined}
        title="Delete this note?"
        action="Delete the note"
        isPending={remove.isPending}
        problem={remove.error === null ? undefined : errorText(remove.error)}
        onConfirm={() => deleting && remove.mutate(deleting)}
        onClose={() => {
          remove.reset()
          setDeleting(undefined)
        }}
      >
        {deleting === undefined || deleting.isMine
          ? 'Its text is gone for all who see this session.'
          : `${deleting.createdBy} wrote it. Its text is gone for all who see this session.`}
      </ConfirmDialog>
    </>
  )
}

interface NoteItemProps {
  readonly note: TimedNote
  readonly panel: NotesPanel
  readonly onDelete: () => void
}

function NoteItem({ note, panel, onDelete }: NoteItemProps) {
  const [isEditing, setEditing] = useState(false)
  const { atMs, text, createdBy, createdAt, editedAt, isMine, canDelete } = note
  const isChosen = note.id === panel.chosen
  const offset = formatOffset(atMs, { tenths: true })
  return (
    <li className={classes('grid gap-1 border-line border-b px-4 py-2', isChosen && 'bg-thread-wash/70')}>
      <div className="grid grid-cols-[var(--time)_minmax(0,1fr)] gap-x-4">
        <button
          type="button"
          aria-label={`Go to the note at ${offset}`}
          aria-current={isChosen ? 'true' : undefined}
          onClick={() => panel.onChoose(note)}
          className={classes(
            'mono tabular h-6 rounded-small text-right hover:underline',
            isChosen ? 'font-medium text-ink' : 'text-ink-2',
          )}
        >
          {offset}
        </button>
        {isEditing ? (
          <NoteForm
            label="Text of the note"
            text={text}
            onSave={(changed) => panel.change(note.id, changed)}
            onClose={() => setEditing(false)}
          />
        ) : (
          <p className="wrap-anywhere whitespace-pre-wrap pt-0.5">{text}</p>
        )}
      </div>
      <div className="flex min-w-0 items-center gap-1 pl-[calc(var(--time)+16px)] text-ink-2 text-sm">
        <span className="min-w-0 flex-1 truncate" title={createdBy}>
          {isMine ? 'you' : createdBy}, <Time at={createdAt} />
          {editedAt !== null && ', edited'}
        </span>
        <CopyButton text={panel.linkTo(note)} label={`Copy the link to the note at ${offset}`} />
        {isMine && !isEditing && (
          <Button look="bare" size="small" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )}
        {canDelete && (
          <Button look="bare" size="small" onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </li>
  )
}
