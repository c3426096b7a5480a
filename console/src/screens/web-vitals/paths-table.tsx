import type { VitalPath, VitalPaths } from '../../lib/api/schemas.ts'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'
import { type Vital, vitals } from './search.ts'
import { Measured } from './vital-text.tsx'

interface PathsTableProps {
  readonly found: VitalPaths
  /** The one that is shown however narrow the screen is. */
  readonly chosen: Vital
  readonly open: string | undefined
  readonly onOpen: (path: string) => void
}

const columnsOf = (chosen: Vital): readonly TableColumn<VitalPath>[] => [
  {
    id: 'path',
    title: 'Path',
    cell: ({ path }) => (
      <span className="mono" title={path}>
        {path}
      </span>
    ),
  },
  {
    id: 'views',
    title: 'Views',
    width: 72,
    align: 'right',
    from: 'narrow',
    cell: ({ views }) => <Count value={views} />,
  },
  ...vitals.map(
    (vital): TableColumn<VitalPath> => ({
      ...{ id: vital, title: vital, width: 200, align: 'right' },
      ...(vital !== chosen && { from: 'full' }),
      cell: (row) => <Measured vital={vital} measure={row[vital]} />,
    }),
  ),
]

/** The paths with a percentile of each vital. */
export function PathsTable({ found: { paths, hasMore }, chosen, open, onOpen }: PathsTableProps) {
  return (
    <Table
      label="Web vitals by path"
      columns={columnsOf(chosen)}
      rows={paths}
      rowKey={({ path }) => path}
      openKey={open}
      onOpen={({ path }) => onOpen(path)}
      className="min-h-56"
      footer={
        hasMore && <p className="px-4 py-2 text-ink-2 text-sm">There are more paths: narrow them by a pattern.</p>
      }
    />
  )
}
