import { useState } from 'react'
import type { SchemaObjects } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { FilteredList, type ListProps } from './filtered-list.tsx'

type Role = SchemaObjects['roles'][number]

/** The roles that Clew and the services stand on. */
const own = /^(supabase_|anon$|authenticated$|service_role$|authenticator$|postgres$|dashboard_user$)/

const columns: readonly TableColumn<Role>[] = [
  { id: 'name', title: 'Role', width: 216, cell: ({ name }) => <span className="mono">{name}</span> },
  { id: 'may', title: 'May', cell: (role) => <span className="text-ink-2">{mayText(role)}</span> },
  {
    id: 'member',
    title: 'Member of',
    width: 240,
    from: 'wide',
    cell: ({ memberOf }) => <span className="mono text-ink-2">{memberOf.join(', ') || '–'}</span>,
  },
]

/** What a role may beyond tables, in words. */
function mayText(role: Role): string {
  const said = [
    role.superuser && 'everything: a superuser',
    role.bypassesRowSecurity && 'is above row security',
    role.canLogin && 'logs in',
    role.createsRoles && 'makes roles',
    role.createsDatabases && 'makes databases',
    role.replicates && 'replicates',
  ].filter((text) => text !== false)
  return said.join(', ') || 'what its grants say'
}

interface RolesListProps extends ListProps {
  readonly roles: readonly Role[] | undefined
}

/** The roles of the database, with what they may. */
export function RolesList({ roles, filter, openKey, onOpen }: RolesListProps) {
  const opened = roles?.find(({ name }) => name === openKey)
  return (
    <>
      <FilteredList
        label="Roles"
        columns={columns}
        items={roles}
        filter={filter}
        nameOf={({ name }) => name}
        onOpen={({ name }) => onOpen(name)}
        openKey={openKey}
        empty={<Empty title="No roles." />}
      />
      {opened && <RoleDrawer key={opened.name} role={opened} onClose={() => onOpen(undefined)} />}
    </>
  )
}

function RoleDrawer({ role, onClose }: { readonly role: Role; readonly onClose: () => void }) {
  const { canChange } = useRights()
  const [isDropping, setDropping] = useState(false)
  const { name, memberOf, readableTables, writableTables } = role
  if (isDropping)
    return (
      <ChangeDrawer
        title={`Drop ${name}`}
        action="Drop"
        confirm={name}
        changes={[{ kind: 'drop role', name }]}
        onApplied={onClose}
        onClose={() => setDropping(false)}
      />
    )
  return (
    <Drawer open onClose={onClose} title={name}>
      <div className="grid gap-4 p-4">
        <Facts>
          <Fact name="May">{mayText(role)}</Fact>
          <Fact name="Member of">
            <span className="mono">{memberOf.join(', ') || '–'}</span>
          </Fact>
          <Fact name="Reads">
            {readableTables} {readableTables === 1 ? 'table' : 'tables'} of public
          </Fact>
          <Fact name="Writes">
            {writableTables} {writableTables === 1 ? 'table' : 'tables'} of public
          </Fact>
        </Facts>
        <p className="text-ink-2">Grants say which tables; row security then says which rows.</p>
        {canChange && !own.test(name) && (
          <Button look="danger" className="justify-self-start" onClick={() => setDropping(true)}>
            Drop
          </Button>
        )}
      </div>
    </Drawer>
  )
}
