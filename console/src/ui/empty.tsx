import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface EmptyProps {
  readonly title: string
  /** What will appear here, and what makes it appear. */
  readonly children?: ReactNode
}

/** A place with nothing in it yet: says what will be here and how it comes. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="mx-auto grid max-w-[560px] gap-3 px-4 py-16">
      <h2 className="font-semibold text-lg">{title}</h2>
      <div className="grid gap-3 text-ink-2">{children}</div>
    </div>
  )
}

interface NoMatchProps extends EmptyProps {
  /** What the button is called that takes the filter away. */
  readonly all: string
  readonly onAll: () => void
}

/** A place where a filter leaves nothing, and the way back. */
export function NoMatch({ title, all, onAll, children }: NoMatchProps) {
  return (
    <Empty title={title}>
      {children}
      <p>
        <Button onClick={onAll}>{all}</Button>
      </p>
    </Empty>
  )
}
