import { Link } from '@tanstack/react-router'
import { MissingExtension } from '../../frame/missing-extension.tsx'
import type { Queue } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'

interface QueuesProps {
  /** Absent while it is on its way. */
  readonly page: (GrowingList<Queue> & { readonly installed: boolean }) | undefined
  readonly onOpen: (queue: Queue) => void
  readonly onEnd: () => void
}

const none = <span className="text-ink-3">–</span>

const columns: readonly TableColumn<Queue>[] = [
  {
    id: 'name',
    title: 'Queue',
    cell: ({ name, unlogged }) => (
      <Link to="/queues/$name" params={{ name }} className="hover:underline">
        {name}
        {unlogged && <span className="text-ink-2"> unlogged</span>}
      </Link>
    ),
  },
  { id: 'visible', title: 'Visible', width: 84, align: 'right', cell: ({ visible }) => <Count value={visible} /> },
  { id: 'flight', title: 'In flight', width: 84, align: 'right', cell: ({ inFlight }) => <Count value={inFlight} /> },
  {
    id: 'archived',
    title: 'Archived',
    width: 92,
    align: 'right',
    from: 'sheet',
    cell: ({ archived }) => <Count value={archived} />,
  },
  {
    id: 'total',
    title: 'Ever sent',
    width: 92,
    align: 'right',
    from: 'sheet',
    cell: ({ total }) => <Count value={total} />,
  },
  {
    id: 'oldest',
    title: 'Oldest',
    width: 104,
    from: 'narrow',
    cell: ({ oldestAt }) => (oldestAt ? <Time at={oldestAt} /> : none),
  },
  {
    id: 'newest',
    title: 'Newest',
    width: 104,
    from: 'wide',
    cell: ({ newestAt }) => (newestAt ? <Time at={newestAt} /> : none),
  },
]

/** The message queues with their numbers. */
export function QueuesView({ page, onOpen, onEnd }: QueuesProps) {
  if (page === undefined) return <SkeletonRows />
  if (!page.installed)
    return (
      <MissingExtension name="pgmq">It brings message queues: send now, read and work on it later.</MissingExtension>
    )
  if (page.items.length === 0)
    return (
      <Empty title="No queues yet.">
        <p>A queue holds messages until a reader has worked on them. Each appears here with its length and its age.</p>
        <Code text={`select pgmq.create('mails');`} language="sql" copyLabel="Copy the SQL" />
      </Empty>
    )
  return (
    <Table
      label="Queues"
      columns={columns}
      rows={page.items}
      rowKey={({ name }) => name}
      onOpen={onOpen}
      onEnd={onEnd}
    />
  )
}
