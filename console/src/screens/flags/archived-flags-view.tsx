import type { ArchivedFlag } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface ArchivedFlagsProps {
  /** Absent while they are on their way. */
  readonly flags: readonly ArchivedFlag[] | undefined
  /** Whether there are more than these. */
  readonly hasMore: boolean
  /** Whether they were narrowed by a text. */
  readonly isFiltered: boolean
  /** Absent for operators who may not restore. */
  readonly onRestore: ((flag: ArchivedFlag) => void) | undefined
}

const columns = (onRestore: ArchivedFlagsProps['onRestore']): readonly TableColumn<ArchivedFlag>[] => [
  {
    id: 'key',
    title: 'Flag',
    cell: ({ key, description }) => (
      <span title={description}>
        {key}
        {description !== '' && <span className="text-ink-2 max-sheet:hidden"> {description}</span>}
      </span>
    ),
  },
  {
    id: 'archived',
    title: 'Archived',
    width: 84,
    from: 'narrow',
    cell: ({ archivedAt }) => <Time at={archivedAt} />,
  },
  {
    id: 'by',
    title: 'By',
    width: 168,
    from: 'wide',
    cell: ({ archivedBy }) => <span className="text-ink-2">{archivedBy === '' ? 'SQL' : archivedBy}</span>,
  },
  ...(onRestore === undefined
    ? []
    : [
        {
          id: 'restore',
          title: <span className="sr-only">Restore</span>,
          width: 96,
          align: 'right' as const,
          cell: (flag: ArchivedFlag) => (
            <Button size="small" aria-label={`Restore ${flag.key}`} onClick={() => onRestore(flag)}>
              Restore
            </Button>
          ),
        },
      ]),
]

/** Flags that are no longer used: off for all, and brought back with their conditions and their history. */
export function ArchivedFlagsView({ flags, hasMore, isFiltered, onRestore }: ArchivedFlagsProps) {
  if (flags === undefined) return <SkeletonRows />
  if (flags.length === 0)
    return (
      <Empty title={isFiltered ? 'No archived flags match this filter.' : 'No archived flags.'}>
        <p>An archived flag is off for all, its key is free, and its history is kept until it is restored.</p>
      </Empty>
    )
  return (
    <Table
      label="Archived flags"
      columns={columns(onRestore)}
      rows={flags}
      rowKey={({ id }) => String(id)}
      footer={hasMore ? <p className="px-4 py-2 text-ink-2">There are more: narrow them by the filter.</p> : undefined}
    />
  )
}
