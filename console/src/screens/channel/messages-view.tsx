import { ArrowDownLeft, ArrowUpRight } from 'lucide-react'
import { useState } from 'react'
import { readableJson } from '../../lib/readable-json.ts'
import { Bytes } from '../../ui/bytes.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Filter } from '../../ui/field.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { ChannelMessage } from './messages.ts'

interface MessagesProps {
  readonly messages: readonly ChannelMessage[]
  readonly isJoined: boolean
}

const directions = {
  received: { label: 'received', Icon: ArrowDownLeft },
  sent: { label: 'sent', Icon: ArrowUpRight },
} as const

const columns: readonly TableColumn<ChannelMessage>[] = [
  {
    id: 'direction',
    title: <span className="sr-only">Direction</span>,
    width: 40,
    cell: ({ direction }) => {
      const { label, Icon } = directions[direction]
      return (
        <span title={label}>
          <Icon aria-hidden="true" className="inline size-3.5 text-ink-2" />
          <span className="sr-only">{label}</span>
        </span>
      )
    },
  },
  {
    id: 'event',
    title: 'Event',
    width: 148,
    cell: ({ kind, event }) => (
      <span title={kind}>
        {kind !== 'broadcast' && <span className="text-ink-2">{kind} </span>}
        <span className="font-medium">{event}</span>
      </span>
    ),
  },
  {
    id: 'payload',
    title: 'Payload',
    cell: ({ text }) =>
      text === null ? <span className="text-ink-2">bytes</span> : <span className="mono">{text}</span>,
  },
  {
    id: 'size',
    title: 'Size',
    width: 72,
    align: 'right',
    from: 'sheet',
    cell: ({ bytes }) => <Bytes value={bytes} />,
  },
  {
    id: 'at',
    title: 'At',
    width: 116,
    align: 'right',
    from: 'narrow',
    cell: ({ at }) => <Time at={at.toISOString()} look="clock" />,
  },
]

/** What came and went while the operator is in the channel, the newest first. */
export function MessagesView({ messages, isJoined }: MessagesProps) {
  const [filter, setFilter] = useState('')
  const [openId, setOpenId] = useState<number>()
  if (messages.length === 0)
    return (
      <Empty title={isJoined ? 'Nothing was said yet.' : 'Join to see what is said.'}>
        <p>
          {isJoined
            ? 'Messages appear here as they come, and those that you send below.'
            : 'You become a member like any other: policies and limits hold for the caller that you choose, and the audit log names it. Presence is seen, and you do not appear in it.'}
        </p>
      </Empty>
    )
  const wanted = filter.toLowerCase()
  const shown =
    wanted === ''
      ? messages
      : messages.filter(({ event, text }) => `${event} ${text ?? ''}`.toLowerCase().includes(wanted))
  return (
    <>
      <div className="flex h-10 shrink-0 items-center border-line border-b px-4">
        <Filter label="Filter messages" value={filter} onChange={setFilter} />
      </div>
      <Table
        label="Messages"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => String(id)}
        onOpen={({ id }) => setOpenId(id)}
        openKey={openId?.toString()}
      />
      <MessageDrawer message={messages.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </>
  )
}

interface MessageDrawerProps {
  readonly message: ChannelMessage | undefined
  readonly onClose: () => void
}

function MessageDrawer({ message, onClose }: MessageDrawerProps) {
  return (
    <Drawer open={message !== undefined} onClose={onClose} title={message ? `${message.kind} ${message.event}` : ''}>
      {message && (
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-4">
          <Facts>
            <Fact name="Direction">{message.direction}</Fact>
            <Fact name="At">
              <Time at={message.at.toISOString()} look="clock" />
            </Fact>
            <Fact name="Size">
              <Bytes value={message.bytes} />
            </Fact>
          </Facts>
          {message.text === null ? (
            <p className="text-ink-2">The payload is bytes.</p>
          ) : (
            <Code text={readableJson(message.text)} copyLabel="Copy the payload" />
          )}
        </div>
      )}
    </Drawer>
  )
}
