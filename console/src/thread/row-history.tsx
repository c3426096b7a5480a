import type { ReactNode } from 'react'
import type { Change, HistoryEntry, RowPast } from '../lib/api/schemas.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Time } from '../ui/time.tsx'
import { CauseLine } from './cause-line.tsx'
import { ChangeValues, Operation } from './change-lines.tsx'

interface RowHistoryProps {
  readonly past: RowPast
  /** How a change is shown; as one of a row when absent. */
  readonly show?: (entry: HistoryEntry) => ShownChange
  /** Asks to take a change back; absent where that is not offered. */
  readonly onUndo?: ((change: Change) => void) | undefined
}

interface ShownChange {
  /** What happened. */
  readonly title: ReactNode
  readonly values: ReactNode
}

const showRowChange = ({ change }: HistoryEntry): ShownChange => ({
  title: <Operation operation={change.operation} />,
  values: <ChangeValues change={change} />,
})

/** A row's past, newest first: each change with its time, its person and the link to its moment. */
export function RowHistory({ past, show = showRowChange, onUndo }: RowHistoryProps) {
  const { entries, gaps, notRecorded } = past
  if (entries.length === 0 && gaps.length === 0) return <NoHistory notRecorded={notRecorded} />
  const gapsAfter = (newer: number) =>
    gaps
      .filter(({ newerEntries }) => newerEntries === newer)
      .map((gap) => <Gap key={`${gap.from} ${gap.until}`} gap={gap} />)
  return (
    <>
      {notRecorded !== null && <p className="border-line border-b p-4 text-warn">{notRecorded}</p>}
      <ol className="relative py-2">
        <span aria-hidden="true" className="absolute top-0 bottom-0 left-[19px] border-line border-l" />
        {gapsAfter(0)}
        {entries.flatMap((entry, index) => [
          <Entry key={entry.change.id} entry={entry} shown={show(entry)} onUndo={onUndo} />,
          ...gapsAfter(index + 1),
        ])}
      </ol>
    </>
  )
}

function NoHistory({ notRecorded }: Pick<RowPast, 'notRecorded'>) {
  if (notRecorded !== null) return <p className="p-4 text-ink-2">{notRecorded}</p>
  return (
    <p className="p-4 text-ink-2">
      No history yet. The row is older than Clew’s recording of it, or its changes are past their retention. Its next
      change appears here.
    </p>
  )
}

interface EntryProps {
  readonly entry: HistoryEntry
  readonly shown: ShownChange
  readonly onUndo: RowHistoryProps['onUndo']
}

function Entry({ entry: { change, cause }, shown, onUndo }: EntryProps) {
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)] gap-1.5 py-2.5 pr-4 pl-9">
      <span
        aria-hidden="true"
        className={classes(
          'absolute top-[17px] left-4 size-[7px] rounded-full border-[1.5px]',
          cause.kind === 'session' ? 'border-thread bg-thread' : 'border-ink-3 bg-surface',
        )}
      />
      <div className="flex items-baseline gap-2">
        {shown.title}
        <Time at={change.at} className="ml-auto text-ink-2" />
        {onUndo && (
          <Button size="small" className="-my-1" onClick={() => onUndo(change)}>
            Undo…
          </Button>
        )}
      </div>
      {shown.values}
      <CauseLine cause={cause} />
    </li>
  )
}

/** A stretch of time from which changes may be missing, in its place among the entries. */
function Gap({ gap: { from, until, reason } }: { readonly gap: RowPast['gaps'][number] }) {
  return (
    <li className="relative my-1 grid gap-0.5 border-line border-y border-dashed bg-surface py-2 pr-4 pl-9 text-ink-2">
      <span>
        Changes may be missing {from === null ? 'before' : 'between'} {from !== null && <Time at={from} />}
        {from !== null && ' and '}
        {until === null ? 'now' : <Time at={until} />}
      </span>
      <span className="text-sm">{reason}</span>
    </li>
  )
}
