import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'

interface OpenDialogProps {
  readonly open: boolean
  /** Whether the instance has no public channels. */
  readonly privateOnly: boolean
  readonly onClose: () => void
  readonly onOpen: (place: { readonly topic: string; readonly isPrivate: boolean }) => void
}

/** Asks for a topic; the channel need have no member yet. */
export function OpenDialog({ open, privateOnly, onClose, onOpen }: OpenDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Open a channel">
      <TopicForm privateOnly={privateOnly} onOpen={onOpen} />
    </Dialog>
  )
}

function TopicForm({ privateOnly, onOpen }: Pick<OpenDialogProps, 'privateOnly' | 'onOpen'>) {
  const [topic, setTopic] = useState('')
  const [isPrivate, setPrivate] = useState(privateOnly)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onOpen({ topic: topic.trim(), isPrivate })
      }}
    >
      <Field
        label="Topic"
        value={topic}
        required
        autoFocus
        pattern=".*\S.*"
        maxLength={1024}
        autoComplete="off"
        placeholder="room:1"
        onChange={(event) => setTopic(event.target.value)}
        hint="As the application names it in supabase.channel(…)."
      />
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={isPrivate}
          disabled={privateOnly}
          onChange={(event) => setPrivate(event.target.checked)}
        />
        <span className="grid">
          Private
          <span className="text-ink-2">
            {privateOnly ? 'The settings allow no other channels.' : 'Policies decide who hears and who speaks.'}
          </span>
        </span>
      </label>
      <Button type="submit" look="primary" size="large" className="justify-center">
        Open
      </Button>
    </form>
  )
}
