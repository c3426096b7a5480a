import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  /** The question. */
  readonly title: string
  /** What is done: `Archive the flag`. */
  readonly action: string
  readonly isPending: boolean
  /** Why it could not be done. */
  readonly problem: string | undefined
  readonly onConfirm: () => void
  /** What follows from it. */
  readonly children: ReactNode
}

/** Asks before something is taken away. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, action, isPending, problem, onConfirm, children } = props
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="grid gap-4">
        <p>{children}</p>
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" disabled={isPending} onClick={() => onConfirm()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
