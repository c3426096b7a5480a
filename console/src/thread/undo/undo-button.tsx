import { useState } from 'react'
import type { Change } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { UndoDialog } from './undo-dialog.tsx'

interface UndoButtonProps {
  /** The dialog's title. */
  readonly title: string
  /** In the order in which they were made. */
  readonly changes: readonly Change[]
}

/** Opens what would take changes back, for those who may change rows. */
export function UndoButton({ title, changes }: UndoButtonProps) {
  const { canChange } = useRights()
  const [isOpen, setOpen] = useState(false)
  if (!canChange || changes.length === 0) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Undo…
      </Button>
      <UndoDialog open={isOpen} onClose={() => setOpen(false)} title={title} changes={changes} />
    </>
  )
}
