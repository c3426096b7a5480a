import type { Hook } from '../../lib/api/schemas.ts'
import { SendStateText } from '../../thread/send-state.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const firstHook = `create trigger order_placed after insert on orders
for each row execute function supabase_functions.http_request(
  'https://example.com/hook', 'POST', '{"Content-Type":"application/json"}', '{}', '5000');`

const columns: readonly TableColumn<Hook>[] = [
  {
    id: 'name',
    title: 'Webhook',
    width: 200,
    cell: ({ name, enabled }) => (
      <span title={name}>
        {name}
        {!enabled && <span className="text-ink-2"> disabled</span>}
      </span>
    ),
  },
  {
    id: 'table',
    title: 'Table',
    width: 180,
    from: 'narrow',
    cell: ({ schema, table }) => (
      <span className="mono" title={`${schema}.${table}`}>
        {schema === 'public' ? '' : <span className="text-ink-2">{schema}.</span>}
        {table}
      </span>
    ),
  },
  {
    id: 'events',
    title: 'Events',
    width: 168,
    from: 'wide',
    cell: ({ events }) => <span className="text-ink-2">{events.join(', ').toLowerCase()}</span>,
  },
  {
    id: 'url',
    title: 'Sends to',
    from: 'sheet',
    cell: ({ method, url }) => (
      <span className="mono" title={url}>
        {method} {url}
      </span>
    ),
  },
  {
    id: 'last',
    title: 'Last delivery',
    width: 200,
    cell: ({ lastState, lastAt }) =>
      lastState && lastAt ? (
        <>
          <SendStateText state={lastState} status={null} error={null} /> <Time at={lastAt} className="text-ink-2" />
        </>
      ) : (
        <span className="text-ink-2">none yet</span>
      ),
  },
]

/** The webhooks of tables; one opens its deliveries. */
export function HooksView({ hooks, onOpen }: { hooks: readonly Hook[]; onOpen: (hook: Hook) => void }) {
  if (hooks.length === 0)
    return (
      <Empty title="No webhooks yet.">
        <p>
          A webhook is a trigger that posts each changed row to an address. Deliveries appear here with every attempt,
          and each names the request that changed the row.
        </p>
        <Code text={firstHook} language="sql" copyLabel="Copy the SQL" />
      </Empty>
    )
  return (
    <Table
      label="Hooks"
      columns={columns}
      rows={hooks}
      rowKey={({ schema, table, name }) => `${schema}.${table}.${name}`}
      onOpen={onOpen}
    />
  )
}

/** Stands in place of the screen where another server sends webhooks. */
export function NoWebhooks() {
  return (
    <Empty title="Clew does not send webhooks of this database.">
      <p>
        An external server sends them with a pg_net of its own, and shows them in net._http_response. On the embedded
        PostgreSQL, a schema supabase_functions that was there before takes the place of Clew’s.
      </p>
    </Empty>
  )
}
