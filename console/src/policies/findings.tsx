import type { ReactNode } from 'react'
import type { WhyFinding } from '../lib/api/schemas.ts'
import { TitledCode } from '../ui/titled-code.tsx'

interface FindingsProps {
  readonly findings: readonly WhyFinding[]
  /** What can be done with a finding's SQL. */
  readonly below?: (sql: string) => ReactNode
}

/** What explains the answer, the likeliest first, each with the statements that would change it. */
export function Findings({ findings, below }: FindingsProps) {
  if (findings.length === 0) return <p className="text-ink-2">Nothing hides or refuses rows of this request.</p>
  return (
    <ol aria-label="Explanation" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {findings.map(({ title, detail, sql }, index) => (
        <li key={title} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <p className={index === 0 ? 'wrap-anywhere font-semibold text-lg' : 'wrap-anywhere font-medium'}>{title}</p>
          {detail && <p className="wrap-anywhere text-ink-2">{detail}</p>}
          {sql && (
            <div className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-2">
              <TitledCode
                title="SQL that would change it; read it before you run it"
                level={3}
                sql={sql}
                copyLabel="Copy the SQL"
              />
              {below?.(sql)}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
