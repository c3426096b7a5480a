import { Link } from '@tanstack/react-router'
import type { RealtimeChannel, RealtimeChannels } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Filter } from '../../ui/field.tsx'
import { Rate } from '../../ui/rate.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Count } from '../../ui/time.tsx'

interface ChannelsProps {
  /** Absent while it is on its way. */
  readonly answer: RealtimeChannels | undefined
  readonly filter: string
  readonly onFilter: (text: string) => void
  readonly onOpen: (channel: RealtimeChannel) => void
}

const firstChannel = `const channel = supabase
  .channel('lobby')
  .on('broadcast', { event: 'hello' }, ({ payload }) => console.log(payload))
  .subscribe()

await channel.send({ type: 'broadcast', event: 'hello', payload: { from: 'me' } })`

const columns: readonly TableColumn<RealtimeChannel>[] = [
  {
    id: 'topic',
    title: 'Channel',
    cell: ({ topic, isPrivate }) => (
      <Link
        to="/realtime/channel"
        search={{ topic, ...(isPrivate && { private: true }) }}
        className="mono hover:underline"
      >
        {topic}
      </Link>
    ),
  },
  {
    id: 'kind',
    title: 'Kind',
    width: 84,
    cell: ({ isPrivate }) => (
      <span title={isPrivate ? 'Policies of realtime.messages decide' : 'Anyone with a key may join'}>
        <Badge>{isPrivate ? 'private' : 'public'}</Badge>
      </span>
    ),
  },
  { id: 'members', title: 'Members', width: 84, align: 'right', cell: ({ members }) => <Count value={members} /> },
  {
    id: 'presences',
    title: 'Present',
    width: 84,
    align: 'right',
    from: 'sheet',
    cell: ({ presences }) => <Count value={presences} />,
  },
  {
    id: 'said',
    title: <span title="Messages a second that members sent, over the last minute">In</span>,
    width: 72,
    align: 'right',
    from: 'narrow',
    cell: ({ lastMinute }) => <Rate lastMinute={lastMinute.said} />,
  },
  {
    id: 'sent',
    title: <span title="Messages a second that were sent to members, over the last minute">Out</span>,
    width: 80,
    align: 'right',
    from: 'narrow',
    cell: ({ lastMinute }) => <Rate lastMinute={lastMinute.sent} />,
  },
]

/** The open channels, those with the most members first. */
export function ChannelsView({ answer, filter, onFilter, onOpen }: ChannelsProps) {
  if (answer === undefined) return <SkeletonRows />
  const { channels, isCut } = answer
  if (channels.length === 0 && filter === '')
    return (
      <Empty title="No channel is open.">
        <p>A channel is listed while it has a member. This joins one and sends a message to all its members:</p>
        <Code text={firstChannel} copyLabel="Copy the code" />
      </Empty>
    )
  return (
    <>
      <div className="flex h-10 shrink-0 items-center border-line border-b px-4">
        <Filter label="Filter by topic" value={filter} onChange={onFilter} />
      </div>
      {channels.length === 0 ? (
        <Empty title="No open channel has this in its topic." />
      ) : (
        <Table
          label="Channels"
          columns={columns}
          rows={channels}
          rowKey={({ topic, isPrivate }) => `${isPrivate} ${topic}`}
          onOpen={onOpen}
          footer={
            isCut && (
              <p className="px-4 py-3 text-ink-2">
                There are more. These have the most members; the filter finds others.
              </p>
            )
          }
        />
      )}
    </>
  )
}
