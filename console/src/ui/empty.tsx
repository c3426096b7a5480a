import type { ReactNode } from 'react'

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
