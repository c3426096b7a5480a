import type { Delivery } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { SendStateText } from '../../thread/send-state.tsx'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { DeliveryFilter } from './queries.ts'

interface DeliveriesProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<Delivery> | undefined
  readonly filter: DeliveryFilter
  readonly openId: string | undefined
  readonly onFilter: (filter: DeliveryFilter) => void
  readonly onOpen: (delivery: Delivery) => void
  readonly onEnd: () => void
  /** Attempts all that failed once more; absent for a role that may not. */
  readonly onSendAgain?: (() => void) | undefined
}

const states = ['failed', 'waiting', 'sending', 'delivered'] as const

const columns: readonly TableColumn<Delivery>[] = [
  { id: 'at', title: 'Time', width: 124, cell: ({ at }) => <Time at={at} look="clock" className="mono text-ink-2" /> },
  {
    id: 'hook',
    title: 'Webhook',
    cell: ({ hook, schema, table, event }) => (
      <span title={`${hook}: ${event} of ${schema}.${table}`}>
        {hook} <span className="text-ink-2">{event.toLowerCase()}</span>{' '}
        <span className="mono text-ink-2">{table}</span>
      </span>
    ),
  },
  {
    id: 'url',
    title: 'Sends to',
    from: 'wide',
    cell: ({ method, url }) => (
      <span className="mono text-ink-2" title={url}>
        {method} {url}
      </span>
    ),
  },
  { id: 'state', title: 'State', width: 132, cell: (delivery) => <SendStateText {...delivery} /> },
  { id: 'attempts', title: 'Attempts', width: 76, align: 'right', from: 'sheet', cell: ({ attempts }) => attempts },
  {
    id: 'next',
    title: 'Next attempt',
    width: 104,
    from: 'sheet',
    cell: ({ state, nextAttemptAt }) =>
      state === 'waiting' && nextAttemptAt ? <Time at={nextAttemptAt} /> : <span className="text-ink-3">–</span>,
  },
]

/** Deliveries of webhooks, newest first. */
export function DeliveriesView({ list, filter, openId, onFilter, onOpen, onEnd, onSendAgain }: DeliveriesProps) {
  const { state, ...ofHook } = filter
  return (
    <>
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-1.5 border-line border-b px-4 py-1.5">
        {states.map((name) => (
          <Chip key={name} on={state === name} onToggle={(on) => onFilter(on ? { ...ofHook, state: name } : ofHook)}>
            {name}
          </Chip>
        ))}
        {state === 'failed' && onSendAgain && list !== undefined && list.items.length > 0 && (
          <Button size="small" className="order-last ml-auto" onClick={onSendAgain}>
            Send all again
          </Button>
        )}
        {filter.hook && (
          <Chip on onToggle={() => onFilter(state ? { state } : {})}>
            {filter.hook} ×
          </Chip>
        )}
      </div>
      <ListTable
        label="Deliveries"
        columns={columns}
        rows={list?.items}
        rowKey={({ id }) => id}
        onOpen={onOpen}
        openKey={openId}
        onEnd={onEnd}
        none={
          Object.keys(filter).length > 0 ? (
            <NoMatch title="No deliveries match this filter." all="Show all deliveries" onAll={() => onFilter({})} />
          ) : (
            <Empty title="No deliveries yet.">
              <p>Each row that a webhook watches makes one when it changes. Finished ones stay for some days.</p>
            </Empty>
          )
        }
      />
    </>
  )
}
