import type { Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { ChangeTransaction, RowChange } from '../../../ground/model/change.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { topicPrefix } from '../channel/channel.ts'
import { JoinRefusal, type Replays } from '../channel/join.ts'
import type { Member } from '../rooms/room.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { encodeBroadcast } from '../wire/encode.ts'
import type { BroadcastPayload } from '../wire/frames.ts'

/** Brings broadcasts that SQL has stored to their rooms, after the commit (realtime §4). */
export function deliverStored<M extends Member>(
  rooms: Rooms<M>,
  { changes, cause, committedAt }: ChangeTransaction,
): void {
  const led = cause === null ? null : { id: cause.id, at: committedAt }
  for (const change of changes) {
    const row = storedBroadcast(change)
    if (row === null) continue
    const { topic, isPrivate, event, payload, id } = row
    rooms.find({ topic: topicPrefix + topic, isPrivate })?.deliver({ event, payload, meta: { id } }, led)
  }
}

interface StoredBroadcast {
  readonly id: string
  readonly topic: string
  readonly event: string
  readonly isPrivate: boolean
  readonly payload: BroadcastPayload
}

function storedBroadcast({ schema, table, operation, new: row }: RowChange): StoredBroadcast | null {
  if (schema !== 'realtime' || table !== 'messages' || operation !== 'insert' || row === null) return null
  return broadcastOf(row)
}

/** A row of `realtime.messages` in PostgreSQL's texts; null for one that is no broadcast. */
function broadcastOf(row: Readonly<Record<string, string | null>>): StoredBroadcast | null {
  const { id, topic, event, extension, payload, binary_payload: binary, private: isPrivate } = row
  if (!id || !topic || !event || extension !== 'broadcast') return null
  const bytes = typeof binary === 'string' ? Buffer.from(binary.slice(2), 'hex') : Buffer.from(payload ?? '{}')
  return { id, topic, event, isPrivate: isPrivate === 't', payload: { isJson: typeof binary !== 'string', bytes } }
}

const mostReplayed = 25

/** Reads the newest broadcasts of a private channel since an instant, oldest first. */
const selectStoredStatement = (topic: string, since: Date, limit: number): Statement => ({
  text: `
select n.*
from (
  select m.id::text, m.topic, m.event, m.extension, m.payload::text, m.binary_payload::text, 't' as private, m.inserted_at
  from realtime.messages m
  where m.topic = $1 and m.extension = 'broadcast' and m.private and m.event is not null
    and m.inserted_at >= $2::timestamptz::timestamp
  order by m.inserted_at desc
  limit $3
) n
order by n.inserted_at`,
  values: [topic, since, limit],
})

/** Broadcasts from before a channel joined. */
export function createReplays(sql: Pick<Sql, 'query'>, log: { warn(details: object, message: string): void }): Replays {
  return {
    async read({ config, topic, permissions }) {
      if (!config.isPrivate) throw new JoinRefusal('UnableToReplayMessages: Replay is not allowed for public channels')
      const { since, limit = mostReplayed } = config.replay ?? {}
      const isGood =
        Number.isInteger(since) && Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= mostReplayed
      if (!isGood) throw new JoinRefusal('UnableToReplayMessages: Replay params are not valid')
      if (!permissions.read.broadcast)
        throw new JoinRefusal(
          `Unauthorized: You do not have permissions to read from this Channel topic: ${topic.slice(topicPrefix.length)}`,
        )
      const statement = selectStoredStatement(topic.slice(topicPrefix.length), new Date(Number(since)), Number(limit))
      const { rows } = await sql.query<Record<string, string | null>>(statement).catch((error: unknown) => {
        log.warn({ err: error }, `realtime: messages are not replayed: ${messageOf(error)}`)
        throw new JoinRefusal('UnableToReplayMessages: Realtime was unable to replay messages')
      })
      return (channel) => {
        for (const row of rows) {
          const stored = broadcastOf(row)
          if (stored === null) continue
          const { event, payload, id } = stored
          channel.replayed.add(id)
          const frame = encodeBroadcast(channel.version, { topic, event, payload, meta: { replayed: true, id } })
          if (frame === null) continue
          channel.connection.send(frame.wire)
          channel.received({ kind: 'broadcast', event }, frame.length, null)
        }
      }
    },
  }
}
