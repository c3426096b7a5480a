import { useState } from 'react'
import type { PersonDetail } from '../lib/api/schemas.ts'
import { Empty } from '../ui/empty.tsx'
import { Filter } from '../ui/field.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { ValueText } from './events/value-text.tsx'

type Property = PersonDetail['properties'][number]

const columns: readonly TableColumn<Property>[] = [
  {
    id: 'name',
    title: 'Property',
    width: 240,
    cell: ({ name }) => (
      <span className="mono" title={name}>
        {name}
      </span>
    ),
  },
  { id: 'value', title: 'Value', cell: ({ value }) => <ValueText value={value} /> },
  {
    id: 'set',
    title: 'Last set',
    width: 108,
    from: 'narrow',
    cell: ({ setAt }) => (setAt ? <Time at={setAt} className="text-ink-2" /> : <span className="text-ink-2">–</span>),
  },
]

interface PropertiesViewProps extends Pick<PersonDetail, 'properties'> {
  /** By which calls there will be some. */
  readonly setBy: string
}

/** What is known of a person or a group, with when each was last set. */
export function PropertiesView({ properties, setBy }: PropertiesViewProps) {
  const [text, setText] = useState('')
  const word = text.toLowerCase()
  const shown = properties.filter(({ name, value }) => `${name} ${JSON.stringify(value)}`.toLowerCase().includes(word))
  return (
    <>
      <div className="flex h-10 shrink-0 items-center border-line border-b px-4">
        <Filter label="Filter by property or value" value={text} onChange={setText} />
      </div>
      {shown.length > 0 ? (
        <Table label="Properties" columns={columns} rows={shown} rowKey={({ name }) => name} />
      ) : (
        <Empty title={properties.length === 0 ? 'No properties yet.' : 'No properties match this filter.'}>
          {properties.length === 0 && <p>What your application says by {setBy} appears here.</p>}
        </Empty>
      )}
    </>
  )
}
