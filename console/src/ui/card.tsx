import type { ReactNode } from 'react'

interface CardProps {
  readonly title: string
  readonly about: ReactNode
  readonly action?: ReactNode
  readonly children?: ReactNode
}

/** A part of a page of settings: its title, an explanation, an action, its content. */
export function Card({ title, about, action, children }: CardProps) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-float border border-line bg-surface p-4"
    >
      <header className="flex items-start justify-between gap-4 max-narrow:flex-col">
        <div className="grid gap-1">
          <h2 className="font-semibold">{title}</h2>
          <p className="text-ink-2">{about}</p>
        </div>
        {action}
      </header>
      {children}
    </section>
  )
}

/** Why a change was not made. */
export function CardProblem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p role="alert" className="text-danger">
      {text}
    </p>
  )
}
