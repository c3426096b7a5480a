import { ErrorProblem } from '../../../../frame/failure.tsx'
import { Empty } from '../../../../ui/empty.tsx'
import { SkeletonRows } from '../../../../ui/skeleton.tsx'
import type { EntriesProps } from './entries.ts'
import { EntriesGrid } from './entries-grid.tsx'
import { EntriesTable } from './entries-table.tsx'

interface EntriesListProps extends EntriesProps {
  readonly view: 'grid' | undefined
  /** Whether names are filtered. */
  readonly isFiltered: boolean
  /** Whether entries were loaded. */
  readonly isLoaded: boolean
  readonly error: Error | null
  readonly onRetry: () => void
}

/** The entries of a folder, or why there are none. */
export function EntriesList({ view, isFiltered, isLoaded, error, onRetry, ...entries }: EntriesListProps) {
  if (!isLoaded) return error ? <ErrorProblem error={error} onRetry={onRetry} /> : <SkeletonRows />
  if (entries.entries.length === 0) return <Nothing isFiltered={isFiltered} canChange={entries.canChange} />
  return view === 'grid' ? <EntriesGrid {...entries} /> : <EntriesTable {...entries} />
}

function Nothing({ isFiltered, canChange }: { readonly isFiltered: boolean; readonly canChange: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No names begin like this.">
        <p>Only the names of this folder are looked at.</p>
      </Empty>
    )
  return (
    <Empty title="This folder is empty.">
      <p>
        {canChange
          ? 'Drop files and folders here, or choose them with Upload.'
          : 'Files appear here when they are uploaded.'}
      </p>
    </Empty>
  )
}
