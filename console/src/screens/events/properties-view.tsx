import { Link } from '@tanstack/react-router'
import type { EventProperties } from '../../lib/api/schemas.ts'
import { filterText } from '../../lib/filters/property-filter.ts'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count, Time } from '../../ui/time.tsx'
import type { PropertiesFilter } from './search.ts'

type Property = EventProperties['properties'][number]

interface PropertiesViewProps {
  /** Absent while they are on their way. */
  readonly found: EventProperties | undefined
  readonly filter: PropertiesFilter
  readonly onFilter: (filter: PropertiesFilter) => void
}

/** The properties, the most frequent first. */
export function PropertiesView({ found, filter, onFilter }: PropertiesViewProps) {
  if (found === undefined) return <SkeletonRows rows={18} />
  const { looked, properties } = found
  if (properties.length > 0)
    return (
      <Table
        label="Properties"
        columns={columnsOf(looked, filter)}
        rows={properties}
        rowKey={({ name }) => name}
        footer={
          <p className="px-4 py-3 text-ink-2">
            A property that filters and experiments ask for often gets a column of its own: they are faster by it.
          </p>
        }
      />
    )
  if (filter.event !== undefined)
    return (
      <Empty title={`No ${filter.event} in this time.`}>
        <p>
          <Button onClick={() => onFilter({})}>Show those of all events</Button>
        </p>
      </Empty>
    )
  return (
    <Empty title="No events in this time.">
      <p>What your application captures says here what it carries: names, never values.</p>
    </Empty>
  )
}

const columnsOf = (looked: number, filter: PropertiesFilter): readonly TableColumn<Property>[] => [
  {
    id: 'name',
    title: 'Property',
    cell: ({ name }) => (
      <Link
        to="/events"
        search={{ ...filter, filter: [filterText({ property: name, operator: 'is_set', value: '' })] }}
        className="mono hover:underline"
        title={name}
      >
        {name}
      </Link>
    ),
  },
  { id: 'events', title: 'Events', width: 96, align: 'right', cell: ({ events }) => <Count value={events} /> },
  {
    id: 'share',
    title: 'Share',
    width: 80,
    align: 'right',
    from: 'narrow',
    cell: ({ events }) => <span className="tabular text-ink-2">{shareText(events / looked)}</span>,
  },
  {
    id: 'column',
    title: 'Column since',
    width: 136,
    from: 'sheet',
    cell: ({ column }) => column && <Time at={column.since} />,
  },
  {
    id: 'bytes',
    title: 'It takes',
    width: 120,
    align: 'right',
    from: 'sheet',
    cell: ({ column }) => column && <ColumnBytes column={column} />,
  },
]

const shareText = (share: number): string => (share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`)

function ColumnBytes({ column: { isFilled, bytes } }: { readonly column: NonNullable<Property['column']> }) {
  if (!isFilled) return <span className="text-ink-2">being written</span>
  if (bytes === null) return <span className="text-ink-2">little yet</span>
  return <Bytes value={bytes} />
}
