import { useQuery } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { FlagChange } from '../../lib/api/schemas.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { flagChangesQuery } from './queries.ts'

const words: Readonly<Record<string, string>> = {
  filters: 'conditions',
  keeps_bucket: 'value after sign-in',
  early_access: 'early access',
}

const isArchived = (flag: unknown): boolean =>
  typeof flag === 'object' && flag !== null && 'deleted_at' in flag && flag.deleted_at !== null

const columns: readonly TableColumn<FlagChange>[] = [
  { id: 'version', title: 'Version', width: 72, align: 'right', cell: ({ version }) => version },
  {
    id: 'changed',
    title: 'Changed',
    cell: ({ version, changed, flag }) => {
      if (version === 1) return 'created'
      // Archiving switches it off as well.
      if (changed.includes('deleted_at')) return isArchived(flag) ? 'archived' : 'restored'
      return changed.map((name) => words[name] ?? name.replaceAll('_', ' ')).join(', ')
    },
  },
  { id: 'by', title: 'By', width: 224, from: 'narrow', cell: ({ changedBy }) => changedBy },
  { id: 'at', title: 'When', width: 96, cell: ({ changedAt }) => <Time at={changedAt} /> },
]

/** What was changed of a flag, with the operator and the time. */
export function HistoryView({ flagKey }: { readonly flagKey: string }) {
  const { data, error, refetch } = useQuery(flagChangesQuery(flagKey))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows />
  return <Table label="Changes" columns={columns} rows={data.changes} rowKey={({ version }) => String(version)} />
}
