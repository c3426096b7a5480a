import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CardProblem } from './card.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'

interface ConfirmDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  /** The question. */
  readonly title: string
  /** What is done: `Archive the flag`. */
  readonly action: string
  /** It waits, for what was asked or for what must be known first. */
  readonly isPending: boolean
  /** Why it could not be done. */
  readonly problem: string | undefined
  readonly onConfirm: () => void
  /** A name that is typed first, where much goes. */
  readonly typed?: string
  /** What follows from it. */
  readonly children: ReactNode
}

/** Asks before something is taken away. */
export function ConfirmDialog({ open, onClose, title, ...question }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Question onClose={onClose} {...question} />
    </Dialog>
  )
}

/** Apart from the dialog, so that its state, what was typed, is gone when that closes. */
function Question(props: Omit<ConfirmDialogProps, 'open' | 'title'>) {
  const { onClose, action, isPending, problem, onConfirm, typed: name, children } = props
  const [typed, setTyped] = useState('')
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        // React takes the event on to a form around the dialog.
        event.stopPropagation()
        onConfirm()
      }}
    >
      <div>{children}</div>
      {name === undefined ? (
        <CardProblem text={problem} />
      ) : (
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoFocus
          autoComplete="off"
          problem={problem}
        />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" disabled={isPending || (name !== undefined && typed !== name)}>
          {action}
        </Button>
      </div>
    </form>
  )
}
