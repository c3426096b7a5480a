import type { QueueMessage } from '../../lib/api/schemas.ts'
import type { GrowingList } from '../../lib/lists/growing-list.ts'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { MessageState } from './search.ts'

interface MessagesProps {
  /** Absent while the first page is on its way. */
  readonly list: GrowingList<QueueMessage> | undefined
  readonly state: MessageState
  readonly openId: string | undefined
  readonly onOpen: (message: QueueMessage) => void
  readonly onEnd: () => void
}

const empty: Readonly<Record<MessageState, readonly [title: string, text: string]>> = {
  visible: ['No messages wait.', 'A message that is sent appears here until a reader takes it.'],
  'in flight': [
    'No messages are in flight.',
    'A message is in flight while a reader works on it, or while it is delayed.',
  ],
  archived: ['The archive is empty.', 'Readers move a message here with pgmq.archive; it stays until it is deleted.'],
}

const columns = (state: MessageState): readonly TableColumn<QueueMessage>[] => [
  { id: 'id', title: 'Id', width: 84, align: 'right', cell: ({ id }) => id },
  {
    id: 'message',
    title: 'Message',
    cell: ({ message }) => <span className="mono">{message ?? 'null'}</span>,
  },
  { id: 'reads', title: 'Reads', width: 64, align: 'right', from: 'sheet', cell: ({ readCount }) => readCount },
  { id: 'at', title: 'Sent', width: 104, from: 'narrow', cell: ({ enqueuedAt }) => <Time at={enqueuedAt} /> },
  {
    id: 'until',
    title: state === 'archived' ? 'Archived' : 'Visible',
    width: 104,
    cell: ({ visibleAt, archivedAt }) => <Time at={archivedAt ?? visibleAt} />,
  },
]

/** Messages of a queue in one state. */
export function MessagesView({ list, state, openId, onOpen, onEnd }: MessagesProps) {
  if (list === undefined) return <SkeletonRows />
  if (list.items.length === 0) {
    const [title, text] = empty[state]
    return (
      <Empty title={title}>
        <p>{text}</p>
      </Empty>
    )
  }
  return (
    <Table
      label="Messages"
      columns={columns(state)}
      rows={list.items}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      openKey={openId}
      onEnd={onEnd}
    />
  )
}
