import type { PersonDetail } from '../../lib/api/schemas.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'

type PersonId = PersonDetail['ids'][number]

const columns: readonly TableColumn<PersonId>[] = [
  {
    id: 'id',
    title: 'Distinct id',
    cell: ({ id }) => (
      <span className="mono flex min-w-0 items-center gap-1">
        <span className="truncate" title={id}>
          {id}
        </span>
        <CopyButton text={id} label={`Copy ${id}`} />
      </span>
    ),
  },
  time('firstSeenAt', 'First seen', 'sheet'),
  time('lastSeenAt', 'Last seen', 'narrow'),
  {
    id: 'sessions',
    title: 'Sessions',
    width: 84,
    align: 'right',
    from: 'sheet',
    cell: ({ sessions }) => <Count value={sessions} />,
  },
  { id: 'events', title: 'Events', width: 84, align: 'right', cell: ({ events }) => <Count value={events} /> },
]

function time(id: 'firstSeenAt' | 'lastSeenAt', title: string, from: 'narrow' | 'sheet'): TableColumn<PersonId> {
  return {
    ...{ id, title, width: 96, from },
    cell: ({ [id]: at }) => (at ? <Time at={at} className="text-ink-2" /> : <span className="text-ink-2">–</span>),
  }
}

/** The ids that make up a person: those of browsers before they were known, and those that the application gave them. */
export function IdsView({ ids, idCount }: Pick<PersonDetail, 'ids' | 'idCount'>) {
  return (
    <Table
      label="Distinct ids"
      columns={columns}
      rows={ids}
      rowKey={({ id }) => id}
      footer={
        idCount > ids.length && (
          <p className="px-4 py-3 text-ink-2">
            The first {ids.length} of <Count value={idCount} /> by name.
          </p>
        )
      }
    />
  )
}
