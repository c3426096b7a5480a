import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface LeaveDialogProps {
  readonly isChanged: boolean
  /** Whether the changes are on their way: a save that succeeds leaves by itself. */
  readonly isSaving?: boolean
  /** Whether another tab or file of the screen, which its address names after `?`, loses them as well. */
  readonly isLostBySearch?: boolean
  /** What would be lost, as a sentence. */
  readonly text: string
}

/** Leaving a screen with changes that are not saved is asked about; so is leaving the console. */
export function LeaveDialog({ isChanged, isSaving = false, isLostBySearch = false, text }: LeaveDialogProps) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && (current.pathname !== next.pathname || (isLostBySearch && !isSame(current.search, next.search))),
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  const isSettled = status === 'blocked' && !isChanged
  // The navigation waits in the router, which does not see what is saved.
  useEffect(() => {
    if (isSettled) proceed?.()
  }, [isSettled, proceed])
  return (
    <Dialog
      open={status === 'blocked' && isChanged}
      onClose={() => reset?.()}
      title={isSaving ? 'Saving before you leave' : 'Leave without saving?'}
    >
      <p className="pb-3">{isSaving ? 'The page that you asked for opens once the changes are saved.' : text}</p>
      <div className="flex justify-end gap-1.5">
        <Button onClick={() => reset?.()}>Stay</Button>
        {!isSaving && (
          <Button look="danger" onClick={() => proceed?.()}>
            Discard and leave
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const isSame = (left: object, right: object): boolean => JSON.stringify(left) === JSON.stringify(right)
