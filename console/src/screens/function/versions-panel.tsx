import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { FunctionInfo, FunctionVersion } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatBytes } from '../../ui/time-text.ts'
import { useToast } from '../../ui/toast.tsx'

interface VersionsPanelProps {
  readonly info: FunctionInfo
  /** Absent while they are on their way. */
  readonly versions: readonly FunctionVersion[] | undefined
}

/** The kept versions of a function; an earlier one can be made to answer again. */
export function VersionsPanel({ info, versions }: VersionsPanelProps) {
  const { canChange } = useRights()
  const queryClient = useQueryClient()
  const toast = useToast()
  const rollBack = useMutation({
    mutationFn: (number: number) => api.rollBackFunction(info.name, number),
    onSuccess: ({ number }) => {
      toast.add({
        title: `Version ${number} answers.`,
        ...(info.isInFolder && { description: 'The next change of the project folder ends this.' }),
      })
      inBackground(
        queryClient.invalidateQueries({
          predicate: ({ queryKey }) => String(queryKey[0]).startsWith('function'),
        }),
      )
    },
    onError: (problem) => void toast.add({ title: 'The version stays.', description: errorText(problem) }),
  })
  if (versions === undefined) return <SkeletonRows />
  if (versions.length === 0)
    return (
      <Empty title="No versions yet.">
        <p>The first call makes one of the files as they are; each saved change and each deployment makes another.</p>
      </Empty>
    )
  const columns = columnsOf({
    active: info.version?.number ?? 0,
    canChange,
    isPending: rollBack.isPending,
    onChoose: (number) => rollBack.mutate(number),
  })
  return <Table label="Versions" columns={columns} rows={versions} rowKey={({ number }) => String(number)} />
}

interface ColumnsProps {
  /** The version that answers. */
  readonly active: number
  readonly canChange: boolean
  readonly isPending: boolean
  readonly onChoose: (number: number) => void
}

function columnsOf({ active, canChange, isPending, onChoose }: ColumnsProps): readonly TableColumn<FunctionVersion>[] {
  const isNewer = (number: number): boolean => number > active
  const wordFor = (number: number): string => (isNewer(number) ? 'Go forward to' : 'Roll back to')
  return [
    {
      id: 'number',
      title: 'Version',
      cell: ({ number, isActive }) => (
        <span className="flex items-center gap-2">
          <span className="tabular font-medium">{number}</span>
          {isActive && <Badge tone="ok">answers</Badge>}
        </span>
      ),
    },
    { id: 'at', title: 'Made', width: 112, cell: ({ madeAt }) => <Time at={madeAt} /> },
    {
      id: 'by',
      title: 'By',
      width: 220,
      from: 'sheet',
      cell: ({ madeBy }) => madeBy ?? <span className="text-ink-2">the project folder</span>,
    },
    {
      id: 'size',
      title: 'Size',
      width: 84,
      align: 'right',
      from: 'sheet',
      cell: ({ sizeBytes }) => formatBytes(sizeBytes),
    },
    {
      id: 'hash',
      title: 'Files',
      width: 150,
      from: 'wide',
      cell: ({ hash }) => <span className="mono text-ink-2">{hash}</span>,
    },
    {
      id: 'act',
      title: <span className="sr-only">Roll back</span>,
      width: 108,
      align: 'right',
      cell: ({ number, isActive }) =>
        canChange &&
        !isActive && (
          <Button
            size="small"
            aria-label={`${wordFor(number)} version ${number}`}
            disabled={isPending}
            onClick={() => onChoose(number)}
          >
            {isNewer(number) ? 'Go forward' : 'Roll back'}
          </Button>
        ),
    },
  ]
}
