import type { HistoryEntry } from '../../lib/shapes.ts'
import { CauseLine } from '../../thread/cause-line.tsx'
import { ChangeValues, Operation } from '../../thread/change-lines.tsx'
import { classes } from '../../ui/classes.ts'
import { Time } from '../../ui/time.tsx'

/** A row's past, newest first: what changed, when, and by whom, each with the door to its moment. */
export function RowHistory({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  if (entries.length === 0) {
    return (
      <p className="p-4 text-ink-2">
        Nothing is kept of this row yet. It was there before Clew began to watch, or its changes are older than the
        history is kept; its next change stands here.
      </p>
    )
  }
  return (
    <ol className="relative py-2">
      <span aria-hidden="true" className="absolute top-0 bottom-0 left-[19px] border-line border-l" />
      {entries.map(({ change, cause }) => (
        <li key={change.id} className="relative grid gap-1.5 py-2.5 pr-4 pl-9">
          <span
            aria-hidden="true"
            className={classes(
              'absolute top-[17px] left-4 size-[7px] rounded-full border-[1.5px]',
              cause.kind === 'session' ? 'border-thread bg-thread' : 'border-ink-3 bg-surface',
            )}
          />
          <div className="flex items-baseline gap-2">
            <Operation operation={change.operation} />
            <Time at={change.at} className="ml-auto text-ink-2" />
          </div>
          <ChangeValues change={change} />
          <CauseLine cause={cause} />
        </li>
      ))}
    </ol>
  )
}
