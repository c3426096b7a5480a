import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'

interface NameDialogProps {
  readonly open: boolean
  readonly title: string
  readonly label: string
  readonly action: string
  readonly initial: string
  readonly onClose: () => void
  readonly onName: (name: string) => void
}

/** Asks for a name: that of a new folder, or where an object is to be. */
export function NameDialog({ open, title, onClose, ...form }: NameDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <NameForm {...form} onClose={onClose} />
    </Dialog>
  )
}

function NameForm({ label, action, initial, onClose, onName }: Omit<NameDialogProps, 'open' | 'title'>) {
  const [name, setName] = useState(initial)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onName(name)
        onClose()
      }}
    >
      <Field
        label={label}
        value={name}
        required
        autoComplete="off"
        maxLength={1024}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit">
          {action}
        </Button>
      </div>
    </form>
  )
}
