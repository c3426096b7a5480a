import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Code } from '../../ui/code.tsx'
import { formattedSql } from './format-sql.ts'
import { plainSql } from './plain-sql.ts'

/** A statement as a developer would write it; as it ran on a press. */
export function StatementCode({ text }: { readonly text: string }) {
  const [asRan, setAsRan] = useState(false)
  const plain = plainSql(text)
  const { data: formatted } = useQuery(formattedSql(asRan ? text : plain))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <Code text={formatted ?? plain} language="sql" copyLabel="Copy the SQL" />
      {plain !== text.trim() && (
        <button
          type="button"
          aria-pressed={asRan}
          onClick={() => setAsRan(!asRan)}
          className="quiet-link justify-self-start text-ink-2 text-sm"
        >
          {asRan ? 'As you would write it' : 'As it ran'}
        </button>
      )}
    </div>
  )
}
