import type { WhyLook } from '../lib/api/schemas.ts'
import { Badge } from '../ui/badge.tsx'

type Policy = WhyLook['gates'][number]['policies'][number]

interface PolicyViewProps {
  readonly policy: Policy
  readonly role: string
}

/** A policy: its roles, and of how many rows each of its clauses is true. */
export function PolicyView({ policy, role }: PolicyViewProps) {
  const { name, permissive, roles, isForCaller, clauses, rows, problem } = policy
  const lines = clauses.filter(({ joined }) => joined === null)
  return (
    <article
      aria-label={`Policy ${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-control border border-line p-3"
    >
      <header className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{name}</span>
        {!permissive && <Badge tone="warn">restrictive</Badge>}
        <span className="text-ink-2">for {roles.join(', ')}</span>
        {!isForCaller && <Badge>not for {role}</Badge>}
      </header>
      {problem !== null && <p className="wrap-anywhere text-danger">{problem}</p>}
      {clauses.length === 0 && <p className="text-ink-2">asks nothing: it holds for every row</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
        {clauses.map(({ text, joined, depth }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a clause can stand twice in an expression, whose order never changes
          <li key={index} className="flex items-baseline gap-3" style={{ paddingLeft: depth * 14 }}>
            <code className="mono wrap-anywhere min-w-0 flex-1">{joined === null ? text : joinedText[joined]}</code>
            {rows.length > 0 && (joined === null || lines.length !== clauses.length) && (
              <span className="tabular whitespace-nowrap text-ink-2">
                true of {rows.filter((row) => row[index]?.value === true).length} of {rows.length}
              </span>
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}

const joinedText = { and: 'all of', or: 'any of', not: 'not' }
