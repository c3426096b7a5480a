import type { ReactNode } from 'react'
import { Code } from './code.tsx'

interface TitledCodeProps {
  readonly title: string
  /** The level of its heading. */
  readonly level: 2 | 3
  readonly sql: string
  readonly copyLabel: string
  /** What can be done with it. */
  readonly action?: ReactNode
}

/** A statement under its title. */
export function TitledCode({ title, level, sql, copyLabel, action }: TitledCodeProps) {
  const Heading = `h${level}` as const
  return (
    <article aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <header className="flex items-center gap-2">
        <Heading className={level === 2 ? 'min-w-0 flex-1 truncate font-medium' : 'min-w-0 flex-1 truncate'}>
          {title}
        </Heading>
        {action}
      </header>
      <Code text={sql} language="sql" copyLabel={copyLabel} />
    </article>
  )
}
