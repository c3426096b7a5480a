import { useState } from 'react'
import type { SchemaObjects } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { DropCascadeDrawer } from '../../schema/drop-cascade-drawer.tsx'
import { shortType } from '../../schema/short-type.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { type ListProps, OpeningList, QualifiedName } from './filtered-list.tsx'

type Domain = SchemaObjects['domains'][number]

const columns: readonly TableColumn<Domain>[] = [
  { id: 'name', title: 'Domain', width: 240, cell: (one) => <QualifiedName schema={one.schema} name={one.name} /> },
  {
    id: 'type',
    title: 'Of',
    width: 144,
    from: 'narrow',
    cell: ({ type }) => <span className="mono text-ink-2">{shortType(type)}</span>,
  },
  {
    id: 'checks',
    title: 'Condition',
    cell: ({ checks }) => (
      <span className="mono text-ink-2">{checks.map(({ definition }) => definition).join(' ') || '–'}</span>
    ),
  },
  {
    id: 'columns',
    title: 'Used by',
    width: 200,
    from: 'sheet',
    cell: ({ columns: used }) => <span className="mono text-ink-2">{used.join(', ') || '–'}</span>,
  },
]

interface DomainsListProps extends ListProps {
  readonly domains: readonly Domain[] | undefined
}

/** The domains of all schemas; one opens with its conditions. */
export function DomainsList({ domains, ...list }: DomainsListProps) {
  return (
    <OpeningList
      {...list}
      label="Domains"
      columns={columns}
      items={domains}
      nameOf={({ schema, name }) => `${schema}.${name}`}
      empty={
        <Empty title="No domains yet.">
          <p>
            A domain is a type with a condition that holds in each column that has it: an address with an @, for one.
          </p>
        </Empty>
      }
      drawerOf={(opened, onClose) => <DomainDrawer opened={opened} onClose={onClose} />}
    />
  )
}

function DomainDrawer({ opened, onClose }: { readonly opened: Domain; readonly onClose: () => void }) {
  const { canChange } = useRights()
  const [isDropping, setDropping] = useState(false)
  const { schema, name } = opened
  if (isDropping)
    return (
      <DropCascadeDrawer
        name={name}
        dependents="Drop the columns that have it along with it"
        changeOf={(cascade) => ({ kind: 'drop domain', schema, name, cascade })}
        onApplied={onClose}
        onClose={() => setDropping(false)}
      />
    )
  return (
    <Drawer open onClose={onClose} title={`${schema}.${name}`}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <Facts>
          <Fact name="Of">
            <span className="mono">{opened.type}</span>
          </Fact>
          <Fact name="Default">
            <span className="mono">{opened.default ?? 'none'}</span>
          </Fact>
          <Fact name="Null">{opened.nullable ? 'allowed' : 'refused'}</Fact>
          <Fact name="Used by">
            <span className="mono wrap-anywhere">{opened.columns.join(', ') || 'no column'}</span>
          </Fact>
        </Facts>
        {opened.checks.map((check) => (
          <p key={check.name} className="mono wrap-anywhere">
            {check.definition}
          </p>
        ))}
        {canChange && opened.changeable && (
          <div>
            <Button look="danger" onClick={() => setDropping(true)}>
              Drop
            </Button>
          </div>
        )}
      </div>
    </Drawer>
  )
}
