import { use } from 'react'
import type { Moment } from '../../../../lib/api/schemas.ts'
import type { ConsoleCall } from '../../../../player/page-log.ts'
import { Fold } from '../../../../ui/fold.tsx'
import { JsonTree } from '../../../../ui/json-tree.tsx'
import { ExceptionLines } from '../../thread/exception-lines.tsx'
import { Leads } from '../../thread/leads.ts'

interface ConsoleDetailProps {
  readonly moment: Moment
  readonly call: ConsoleCall | undefined
}

/** What a line's objects hold, and where it comes from; nothing for a line that is all text. */
export function ConsoleDetail({ moment: { error }, call }: ConsoleDetailProps) {
  const leads = use(Leads)
  const objects = (call?.args ?? []).filter((value) => typeof value === 'object' && value !== null)
  const trace = call === undefined || (call.level !== 'error' && call.level !== 'warn') ? [] : call.trace
  const hasIssue = error !== undefined && leads
  if (objects.length === 0 && trace.length === 0 && !hasIssue) return null
  return (
    <div className="mono grid grid-cols-[minmax(0,1fr)] gap-0.5 pb-1 pl-12">
      {objects.map((value, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its place in the call
        <JsonTree key={place} value={value} />
      ))}
      {(hasIssue || trace.length > 0) && (
        <Fold summary="Stack" className="w-fit">
          {hasIssue ? (
            <ExceptionLines error={error} />
          ) : (
            <ol className="pl-3.5 text-ink-2">
              {trace.map((line, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a frame is its place on the stack
                <li key={place} className="truncate" title={line}>
                  {line}
                </li>
              ))}
            </ol>
          )}
        </Fold>
      )}
    </div>
  )
}
