import { useState } from 'react'
import type { SchemaChange, SchemaObjects, SchemaRelation } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { FilteredList, type ListProps, QualifiedName } from './filtered-list.tsx'

type Publication = SchemaObjects['publications'][number]
type Named = Publication['tables'][number]

const columns: readonly TableColumn<Publication>[] = [
  { id: 'name', title: 'Publication', width: 216, cell: ({ name }) => <span className="mono">{name}</span> },
  {
    id: 'tables',
    title: 'Tables',
    cell: ({ allTables, tables }) => (
      <span className="mono text-ink-2">
        {allTables ? 'all' : tables.map(({ schema, name }) => `${schema}.${name}`).join(', ') || 'none'}
      </span>
    ),
  },
  { id: 'commands', title: 'Of', width: 240, from: 'wide', cell: ({ commands }) => commands.join(', ') },
]

interface PublicationsListProps extends ListProps {
  readonly publications: readonly Publication[] | undefined
  readonly tables: readonly SchemaRelation[] | undefined
}

/** The publications, by which Realtime and other subscribers hear of row changes. */
export function PublicationsList({ publications, tables, filter, openKey, onOpen }: PublicationsListProps) {
  const opened = publications?.find(({ name }) => name === openKey)
  return (
    <>
      <FilteredList
        label="Publications"
        columns={columns}
        items={publications}
        filter={filter}
        nameOf={({ name }) => name}
        onOpen={({ name }) => onOpen(name)}
        openKey={openKey}
        empty={<Empty title="No publications." />}
      />
      {opened && (
        <PublicationDrawer key={opened.name} opened={opened} tables={tables ?? []} onClose={() => onOpen(undefined)} />
      )}
    </>
  )
}

interface PublicationDrawerProps {
  readonly opened: Publication
  readonly tables: readonly SchemaRelation[]
  readonly onClose: () => void
}

function PublicationDrawer({ opened, tables, onClose }: PublicationDrawerProps) {
  const { canChange } = useRights()
  const [mode, setMode] = useState<'read' | 'add' | { readonly remove: Named }>('read')
  const { name, allTables, changeable } = opened
  const idOf = (table: Named) => `${table.schema}.${table.name}`
  const taken = new Set(opened.tables.map(idOf))
  const free = tables.filter(
    (table) => table.changeable && /^(partitioned )?table$/.test(table.kind) && !taken.has(idOf(table)),
  )
  if (mode === 'add') return <AddTable publication={name} tables={free} onClose={() => setMode('read')} />
  if (mode !== 'read')
    return (
      <ChangeDrawer
        title={`Take ${mode.remove.name} out`}
        action="Take out"
        changes={[publish(name, mode.remove, false)]}
        onClose={() => setMode('read')}
      >
        <p>Subscribers hear of no more changes of its rows.</p>
      </ChangeDrawer>
    )
  const mayChange = canChange && changeable && !allTables
  return (
    <Drawer open onClose={onClose} title={name}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <p className="text-ink-2">
          {name === 'supabase_realtime'
            ? 'Clients that subscribe to row changes hear of those of these tables.'
            : 'Its subscribers hear of row changes of these tables.'}
        </p>
        {allTables && <p>All tables.</p>}
        <ul aria-label="Tables" className="grid">
          {opened.tables.map((table) => (
            <li key={idOf(table)} className="flex h-8 items-center gap-2 border-line border-b">
              <span className="min-w-0 flex-1 truncate">
                <QualifiedName {...table} />
              </span>
              {mayChange && (
                <Button size="small" aria-label={`Take ${table.name} out`} onClick={() => setMode({ remove: table })}>
                  Take out
                </Button>
              )}
            </li>
          ))}
        </ul>
        {mayChange && (
          <Button className="justify-self-start" disabled={free.length === 0} onClick={() => setMode('add')}>
            Add a table
          </Button>
        )}
      </div>
    </Drawer>
  )
}

const publish = (publication: string, { schema, name }: Named, published: boolean): SchemaChange => ({
  kind: 'publish table',
  publication,
  schema,
  table: name,
  published,
})

interface AddTableProps {
  readonly publication: string
  readonly tables: readonly SchemaRelation[]
  readonly onClose: () => void
}

function AddTable({ publication, tables, onClose }: AddTableProps) {
  const options = tables.map(({ schema, name }) => `${schema}.${name}`)
  const [chosen, setChosen] = useState(options[0] ?? '')
  const table = tables.find(({ schema, name }) => `${schema}.${name}` === chosen)
  return (
    <ChangeDrawer
      title={`Add a table to ${publication}`}
      action="Add"
      changes={table === undefined ? [] : [publish(publication, table, true)]}
      onClose={onClose}
    >
      <Choice label="Table" value={chosen} options={options} onChange={setChosen} />
    </ChangeDrawer>
  )
}
