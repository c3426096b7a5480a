import { lazy, Suspense } from 'react'
import type { Change } from '../../lib/api/schemas.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

// A screen does not wait for what is opened in it.
const UndoQuestion = lazy(async () => ({ default: (await import('./undo-question.tsx')).UndoQuestion }))

interface UndoDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** In the order in which they were made. */
  readonly changes: readonly Change[]
  /** The changes with what came after them of the row, which may be taken back along. */
  readonly withLater?: readonly Change[] | undefined
}

/** Shows what would take changes back, and does so in one transaction. Rows that changed since are left as they are. */
export function UndoDialog({ open, onClose, title, ...question }: UndoDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Suspense fallback={<SkeletonRows rows={4} />}>
        <UndoQuestion onClose={onClose} {...question} />
      </Suspense>
    </Dialog>
  )
}
