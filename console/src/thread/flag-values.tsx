import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PersonFlags } from '../lib/api/schemas.ts'
import { flagReason } from '../lib/flag-reason.ts'
import { Badge } from '../ui/badge.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'

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
    cell: ({ reason }) => <span title={reason}>{flagReason(reason)}</span>,
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

interface FlagValuesProps {
  readonly flags: readonly PersonFlag[]
  readonly footer: ReactNode
}

/** What a person or a group gets of each flag at this moment, and why. */
export function FlagValues({ flags, footer }: FlagValuesProps) {
  return <Table label="Flags" columns={columns} rows={flags} rowKey={({ key }) => key} footer={footer} />
}
