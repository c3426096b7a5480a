import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A message that is ours until its time is over. */
export interface ClaimedMessage {
  readonly id: string
  /** How often it was read, this time included. */
  readonly reads: number
  /** Unix milliseconds. */
  readonly enqueuedAtMs: number
  /** JSON: the message as `pgmq.read` tells it, and its queue. */
  readonly body: string
}

/** The queue of messages that failed for good. */
const deadQueueOf = (queue: string): string => `${queue}_dead`

const queueTable = (queue: string): SqlFragment => identifier('pgmq', `q_${queue.toLowerCase()}`)

/** Takes the oldest messages that are visible, and hides them from other readers. */
export const claimMessagesStatement = (queue: string, hiddenSeconds: number, limit: number): Statement =>
  compile(sql`
    select m.msg_id::text as id, m.read_ct as reads,
      floor(extract(epoch from m.enqueued_at) * 1000)::float8 as "enqueuedAtMs",
      jsonb_build_object(
        'queue', ${typed(queue, 'text')}, 'msg_id', m.msg_id, 'read_ct', m.read_ct, 'enqueued_at', m.enqueued_at,
        'message', m.message, 'headers', m.headers
      )::text as body
    from pgmq.read(${typed(queue, 'text')}, ${typed(hiddenSeconds, 'integer')}, ${typed(limit, 'integer')}) m`)

export const archiveStatement = (queue: string, id: string): Statement =>
  compile(sql`select from pgmq.archive(${typed(queue, 'text')}, ${typed(id, 'bigint')})`)

/** Makes a message visible again after a while. Its row is written itself: `pgmq.set_vt` knows whole seconds only. */
export const showAgainStatement = (queue: string, id: string, afterMs: number): Statement =>
  compile(sql`
    update ${queueTable(queue)}
    set vt = clock_timestamp() + make_interval(secs => ${typed(afterMs / 1000, 'float8')})
    where msg_id = ${typed(id, 'bigint')}`)

/** Gives back a message whose call was given up: that was no attempt. */
export const giveBackStatement = (queue: string, id: string): Statement =>
  compile(sql`
    update ${queueTable(queue)}
    set vt = clock_timestamp(), read_ct = greatest(read_ct - 1, 0)
    where msg_id = ${typed(id, 'bigint')}`)

/** Makes the queue of dead letters where it is not there. */
export const createDeadQueueStatement = (queue: string): Statement =>
  compile(sql`
    select from pgmq.create(${typed(deadQueueOf(queue), 'text')})
    where to_regclass(${`pgmq.q_${deadQueueOf(queue).toLowerCase()}`}) is null`)

/** Moves a message to the dead letters, with its story in the header `dead_letter`. */
export const buryStatement = (queue: string, id: string, error: string): Statement =>
  compile(sql`
    with gone as (
      delete from ${queueTable(queue)} q
      where q.msg_id = ${typed(id, 'bigint')}
      returning q.msg_id, q.read_ct, q.message, q.headers
    )
    select pgmq.send(
      ${typed(deadQueueOf(queue), 'text')}, gone.message,
      jsonb_build_object('dead_letter', jsonb_build_object(
        'queue', ${typed(queue, 'text')}, 'msg_id', gone.msg_id, 'attempts', gone.read_ct,
        'error', ${typed(error, 'text')}, 'failed_at', clock_timestamp(), 'headers', gone.headers
      ))
    )
    from gone`)
