import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { constant, identifier, join, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** A queue of `pgmq.meta` whose tables exist. */
export interface QueueRow {
  readonly name: string
  readonly unlogged: boolean
  readonly createdAt: Date
}

/** The numbers of a queue. */
export interface QueueNumbersRow {
  readonly name: string
  /** Counts of messages, as text. */
  readonly visible: string
  readonly inFlight: string
  readonly archived: string
  readonly oldestAt: Date | null
  readonly newestAt: Date | null
  /** Messages that were ever sent, as text. */
  readonly total: string
}

/** A message of a queue, or of its archive. */
export interface MessageRow {
  readonly id: string
  readonly readCount: number
  readonly enqueuedAt: Date
  readonly visibleAt: Date
  readonly archivedAt: Date | null
  readonly message: string | null
  readonly headers: string | null
  readonly sizeBytes: number
}

/** Where a message stands: to be read, read and not yet visible again, or archived. */
export type MessageState = 'visible' | 'in flight' | 'archived'

/** Longer messages are cut in lists. */
const shownBytes = 65_536

export const findPgmqStatement = (): Statement => compile(sql`select to_regclass('pgmq.meta') is not null as installed`)

/** Queues by name, from after one on, or one alone. */
export const selectQueuesStatement = (page: {
  readonly after: string | null
  readonly only: string | null
  readonly limit: number
}): Statement =>
  compile(sql`
    select m.queue_name as name, m.is_unlogged as unlogged, m.created_at as "createdAt"
    from pgmq.meta m
    where to_regclass(format('pgmq.%I', 'q_' || lower(m.queue_name))) is not null
      and to_regclass(format('pgmq.%I', 'a_' || lower(m.queue_name))) is not null
      and (${typed(page.after, 'text')} is null or m.queue_name > ${typed(page.after, 'text')})
      and (${typed(page.only, 'text')} is null or m.queue_name = ${typed(page.only, 'text')})
    order by m.queue_name
    limit ${page.limit}`)

/** The tables of a queue: of messages that wait, and of its archive. */
export const queueTables = (name: string): readonly (readonly [schema: string, table: string])[] =>
  ['q', 'a'].map((kind) => ['pgmq', `${kind}_${name.toLowerCase()}`] as const)

const queueTable = (name: string): SqlFragment => identifier('pgmq', `q_${name.toLowerCase()}`)
const archiveTable = (name: string): SqlFragment => identifier('pgmq', `a_${name.toLowerCase()}`)

/** Counts the messages of these queues. */
export const selectNumbersStatement = (names: readonly string[]): Statement =>
  compile(
    join(
      names.map(
        (name) => sql`
          select ${typed(name, 'text')} as name,
            count(*) filter (where q.vt <= clock_timestamp())::text as visible,
            count(*) filter (where q.vt > clock_timestamp())::text as "inFlight",
            (select count(*) from ${archiveTable(name)})::text as archived,
            min(q.enqueued_at) as "oldestAt", max(q.enqueued_at) as "newestAt",
            (select coalesce(
              pg_catalog.pg_sequence_last_value(
                pg_catalog.pg_get_serial_sequence(${`pgmq.q_${name.toLowerCase()}`}, 'msg_id')::regclass
              ), 0
            ))::text as total
          from ${queueTable(name)} q`,
      ),
      ' union all ',
    ),
  )

const messageColumns = constant(`
  m.msg_id::text as id, m.read_ct as "readCount", m.enqueued_at as "enqueuedAt", m.vt as "visibleAt",
  left(m.message::text, ${shownBytes}) as message, left(m.headers::text, ${shownBytes}) as headers,
  coalesce(octet_length(m.message::text), 0) as "sizeBytes"`)

/** Messages of a queue in a state, newest first, from before one on. */
export function selectMessagesStatement(
  name: string,
  state: MessageState,
  page: { readonly before: string | null; readonly limit: number },
): Statement {
  const { before, limit } = page
  const earlier = sql`(${typed(before, 'bigint')} is null or m.msg_id < ${typed(before, 'bigint')})`
  if (state === 'archived')
    return compile(sql`
      select ${messageColumns}, m.archived_at as "archivedAt"
      from ${archiveTable(name)} m
      where ${earlier}
      order by m.msg_id desc
      limit ${limit}`)
  const isVisible = state === 'visible' ? constant('m.vt <= clock_timestamp()') : constant('m.vt > clock_timestamp()')
  return compile(sql`
    select ${messageColumns}, null::timestamptz as "archivedAt"
    from ${queueTable(name)} m
    where ${isVisible} and ${earlier}
    order by m.msg_id desc
    limit ${limit}`)
}

export const sendStatement = (name: string, message: string, delaySeconds: number): Statement =>
  compile(sql`
    select id::text as id
    from pgmq.send(${typed(name, 'text')}, ${typed(message, 'jsonb')}, ${typed(delaySeconds, 'integer')}) as id`)

/** Each of these answers one row where the message was there. */
export const deleteMessageStatement = (name: string, id: string): Statement =>
  compile(sql`select where pgmq.delete(${typed(name, 'text')}, ${typed(id, 'bigint')})`)

export const archiveMessageStatement = (name: string, id: string): Statement =>
  compile(sql`select where pgmq.archive(${typed(name, 'text')}, ${typed(id, 'bigint')})`)

export const setVisibleStatement = (name: string, id: string): Statement =>
  compile(sql`select from pgmq.set_vt(${typed(name, 'text')}, ${typed(id, 'bigint')}, 0)`)

/**
 * Sends dead letters back to the queue that they came from, as they were, and takes them out of this one.
 *
 * @param id one of them; null for all, a thousand at most
 */
export const replayStatement = (name: string, id: string | null): Statement =>
  compile(sql`
    with chosen as (
      select q.msg_id, q.message, q.headers -> 'dead_letter' as letter
      from ${queueTable(name)} q
      where (${typed(id, 'bigint')} is null or q.msg_id = ${typed(id, 'bigint')})
        and q.headers -> 'dead_letter' ->> 'queue' is not null
      order by q.msg_id
      limit 1000
      for update skip locked
    ),
    gone as (
      delete from ${queueTable(name)} q
      using chosen
      where q.msg_id = chosen.msg_id
      returning chosen.msg_id, chosen.message, chosen.letter
    )
    select pgmq.send(gone.letter ->> 'queue', gone.message, nullif(gone.letter -> 'headers', 'null'::jsonb))::text as id
    from gone
    order by gone.msg_id`)

export const purgeStatement = (name: string): Statement =>
  compile(sql`select pgmq.purge_queue(${typed(name, 'text')})::text as purged`)
