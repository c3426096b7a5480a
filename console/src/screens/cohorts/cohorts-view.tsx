import { Link } from '@tanstack/react-router'
import type { Cohort } from '../../lib/api/schemas.ts'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface CohortsProps {
  /** Absent while they are on their way. */
  readonly cohorts: readonly Cohort[] | undefined
  readonly onOpen: (cohort: Cohort) => void
}

const columns: readonly TableColumn<Cohort>[] = [
  {
    id: 'name',
    title: 'Cohort',
    cell: ({ id, name }) => (
      <Link to="/cohorts/$id" params={{ id: String(id) }} className="hover:underline">
        {name}
      </Link>
    ),
  },
  { id: 'id', title: 'Number', width: 80, align: 'right', from: 'narrow', cell: ({ id }) => id },
  {
    id: 'persons',
    title: 'Persons',
    width: 120,
    align: 'right',
    cell: ({ filters, members }) => (filters === null ? members : <span className="text-ink-2">by filters</span>),
  },
  { id: 'changed', title: 'Changed', width: 84, from: 'sheet', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    id: 'by',
    title: 'By',
    width: 168,
    from: 'wide',
    cell: ({ updatedBy }) => <span className="text-ink-2">{updatedBy === '' ? 'SQL' : updatedBy}</span>,
  },
]

/** The cohorts of the project. */
export function CohortsView({ cohorts, onOpen }: CohortsProps) {
  if (cohorts === undefined) return <SkeletonRows />
  if (cohorts.length === 0)
    return (
      <Empty title="No cohorts yet.">
        <p>
          A cohort is a set of persons under one name, for the conditions of flags: those whose properties fit, or a
          list of distinct ids.
        </p>
      </Empty>
    )
  return <Table label="Cohorts" columns={columns} rows={cohorts} rowKey={({ id }) => String(id)} onOpen={onOpen} />
}
