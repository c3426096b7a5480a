import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { api } from '../../lib/api/api.ts'
import type { SchemaFunction, SchemaObjects, SchemaRelation } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { functionsQuery, objectsQuery, relationsQuery } from '../../schema/queries.ts'
import { NewViewDrawer } from '../../schema/view-drawers.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Filter } from '../../ui/field.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { DomainsList } from './domains-list.tsx'
import { EnumsList } from './enums-list.tsx'
import { ExtensionsList } from './extensions-list.tsx'
import { FunctionsList } from './functions-list.tsx'
import { NewFunctionDrawer } from './new-function-drawer.tsx'
import { NewDomainDrawer, NewEnumDrawer, NewRoleDrawer } from './new-object-drawers.tsx'
import { NewTableDrawer } from './new-table-drawer.tsx'
import { PublicationsList } from './publications-list.tsx'
import { RolesList } from './roles-list.tsx'
import type { SchemaSearch, SchemaTab } from './search.ts'
import { TablesList } from './tables-list.tsx'

interface SchemaScreenProps {
  readonly search: SchemaSearch
  readonly onSearch: (search: SchemaSearch) => void
  readonly onOpenTable: (table: Pick<SchemaRelation, 'schema' | 'name'>) => void
}

/** What each tab makes anew; extensions and publications are there to be switched. */
const made: Readonly<Partial<Record<SchemaTab, string>>> = {
  tables: 'New table',
  functions: 'New function',
  enums: 'New enum',
  domains: 'New domain',
  roles: 'New role',
}

/** What the application's schema is made of. */
export function SchemaScreen({ search, onSearch, onOpenTable }: SchemaScreenProps) {
  const { tab = 'tables', q = '' } = search
  const { canChange } = useRights()
  const [making, setMaking] = useState<SchemaTab | 'views'>()
  const relations = useQuery(relationsQuery)
  const functions = useQuery(functionsQuery)
  const objects = useQuery(objectsQuery)
  const failed = [relations, functions, objects].find(({ error, data }) => error && !data)
  const go = (next: SchemaTab, text: string): void =>
    onSearch({ ...(next === 'tables' ? {} : { tab: next }), ...(text === '' ? {} : { q: text }) })
  const parts = { relations: relations.data, functions: functions.data, objects: objects.data }
  return (
    <Page
      title="Schema"
      actions={
        <>
          {canChange && tab === 'tables' && <Button onClick={() => setMaking('views')}>New view</Button>}
          {canChange && made[tab] && (
            <Button look="primary" onClick={() => setMaking(tab)}>
              {made[tab]}
            </Button>
          )}
        </>
      }
    >
      {failed ? (
        <ErrorProblem error={failed.error} onRetry={failed.refetch} />
      ) : (
        <>
          <div className="flex h-10 shrink-0 items-center justify-between gap-3 border-line border-b px-4">
            <Filter label="Filter by name" value={q} onChange={(text) => go(tab, text)} />
            <Link to="/schema/diagram" className={buttonClasses()}>
              Diagram
            </Link>
          </div>
          <Tabs<SchemaTab>
            label="Schema"
            value={tab}
            onChange={(next) => go(next, q)}
            className="flex-1"
            tabs={tabsOf(parts, { search, onSearch, onOpenTable })}
          />
        </>
      )}
      {making && <Making what={making} parts={parts} onMade={onOpenTable} onClose={() => setMaking(undefined)} />}
    </Page>
  )
}

/** What is read so far. */
interface Parts {
  readonly relations: Awaited<ReturnType<typeof api.schemaTables>> | undefined
  readonly functions: readonly SchemaFunction[] | undefined
  readonly objects: SchemaObjects | undefined
}

function tabsOf(
  { relations, functions, objects }: Parts,
  { search, onSearch, onOpenTable }: SchemaScreenProps,
): readonly Tab<SchemaTab>[] {
  const { open: openKey, ...place } = search
  const tables = relations?.tables
  const { enums, domains, extensions, roles, publications } = objects ?? {}
  const list = {
    filter: search.q ?? '',
    openKey,
    onOpen: (key: string | undefined) => onSearch(key === undefined ? place : { ...place, open: key }),
  }
  return [
    {
      name: 'tables',
      label: 'Tables',
      count: tables?.length,
      panel: <TablesList tables={tables} filter={list.filter} onOpen={onOpenTable} />,
    },
    {
      name: 'functions',
      label: 'Functions',
      count: functions?.length,
      panel: <FunctionsList functions={functions} {...list} />,
    },
    { name: 'enums', label: 'Enums', count: enums?.length, panel: <EnumsList enums={enums} {...list} /> },
    { name: 'domains', label: 'Domains', count: domains?.length, panel: <DomainsList domains={domains} {...list} /> },
    {
      name: 'extensions',
      label: 'Extensions',
      count: extensions?.filter(({ installed }) => installed !== null).length,
      panel: <ExtensionsList extensions={extensions} {...list} />,
    },
    { name: 'roles', label: 'Roles', count: roles?.length, panel: <RolesList roles={roles} {...list} /> },
    {
      name: 'publications',
      label: 'Publications',
      count: publications?.length,
      panel: <PublicationsList publications={publications} tables={tables} {...list} />,
    },
  ]
}

interface MakingProps {
  readonly what: SchemaTab | 'views'
  readonly parts: Parts
  readonly onMade: SchemaScreenProps['onOpenTable']
  readonly onClose: () => void
}

/** The form of what a tab makes anew. */
function Making({ what, parts: { relations, objects }, onMade, onClose }: MakingProps) {
  switch (what) {
    case 'tables':
      return <NewTableDrawer schemas={relations?.schemas ?? ['public']} onMade={onMade} onClose={onClose} />
    case 'views':
      return <NewViewDrawer schemas={relations?.schemas ?? ['public']} onMade={onMade} onClose={onClose} />
    case 'domains':
      return <NewDomainDrawer onClose={onClose} />
    case 'functions':
      return <NewFunctionDrawer onClose={onClose} />
    case 'enums':
      return <NewEnumDrawer onClose={onClose} />
    case 'roles':
      return <NewRoleDrawer roles={objects?.roles ?? []} onClose={onClose} />
    default:
      return null
  }
}
