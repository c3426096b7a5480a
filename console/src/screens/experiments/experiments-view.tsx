import { Link } from '@tanstack/react-router'
import type { Experiment } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface ExperimentsProps {
  /** Absent while they are on their way. */
  readonly experiments: readonly Experiment[] | undefined
  readonly onOpen: (experiment: Experiment) => void
}

const columns: readonly TableColumn<Experiment>[] = [
  {
    id: 'name',
    title: 'Experiment',
    cell: ({ id, name, hypothesis }) => (
      <Link to="/experiments/$id" params={{ id }} className="hover:underline" title={hypothesis}>
        {name}
        <span className="text-ink-2 max-sheet:hidden"> {hypothesis}</span>
      </Link>
    ),
  },
  {
    id: 'state',
    title: 'State',
    width: 96,
    cell: ({ state }) => <Dot tone={state === 'running' ? 'ok' : 'quiet'}>{state}</Dot>,
  },
  {
    id: 'flag',
    title: 'Flag',
    width: 168,
    from: 'sheet',
    cell: ({ flagKey }) => (
      <Link to="/flags/$key" params={{ key: flagKey }} className="truncate hover:underline">
        {flagKey}
      </Link>
    ),
  },
  {
    id: 'begun',
    title: 'Begun',
    width: 88,
    from: 'narrow',
    cell: ({ startedAt }) =>
      startedAt === null ? <span className="text-ink-2">not yet</span> : <Time at={startedAt} />,
  },
  {
    id: 'chosen',
    title: 'Chosen',
    width: 120,
    from: 'wide',
    cell: ({ conclusion }) =>
      conclusion === null ? (
        <span className="text-ink-2">open</span>
      ) : (
        (conclusion.variant ?? <span className="text-ink-2">no variant</span>)
      ),
  },
]

/** The experiments of the project. */
export function ExperimentsView({ experiments, onOpen }: ExperimentsProps) {
  if (experiments === undefined) return <SkeletonRows />
  if (experiments.length === 0)
    return (
      <Empty title="No experiments yet.">
        <p>
          An experiment says what the variants of a flag change: how many of those who saw each went on to order, or
          what they spent, and how sure that is. It takes a flag with two variants.
        </p>
      </Empty>
    )
  return <Table label="Experiments" columns={columns} rows={experiments} rowKey={({ id }) => id} onOpen={onOpen} />
}
