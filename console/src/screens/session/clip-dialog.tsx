import { type FormEvent, useState } from 'react'
import { recordingFileUrl } from '../../lib/api/api.ts'
import { saveFrom } from '../../lib/save-file.ts'
import { parseOffset } from '../../lib/time.ts'
import type { Playback } from '../../player/playback.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formatDuration, formatOffset } from '../../ui/time-text.ts'

interface ClipDialogProps {
  readonly sessionId: string
  readonly durationMs: number
  readonly playback: Playback
  readonly open: boolean
  readonly onClose: () => void
}

/** A clip is so long at first. */
const usualMs = 30_000

/** Saves a stretch of the recording as a file of its own, which begins with the whole page. */
export function ClipDialog({ open, onClose, ...clip }: ClipDialogProps) {
  return (
    <Dialog title="Save a clip" open={open} onClose={onClose}>
      {open && <ClipForm {...clip} onClose={onClose} />}
    </Dialog>
  )
}

function ClipForm({ sessionId, durationMs, playback, onClose }: Omit<ClipDialogProps, 'open'>) {
  const [begins] = useState(() => Math.min(playback.state().nowMs, Math.max(0, durationMs - 1000)))
  const [from, setFrom] = useState(() => formatOffset(begins, { tenths: true }))
  const [to, setTo] = useState(() => formatOffset(Math.min(begins + usualMs, durationMs), { tenths: true }))
  const [fromMs, toMs] = [parseOffset(from), parseOffset(to)]
  const problems = {
    from: fromMs === undefined ? 'Write it as 1:23.4.' : fromMs >= durationMs ? 'The session is shorter.' : undefined,
    to:
      toMs === undefined
        ? 'Write it as 1:23.4.'
        : fromMs !== undefined && toMs <= fromMs
          ? 'It is before the beginning.'
          : undefined,
  }
  const isValid = problems.from === undefined && problems.to === undefined
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    saveFrom(`${recordingFileUrl(sessionId)}?from=${fromMs}&to=${toMs}`)
    onClose()
  }
  return (
    <form className="grid gap-3" onSubmit={save}>
      <p className="text-ink-2">
        The file has what happened in this time and the page as it was at its beginning, nothing from before or after.
        The console opens it, here or elsewhere.
      </p>
      <div className="grid grid-cols-2 gap-3">
        <Field label="From" value={from} problem={problems.from} onChange={({ target }) => setFrom(target.value)} />
        <Field label="To" value={to} problem={problems.to} onChange={({ target }) => setTo(target.value)} />
      </div>
      <div className="flex items-center gap-3">
        <Button type="submit" look="primary" disabled={!isValid}>
          Save
        </Button>
        {isValid && (
          <span className="tabular text-ink-2">{formatDuration(Math.min(toMs ?? 0, durationMs) - (fromMs ?? 0))}</span>
        )}
      </div>
    </form>
  )
}
