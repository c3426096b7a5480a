import type { RealtimeChannels } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'

type AskedTable = RealtimeChannels['tables'][number]

const publish = 'alter publication supabase_realtime add table orders;'
const subscribe = `supabase
  .channel('orders')
  .on('postgres_changes', { event: '*', schema: 'public', table: 'orders' }, ({ new: row }) => console.log(row))
  .subscribe()`

const columns: readonly TableColumn<AskedTable>[] = [
  {
    id: 'table',
    title: 'Table',
    cell: ({ schema, table }) => (
      <span className="mono">
        <span className="text-ink-2">{schema ?? '*'}.</span>
        {table ?? '*'}
      </span>
    ),
  },
  {
    id: 'events',
    title: 'Changes',
    width: 200,
    from: 'sheet',
    cell: ({ events }) => (events.includes('*') ? 'any' : events.join(', ')),
  },
  {
    id: 'filtered',
    title: 'With a filter',
    width: 104,
    align: 'right',
    from: 'narrow',
    cell: ({ filtered }) => <Count value={filtered} />,
  },
  {
    id: 'subscriptions',
    title: 'Subscriptions',
    width: 112,
    align: 'right',
    cell: ({ subscriptions }) => <Count value={subscriptions} />,
  },
]

/** The tables whose changes channels ask for, and the stream that brings them. */
export function ChangesView({ answer }: { readonly answer: RealtimeChannels | undefined }) {
  if (answer === undefined) return <SkeletonRows />
  return (
    <>
      <Stream stream={answer.stream} />
      {answer.tables.length === 0 ? (
        <Empty title="Nobody asks for row changes.">
          <p>A table sends its changes once it is in the publication:</p>
          <Code text={publish} language="sql" copyLabel="Copy the SQL" />
          <p>Row-level security decides for each listener which rows it sees:</p>
          <Code text={subscribe} copyLabel="Copy the code" />
        </Empty>
      ) : (
        <Table
          label="Row changes"
          columns={columns}
          rows={answer.tables}
          rowKey={({ schema, table }) => JSON.stringify([schema, table])}
        />
      )}
    </>
  )
}

const tones: Readonly<Record<string, Tone>> = { up: 'ok', degraded: 'warn', starting: 'quiet', off: 'quiet' }

function Stream({ stream: { state, detail, behindBytes } }: Pick<RealtimeChannels, 'stream'>) {
  return (
    <section
      aria-label="The change stream"
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2 text-ink-2"
    >
      <Dot tone={tones[state] ?? 'danger'}>{state}</Dot>
      <span className="wrap-anywhere min-w-0">{detail}</span>
      <span title="Log of PostgreSQL whose row changes are not stored yet">
        <Bytes value={behindBytes} /> behind
      </span>
    </section>
  )
}
