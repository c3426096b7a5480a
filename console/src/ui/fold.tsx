import { type ReactNode, useState } from 'react'
import { classes } from './classes.ts'

interface FoldProps {
  readonly summary: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** What opens below its line; it is drawn, and asked for, no sooner than it is opened. */
export function Fold({ summary, className, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary
        className={classes(
          'min-h-6 cursor-pointer truncate text-ink-2 leading-6 marker:text-ink-3 hover:text-ink',
          className,
        )}
      >
        {summary}
      </summary>
      {isOpen && children}
    </details>
  )
}
