import type { Erasure } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'

interface ErasuresViewProps {
  /** Absent while they are on their way. */
  readonly erasures: readonly Erasure[] | undefined
  readonly openId: string | undefined
  readonly onOpen: (erasure: Erasure) => void
}

/** How an erasure is, in a word and its colour. */
export function ErasureState({ erasure: { state, error, stepsDone, steps, left } }: { readonly erasure: Erasure }) {
  if (error !== null) return <Dot tone="warn">is tried again</Dot>
  if (state === 'waiting') return <Dot tone="info">waits</Dot>
  if (state === 'running')
    return (
      <Dot tone="info">
        {stepsDone} of {steps} steps
      </Dot>
    )
  return left !== null && left.length > 0 ? <Dot tone="warn">done, names are left</Dot> : <Dot tone="ok">done</Dot>
}

const sumOf = ({ stores, tables }: Erasure): number =>
  stores.reduce((sum, { removed }) => sum + removed, 0) +
  tables.reduce((sum, { rows, action }) => sum + (action === 'delete' ? rows : 0), 0)

const columns: readonly TableColumn<Erasure>[] = [
  { id: 'at', title: 'Asked for', width: 112, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { id: 'by', title: 'By', cell: ({ createdBy }) => createdBy },
  {
    id: 'removed',
    title: 'Removed',
    width: 112,
    align: 'right',
    from: 'sheet',
    cell: (erasure) => <Count value={sumOf(erasure)} />,
  },
  {
    id: 'id',
    title: 'Certificate',
    width: 104,
    from: 'sheet',
    cell: ({ state }) => (state === 'done' ? 'signed' : <span className="text-ink-2">–</span>),
  },
  { id: 'state', title: 'State', width: 176, cell: (erasure) => <ErasureState erasure={erasure} /> },
]

/** The erasures, the newest first. */
export function ErasuresView({ erasures, openId, onOpen }: ErasuresViewProps) {
  if (erasures === undefined) return <SkeletonRows />
  if (erasures.length === 0)
    return (
      <Empty title="No person was erased yet.">
        <p>
          An owner opens a person under People, or a user under Auth, and chooses “Erase”. How far it is, and a signed
          certificate without personal data, appear here.
        </p>
      </Empty>
    )
  return (
    <Table
      label="Erasures"
      columns={columns}
      rows={erasures}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      openKey={openId}
    />
  )
}
