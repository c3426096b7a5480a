import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { rowName } from '../../thread/change-lines.tsx'
import { historyQuery } from '../../thread/queries.ts'
import { Drawer } from '../../ui/drawer.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { RowRef } from './search.ts'

// A screen does not wait for what is opened in it.
const UndoableHistory = lazy(async () => ({
  default: (await import('../../thread/undo/undoable-history.tsx')).UndoableHistory,
}))

interface RowDrawerProps {
  /** Nothing is open without it. */
  readonly row: RowRef | undefined
  readonly onClose: () => void
}

/** A row's history opened in place; its title leads to the row in its table. */
export function RowDrawer({ row, onClose }: RowDrawerProps) {
  return (
    <Drawer
      open={row !== undefined}
      onClose={onClose}
      title={
        row && (
          <Link
            to="/data/$schema/$table"
            params={{ schema: row.schema, table: row.table }}
            search={{ row: JSON.stringify(row.key), tab: 'history' }}
            className="mono text-base hover:underline"
          >
            {rowName(row)}
          </Link>
        )
      }
    >
      {row && <OpenRow row={row} />}
    </Drawer>
  )
}

function OpenRow({ row }: { readonly row: RowRef }) {
  const { data, error, refetch } = useQuery(historyQuery(row.schema, row.table, row.key))
  if (data)
    return (
      <Suspense fallback={<SkeletonRows rows={6} />}>
        <UndoableHistory past={data} />
      </Suspense>
    )
  return error ? <ErrorProblem error={error} onRetry={refetch} /> : <SkeletonRows rows={6} />
}
