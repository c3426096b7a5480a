import { MissingExtension } from '../../frame/missing-extension.tsx'
import type { SentRequest } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { SendStateText } from '../../thread/send-state.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Duration, Time } from '../../ui/time.tsx'

interface RequestsProps {
  /** Absent while the first page is on its way. */
  readonly list:
    | (GrowingList<SentRequest> & { readonly installed: boolean; readonly waiting: readonly SentRequest[] })
    | undefined
  readonly openId: string | undefined
  readonly onOpen: (request: SentRequest) => void
  readonly onEnd: () => void
}

const columns: readonly TableColumn<SentRequest>[] = [
  { id: 'at', title: 'Time', width: 124, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  {
    id: 'url',
    title: 'Request',
    cell: ({ method, url }) => (
      <span className="mono" title={url}>
        {method} {url}
      </span>
    ),
  },
  { id: 'state', title: 'State', width: 140, cell: (request) => <SendStateText {...request} /> },
  {
    id: 'duration',
    title: 'Duration',
    width: 92,
    align: 'right',
    from: 'narrow',
    cell: ({ durationMs }) =>
      durationMs === null ? <span className="text-ink-3">–</span> : <Duration ms={durationMs} />,
  },
  {
    id: 'number',
    title: 'Number',
    width: 84,
    align: 'right',
    from: 'sheet',
    cell: ({ requestId }) => <span className="text-ink-2">{requestId}</span>,
  },
]

/** Requests of pg_net: those that wait first, then those that were sent, newest first. */
export function RequestsView({ list, openId, onOpen, onEnd }: RequestsProps) {
  if (list === undefined) return <SkeletonRows />
  if (!list.installed)
    return (
      <MissingExtension name="pg_net">It lets SQL make HTTP requests that are sent after the commit.</MissingExtension>
    )
  const rows = [...list.waiting, ...list.items]
  if (rows.length === 0)
    return (
      <Empty title="No requests from SQL yet.">
        <p>Each call of net.http_get, http_post and http_delete appears here with its answer, and with what made it.</p>
        <Code text={`select net.http_get('https://example.com/');`} language="sql" copyLabel="Copy the SQL" />
      </Empty>
    )
  return (
    <Table
      label="Requests from SQL"
      columns={columns}
      rows={rows}
      rowKey={({ id, requestId }) => id ?? `waiting ${requestId}`}
      onOpen={onOpen}
      openKey={openId}
      onEnd={onEnd}
    />
  )
}
