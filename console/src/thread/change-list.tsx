import type { Change } from '../lib/api/schemas.ts'
import { Time } from '../ui/time.tsx'
import { ChangeValues, Operation, RowLink } from './change-lines.tsx'

/** The rows a request changed, before and after, each leading to its history. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ol className="grid gap-3">
      {changes.map((change) => (
        <li key={change.id} className="grid gap-1">
          <div className="flex items-baseline gap-2">
            <Operation operation={change.operation} />
            <RowLink change={change} />
            <Time at={change.at} look="clock" className="ml-auto text-ink-2 text-sm" />
          </div>
          <div className="border-line border-l pl-3">
            <ChangeValues change={change} />
          </div>
        </li>
      ))}
    </ol>
  )
}
