import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import type { PersonFlags } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { personFlagsQuery } from './queries.ts'

type PersonFlag = PersonFlags['flags'][number]

const columns: readonly TableColumn<PersonFlag>[] = [
  {
    id: 'flag',
    title: 'Flag',
    cell: ({ key }) => (
      <Link to="/flags/$key" params={{ key }} className="mono font-medium hover:underline">
        {key}
      </Link>
    ),
  },
  {
    id: 'value',
    title: 'Value',
    width: 128,
    cell: ({ value, known }) =>
      known ? (
        <Badge tone={value === false ? 'quiet' : 'ok'}>{value === true ? 'on' : value === false ? 'off' : value}</Badge>
      ) : (
        <Badge tone="warn">not known</Badge>
      ),
  },
  {
    id: 'reason',
    title: 'Because',
    from: 'narrow',
    cell: ({ reason }) => <span title={reason}>{reason}</span>,
  },
  {
    id: 'payload',
    title: 'Payload',
    width: 200,
    from: 'wide',
    cell: ({ payload }) =>
      payload === null ? (
        <span className="text-ink-2">–</span>
      ) : (
        <span className="mono" title={payload}>
          {payload}
        </span>
      ),
  },
]

/** What a person gets of each flag at this moment, and why. */
export function FlagsView({ personId }: { readonly personId: string }) {
  const { data, error, refetch } = useQuery(personFlagsQuery(personId))
  if (error && !data) return <ErrorProblem error={error} onRetry={refetch} />
  if (data === undefined) return <SkeletonRows rows={8} />
  if (data.flags.length === 0)
    return (
      <Empty title="No flags.">
        <p>What this person gets of each feature flag appears here once there are some.</p>
      </Empty>
    )
  return (
    <Table
      label="Flags"
      columns={columns}
      rows={data.flags}
      rowKey={({ key }) => key}
      footer={
        <p className="px-4 py-3 text-ink-2">
          Evaluated for <span className="mono">{data.distinctId}</span>, the id last seen, with the groups at the right.
        </p>
      }
    />
  )
}
