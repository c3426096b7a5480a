import type { SqlAnswer } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'

interface PendingBarProps {
  readonly answer: SqlAnswer
  readonly isDeciding: boolean
  readonly problem: string | undefined
  readonly onCommit: () => void
  readonly onRollback: () => void
}

/** What a run has changed, and the question whether it is kept. */
export function PendingBar({
  answer: { changes, expiresAt },
  isDeciding,
  problem,
  onCommit,
  onRollback,
}: PendingBarProps) {
  return (
    <section
      aria-label="Changes that wait"
      className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-thread-wash px-4 py-2"
    >
      <div className="grid min-w-0 flex-1 gap-0.5">
        <strong className="font-semibold">Nothing is kept yet.</strong>
        <ul className="flex flex-wrap gap-x-4">
          {changes?.tables.map((table) => (
            <li key={`${table.schema}.${table.table}`}>
              <span className="mono">
                {table.schema === 'public' ? '' : `${table.schema}.`}
                {table.table}
              </span>{' '}
              {countsOf(table)}
            </li>
          ))}
          {changes?.schema && <li>Definitions changed</li>}
          {changes && !changes.schema && changes.tables.length === 0 && <li>No rows changed</li>}
        </ul>
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </div>
      {expiresAt && (
        <span className="text-ink-2">
          Rolled back <Time at={expiresAt} />
        </span>
      )}
      <span className="flex gap-2">
        <Button disabled={isDeciding} onClick={onRollback}>
          Roll back
        </Button>
        <Button look="primary" disabled={isDeciding} onClick={onCommit}>
          Commit
        </Button>
      </span>
    </section>
  )
}

const count = new Intl.NumberFormat('en-GB')

function countsOf(table: NonNullable<SqlAnswer['changes']>['tables'][number]): string {
  const parts = (['inserted', 'updated', 'deleted'] as const).filter((name) => table[name] > 0)
  return parts.map((name) => `${count.format(table[name])} ${name}`).join(', ')
}
