import type { ScheduledExport } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import { RunState, totalOf } from './run-text.tsx'

interface ExportsProps {
  /** Absent while they are on their way. */
  readonly exports: readonly ScheduledExport[] | undefined
  readonly openId: string | undefined
  readonly onOpen: (id: string) => void
  /** Absent for a role that may not. */
  readonly onNew: (() => void) | undefined
}

const columns: readonly TableColumn<ScheduledExport>[] = [
  {
    id: 'name',
    title: 'Export',
    cell: ({ name, kinds }) => (
      <>
        {name} <span className="text-ink-2 max-sheet:hidden">{kinds.join(', ')}</span>
      </>
    ),
  },
  {
    id: 'bucket',
    title: 'Bucket',
    from: 'wide',
    cell: ({ bucket, prefix }) => (
      <span className="mono text-ink-2" title={`${bucket}/${prefix}`}>
        {[bucket, prefix].filter((part) => part !== '').join('/')}
      </span>
    ),
  },
  {
    id: 'schedule',
    title: 'Schedule',
    width: 176,
    from: 'sheet',
    cell: ({ schedule, scheduleWords }) => <span title={`${schedule} UTC`}>{scheduleWords}</span>,
  },
  {
    id: 'next',
    title: 'Next run',
    width: 92,
    from: 'sheet',
    cell: ({ nextAt }) => (nextAt ? <Time at={nextAt} /> : <span className="text-ink-2">paused</span>),
  },
  {
    id: 'last',
    title: 'Last run',
    width: 92,
    from: 'narrow',
    cell: ({ lastRun }) => (lastRun ? <Time at={lastRun.startedAt} /> : <span className="text-ink-2">–</span>),
  },
  {
    id: 'state',
    title: 'State',
    width: 116,
    cell: ({ lastRun }) => (lastRun ? <RunState run={lastRun} /> : <span className="text-ink-2">not run</span>),
  },
  {
    id: 'rows',
    title: 'Rows',
    width: 92,
    align: 'right',
    from: 'sheet',
    cell: ({ lastRun }) => lastRun && <Count value={totalOf(lastRun).rows} />,
  },
  {
    id: 'bytes',
    title: 'Size',
    width: 84,
    align: 'right',
    from: 'wide',
    cell: ({ lastRun }) => lastRun && <Bytes value={totalOf(lastRun).bytes} />,
  },
]

/** The exports that run by themselves. */
export function ExportsView({ exports, openId, onOpen, onNew }: ExportsProps) {
  if (exports === undefined) return <SkeletonRows />
  if (exports.length === 0)
    return (
      <Empty title="No exports yet.">
        <p>
          Events, people, requests and recordings go into a bucket of yours by a schedule, as Parquet, CSV or JSON
          Lines: each run exports what is new since the last one.
        </p>
        <p>{onNew ? <Button onClick={onNew}>New export</Button> : 'An owner or a developer makes one.'}</p>
      </Empty>
    )
  return (
    <Table
      label="Exports"
      columns={columns}
      rows={exports}
      rowKey={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
      openKey={openId}
    />
  )
}
