import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface FactsProps {
  readonly className?: string
  /** Of `Fact`s. */
  readonly children: ReactNode
}

/** Names and values below one another, aligned. */
export function Facts({ className, children }: FactsProps) {
  return <dl className={classes('grid grid-cols-[112px_minmax(0,1fr)] items-center gap-y-1', className)}>{children}</dl>
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

/** One name with its value. */
export function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="wrap-anywhere min-w-0">{children}</dd>
    </>
  )
}
