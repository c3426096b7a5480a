import { Link } from '@tanstack/react-router'
import { Sparkline } from '../../charts/sparkline.tsx'
import type { FunctionCalls, FunctionInfo } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Duration, Time } from '../../ui/time.tsx'

interface FunctionsProps {
  /** Absent while they are on their way. */
  readonly functions: readonly FunctionInfo[] | undefined
  /** Of the last day; absent while they are on their way. */
  readonly calls: readonly FunctionCalls[] | undefined
  readonly onOpen: (row: FunctionInfo) => void
}

type Row = FunctionInfo & { readonly day: FunctionCalls | undefined }

const none = <span className="text-ink-3">–</span>

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    title: 'Function',
    cell: ({ name, isInFolder, isPinned }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link to="/functions/$name" params={{ name }} className="mono truncate font-medium hover:underline">
          {name}
        </Link>
        {isPinned && <Badge tone="warn">rolled back</Badge>}
        {!isInFolder && <span className="text-ink-2 max-sheet:hidden">deployed</span>}
      </span>
    ),
  },
  {
    id: 'token',
    title: 'Callers',
    width: 108,
    from: 'wide',
    cell: ({ verifyJwt }) => <span className="text-ink-2">{verifyJwt ? 'with a token' : 'anyone'}</span>,
  },
  {
    id: 'day',
    title: 'Last day',
    width: 120,
    from: 'sheet',
    cell: ({ name, day }) =>
      day ? <Sparkline parts={day.parts} label={`${day.calls} calls of ${name} in the last day`} /> : none,
  },
  { id: 'calls', title: 'Calls', width: 76, align: 'right', cell: ({ day }) => <Count value={day?.calls ?? 0} /> },
  {
    id: 'errors',
    title: 'Errors',
    width: 76,
    align: 'right',
    cell: ({ day }) => (
      <span className={day && day.errors > 0 ? 'text-danger' : 'text-ink-2'}>
        <Count value={day?.errors ?? 0} />
      </span>
    ),
  },
  {
    id: 'p95',
    title: 'p95',
    width: 84,
    align: 'right',
    from: 'narrow',
    cell: ({ day }) => (day ? <Duration ms={day.p95Ms} /> : none),
  },
  {
    id: 'version',
    title: 'Version',
    width: 168,
    from: 'wide',
    cell: ({ version }) =>
      version ? (
        <span className="text-ink-2">
          {version.number}, <Time at={version.madeAt} />
        </span>
      ) : (
        <span className="text-ink-2">not called yet</span>
      ),
  },
]

/** The functions by name, each with what it was called in the last day. */
export function FunctionsView({ functions, calls, onOpen }: FunctionsProps) {
  if (functions === undefined) return <SkeletonRows />
  if (functions.length === 0)
    return (
      <Empty title="No functions yet.">
        <p>
          A function is TypeScript that runs beside the data, at an address of its own. This writes one into the
          project; it is served as soon as it is saved.
        </p>
        <Code text="clew functions new hello" copyLabel="Copy the command" />
      </Empty>
    )
  const rows = functions.map((each) => ({ ...each, day: calls?.find(({ name }) => name === each.name) }))
  return <Table label="Functions" columns={columns} rows={rows} rowKey={({ name }) => name} onOpen={onOpen} />
}
