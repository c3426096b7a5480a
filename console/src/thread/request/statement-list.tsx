import type { Statement } from '../../lib/api/schemas.ts'
import { Duration } from '../../ui/time.tsx'
import { StatementCode } from '../sql/statement-code.tsx'
import { StatementPlan } from './statement-plan.tsx'

interface StatementListProps {
  readonly requestId: string
  readonly statements: readonly Statement[]
  /** Whether their plans may be asked for. */
  readonly canPlan: boolean
}

/** The SQL that ran for a request, in order. */
export function StatementList({ requestId, statements, canPlan }: StatementListProps) {
  return (
    <ol className="grid gap-3">
      {statements.map((statement, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: SQL can repeat within a millisecond, so it is no key; the order never changes
        <li key={index} className="grid gap-1">
          <StatementCode text={statement.text} />
          <div className="tabular flex flex-wrap gap-x-3 text-ink-2 text-sm">
            <span>
              as <span className="mono">{statement.role}</span>
            </span>
            {statement.rows !== null && <span>{countRows(statement.rows)}</span>}
            <Duration ms={statement.durationMs} />
            {statement.parameterTypes.length > 0 && (
              <span className="mono">
                {statement.parameterTypes.map((type, index) => `$${index + 1} ${type}`).join(', ')}
              </span>
            )}
            {statement.errorCode && <span className="mono text-danger">{statement.errorCode}</span>}
          </div>
          {canPlan && <StatementPlan requestId={requestId} place={index} />}
        </li>
      ))}
    </ol>
  )
}

function countRows(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-GB')} rows`
}
