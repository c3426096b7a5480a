import { isDatabaseError, type Sql } from '../../engines/postgres/index.ts'
import { queueMessageId } from '../../ground/model/causes/queue-message.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { queuesError } from './errors.ts'
import type { Message, MessagesPage, Queue, QueuesPage } from './schemas.ts'
import {
  archiveMessageStatement,
  deleteMessageStatement,
  findPgmqStatement,
  type MessageRow,
  type MessageState,
  purgeStatement,
  type QueueNumbersRow,
  type QueueRow,
  replayStatement,
  selectMessagesStatement,
  selectNumbersStatement,
  selectQueuesStatement,
  sendStatement,
  setVisibleStatement,
} from './store.ts'

export interface QueuesDeps {
  /** Reads as the owner. */
  readonly reader: Pick<Sql, 'query'>
  /** Changes queues as the owner. */
  readonly owner: Pick<Sql, 'query'>
}

/** The queues of pgmq and their messages, as the console asks for them. Each throws CLEW_QUEUES_NOT_FOUND but `list`. */
export interface Queues {
  list(page: { readonly after: string | null; readonly limit: number }): Promise<QueuesPage>
  queue(name: string): Promise<Queue>
  messages(
    name: string,
    state: MessageState,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<MessagesPage>
  /** @returns the message's id. @throws CLEW_QUEUES_REFUSED for a text that is no JSON */
  send(name: string, message: string, delaySeconds: number): Promise<string>
  /** These throw CLEW_QUEUES_MESSAGE_NOT_FOUND. */
  delete(name: string, id: string): Promise<void>
  archive(name: string, id: string): Promise<void>
  setVisible(name: string, id: string): Promise<void>
  /** Sends dead letters back to where they came from: one, or for null a thousand at most. @returns how many */
  replay(name: string, id: string | null): Promise<number>
  /** Deletes every message that is not archived. @returns how many */
  purge(name: string): Promise<number>
}

export function createQueues({ reader, owner }: QueuesDeps): Queues {
  const isInstalled = async (): Promise<boolean> =>
    (await reader.query<{ installed: boolean }>(findPgmqStatement())).rows[0]?.installed === true
  const requireQueue = async (name: string): Promise<QueueRow> => {
    const page = { after: null, only: name, limit: 1 }
    const [row] = (await isInstalled()) ? (await reader.query<QueueRow>(selectQueuesStatement(page))).rows : []
    if (row === undefined) throw queuesError('CLEW_QUEUES_NOT_FOUND')
    return row
  }
  const withNumbers = async (rows: readonly QueueRow[]): Promise<Queue[]> => {
    if (rows.length === 0) return []
    const found = await reader.query<QueueNumbersRow>(selectNumbersStatement(rows.map(({ name }) => name)))
    const numbers = new Map(found.rows.map((row) => [row.name, row]))
    return rows.flatMap((row) => renderQueue(row, numbers.get(row.name)) ?? [])
  }
  const change = async <Row>(statement: Statement) => {
    try {
      return await owner.query<Row>(statement)
    } catch (cause) {
      throw isDatabaseError(cause) ? queuesError('CLEW_QUEUES_REFUSED', { message: cause.message, cause }) : cause
    }
  }
  const changeMessage = async (name: string, statement: Statement): Promise<void> => {
    await requireQueue(name)
    if ((await change(statement)).rowCount === 0) throw queuesError('CLEW_QUEUES_MESSAGE_NOT_FOUND')
  }
  return {
    async list({ after, limit }) {
      if (!(await isInstalled())) return { installed: false, queues: [], next: null }
      const { rows } = await reader.query<QueueRow>(selectQueuesStatement({ after, only: null, limit: limit + 1 }))
      const queues = await withNumbers(rows.slice(0, limit))
      return { installed: true, queues, next: rows.length > limit ? (queues.at(-1)?.name ?? null) : null }
    },
    async queue(name) {
      const [queue] = await withNumbers([await requireQueue(name)])
      if (queue === undefined) throw queuesError('CLEW_QUEUES_NOT_FOUND')
      return queue
    },
    async messages(name, state, { before, limit }) {
      await requireQueue(name)
      const page = { before, limit: limit + 1 }
      const { rows } = await reader.query<MessageRow>(selectMessagesStatement(name, state, page))
      const messages = rows.slice(0, limit).map((row) => renderMessage(name, row))
      return { messages, next: rows.length > limit ? (messages.at(-1)?.id ?? null) : null }
    },
    async send(name, message, delaySeconds) {
      await requireQueue(name)
      return (await change<{ id: string }>(sendStatement(name, message, delaySeconds))).rows[0]?.id ?? ''
    },
    delete: (name, id) => changeMessage(name, deleteMessageStatement(name, id)),
    archive: (name, id) => changeMessage(name, archiveMessageStatement(name, id)),
    setVisible: (name, id) => changeMessage(name, setVisibleStatement(name, id)),
    async replay(name, id) {
      await requireQueue(name)
      const count = (await change(replayStatement(name, id))).rows.length
      if (count === 0 && id !== null) throw queuesError('CLEW_QUEUES_NO_DEAD_LETTER')
      return count
    },
    async purge(name) {
      await requireQueue(name)
      return Number((await change<{ purged: string }>(purgeStatement(name))).rows[0]?.purged ?? 0)
    },
  }
}

const renderQueue = (row: QueueRow, numbers: QueueNumbersRow | undefined): Queue | null =>
  numbers === undefined
    ? null
    : {
        name: row.name,
        unlogged: row.unlogged,
        createdAt: row.createdAt.toISOString(),
        visible: Number(numbers.visible),
        inFlight: Number(numbers.inFlight),
        archived: Number(numbers.archived),
        total: Number(numbers.total),
        oldestAt: numbers.oldestAt?.toISOString() ?? null,
        newestAt: numbers.newestAt?.toISOString() ?? null,
      }

const renderMessage = (queue: string, { enqueuedAt, visibleAt, archivedAt, ...message }: MessageRow): Message => ({
  ...message,
  causeId: queueMessageId({ queue, id: message.id, enqueuedAtMs: enqueuedAt.getTime() }),
  enqueuedAt: enqueuedAt.toISOString(),
  visibleAt: visibleAt.toISOString(),
  archivedAt: archivedAt?.toISOString() ?? null,
})
