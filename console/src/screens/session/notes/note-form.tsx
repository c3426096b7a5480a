import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/text-area.tsx'

interface NoteFormProps {
  readonly label: string
  /** The text at first. */
  readonly text: string
  readonly onSave: (text: string) => Promise<unknown>
  readonly onClose: () => void
}

/** The text of a note while it is written. `Ctrl Enter` or `⌘Enter` saves it, `Esc` leaves it. */
export function NoteForm({ label, text: textAtFirst, onSave, onClose }: NoteFormProps) {
  const [text, setText] = useState(textAtFirst)
  const save = useMutation({ mutationFn: () => onSave(text.trim()), onSuccess: onClose })
  const canSave = text.trim() !== '' && !save.isPending
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (canSave) save.mutate()
      }}
    >
      <TextArea
        label={label}
        look="prose"
        rows={3}
        maxLength={4000}
        // The operator has just asked to write here.
        autoFocus
        value={text}
        problem={save.error === null ? undefined : errorText(save.error)}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSave) save.mutate()
        }}
      />
      <div className="flex items-center gap-2">
        <Button type="submit" look="primary" disabled={!canSave}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
