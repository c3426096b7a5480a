import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { SchemaTable } from '../../lib/api/schema.ts'
import { useRights } from '../../lib/rights.ts'
import { relationQuery } from '../../schema/queries.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Code } from '../../ui/code.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { Count } from '../../ui/time.tsx'
import { ColumnsTab } from './columns-tab.tsx'
import { ConstraintsTab } from './constraints-tab.tsx'
import { GrantsTab } from './grants-tab.tsx'
import { IndexesTab } from './indexes-tab.tsx'
import { PoliciesTab } from './policies-tab.tsx'
import { PolicyTester } from './policy-tester.tsx'
import type { TableTab, TableTabSearch } from './search.ts'
import { TableActions } from './table-actions.tsx'
import { TriggersTab } from './triggers-tab.tsx'

interface SchemaTableScreenProps {
  readonly schema: string
  readonly name: string
  readonly search: TableTabSearch
  readonly onSearch: (search: TableTabSearch) => void
  readonly onRenamed: (name: string) => void
  readonly onDropped: () => void
}

/** One table or view as it is defined. */
export function SchemaTableScreen(props: SchemaTableScreenProps) {
  const { schema, name, search, onSearch, onRenamed, onDropped } = props
  const { data: table, error, refetch } = useQuery(relationQuery(schema, name))
  const { canChange } = useRights()
  return (
    <Page
      title={
        <span className="mono">
          {schema}.{name}
        </span>
      }
      crumbs={[{ label: 'Schema', link: { to: '/schema' } }]}
      facts={table && <Facts table={table} />}
      actions={
        <>
          <Link to="/data/$schema/$table" params={{ schema, table: name }} className={buttonClasses()}>
            Rows
          </Link>
          {table && canChange && table.changeable && (
            <TableActions table={table} onRenamed={onRenamed} onDropped={onDropped} />
          )}
        </>
      }
    >
      {table ? (
        <Tabs<TableTab>
          label="Table"
          value={search.tab ?? 'columns'}
          onChange={(tab) => onSearch(tab === 'columns' ? {} : { tab })}
          className="flex-1"
          tabs={tabsOf(table, canChange)}
        />
      ) : error ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SkeletonRows />
      )}
    </Page>
  )
}

function Facts({ table: { kind, rows, sizeBytes, comment, changeable } }: { readonly table: SchemaTable }) {
  return (
    <>
      <span>{kind}</span>
      {kind === 'table' && (
        <span title="By PostgreSQL’s statistics">
          <Count value={rows} /> {rows === 1 ? 'row' : 'rows'}
        </span>
      )}
      {sizeBytes > 0 && <Bytes value={sizeBytes} />}
      {!changeable && <span>a service’s</span>}
      {comment && <span className="truncate">{comment}</span>}
    </>
  )
}

/** A view has columns, grants and its query. */
function tabsOf(table: SchemaTable, canChange: boolean): readonly Tab<TableTab>[] {
  const mayChange = canChange && table.changeable
  const columns: Tab<TableTab> = {
    name: 'columns',
    label: 'Columns',
    count: table.columns.length,
    panel: <ColumnsTab table={table} canChange={mayChange && table.view === null} />,
  }
  const triggers: Tab<TableTab> = {
    name: 'triggers',
    label: 'Triggers',
    count: table.triggers.length,
    panel: <TriggersTab table={table} canChange={mayChange} />,
  }
  const grants: Tab<TableTab> = {
    name: 'grants',
    label: 'Grants',
    panel: <GrantsTab table={table} canChange={mayChange} />,
  }
  if (table.view !== null)
    return [
      columns,
      grants,
      triggers,
      {
        name: 'constraints',
        label: 'Query',
        panel: (
          <div className="min-h-0 flex-1 overflow-y-auto p-4">
            <Code text={table.view} language="sql" copyLabel="Copy the query" />
          </div>
        ),
      },
    ]
  return [
    columns,
    {
      name: 'policies',
      label: 'Policies',
      count: table.policies.length,
      panel: <PoliciesTab table={table} canChange={canChange && table.policiesChangeable} mayToggle={mayChange} />,
    },
    { name: 'test', label: 'Test policies', panel: <PolicyTester table={table} /> },
    grants,
    {
      name: 'indexes',
      label: 'Indexes',
      count: table.indexes.length,
      panel: <IndexesTab table={table} canChange={mayChange} />,
    },
    triggers,
    {
      name: 'constraints',
      label: 'Constraints',
      count: table.constraints.length,
      panel: <ConstraintsTab table={table} canChange={mayChange} />,
    },
  ]
}
