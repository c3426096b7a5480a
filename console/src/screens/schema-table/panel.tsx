import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'

interface PanelProps {
  /** What the list is about, in a line. */
  readonly about: ReactNode
  /** The word on the button that makes another one; nothing for those who may not. */
  readonly action?: string | undefined
  readonly onAction?: (() => void) | undefined
  readonly children: ReactNode
}

/** A list of a table's parts under the line that says what they are. */
export function Panel({ about, action, onAction, children }: PanelProps) {
  return (
    <>
      <div className="flex min-h-10 shrink-0 items-center gap-3 border-line border-b px-4 py-1.5">
        <p className="min-w-0 flex-1 text-ink-2">{about}</p>
        {action !== undefined && <Button onClick={onAction}>{action}</Button>}
      </div>
      {children}
    </>
  )
}
