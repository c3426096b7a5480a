import { useMutation } from '@tanstack/react-query'
import { errorText } from '../../lib/api/api-error.ts'
import type { WhyTried } from '../../lib/api/schemas.ts'
import { readableJson } from '../../lib/readable-json.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { trySql } from './queries.ts'
import type { WhySearch } from './search.ts'

interface TrySqlProps {
  readonly search: WhySearch
  readonly sql: string
}

/** Tries a finding's SQL: what the caller would be answered with it, in a transaction that is rolled back. */
export function TrySql({ search, sql }: TrySqlProps) {
  const attempt = useMutation({ mutationFn: () => trySql(search, sql) })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button disabled={attempt.isPending} onClick={() => attempt.mutate()}>
          {attempt.isPending ? 'Trying …' : attempt.data ? 'Try again' : 'Try'}
        </Button>
        <span className="text-ink-2 text-sm">Runs it and the request in one transaction, and rolls both back.</span>
      </div>
      {attempt.error && (
        <p role="alert" className="text-danger">
          {errorText(attempt.error)}
        </p>
      )}
      {attempt.data && <Outcome tried={attempt.data} />}
    </div>
  )
}

function Outcome({ tried: { rows, body, isCut, problem } }: { readonly tried: WhyTried }) {
  if (problem !== null)
    return (
      <p role="status" className="wrap-anywhere">
        {problem.of === 'sql' ? 'PostgreSQL refuses this SQL: ' : 'With it the request is refused: '}
        <span className="mono text-danger">{problem.code}</span> {problem.message}
      </p>
    )
  return (
    <div role="status" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="font-medium">
        With it the request is answered{' '}
        {rows === null ? 'without rows' : rows === 1 ? '1 row' : `${rows.toLocaleString('en-GB')} rows`}.
      </p>
      {isCut && <p className="text-ink-2">They are too many to be shown.</p>}
      {body !== null && body !== '' && (
        <Code text={readableJson(body)} copyLabel="Copy the answer" className="max-h-96 overflow-y-auto" />
      )}
    </div>
  )
}
