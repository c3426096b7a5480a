import { useBlocker } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface LeaveDialogProps {
  readonly isChanged: boolean
  /** What would be lost, as a sentence. */
  readonly text: string
}

/** Leaving a screen with changes that are not saved is asked about; so is leaving the console. */
export function LeaveDialog({ isChanged, text }: LeaveDialogProps) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  return (
    <Dialog open={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <p className="pb-3">{text}</p>
      <div className="flex justify-end gap-1.5">
        <Button onClick={() => reset?.()}>Stay</Button>
        <Button look="danger" onClick={() => proceed?.()}>
          Discard and leave
        </Button>
      </div>
    </Dialog>
  )
}
