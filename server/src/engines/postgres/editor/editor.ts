import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { join, sql } from '../../../ground/sql/sql.ts'
import { causeSql } from '../cause.ts'
import { toConnectionLost } from '../connection/connection-lost.ts'
import { openClient } from '../connection/connections.ts'
import { greetingOf, ownersPath, type RoleLogin } from '../server/server.ts'
import type { TypeNames } from '../wire/type-names.ts'
import { PortalBatch, type RawField } from './portal-batch.ts'

/** How a transaction of an operator begins. */
export interface EditorTransaction {
  /** The role that its statements run as; null for the editor's own. */
  readonly role: string | null
  /** Said before the role is taken: claims. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  readonly readOnly: boolean
  /** What the change stream names as its cause; null for none. */
  readonly cause: string | null
  readonly timeoutMs: number
}

/** How much of a result is kept. */
export interface ResultLimits {
  readonly rows: number
  /** Of the values' text; the row that goes beyond is the last one. */
  readonly bytes: number
  /** Asks for all rows in one batch: a statement outside a transaction has no second one. */
  readonly atOnce?: boolean
}

/** What a statement answered. */
export interface EditorResult {
  /** Null for a statement that has no rows. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null
  /** Values in PostgreSQL's text form. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Rows that it returned or changed; null where there are more, and where PostgreSQL does not say. */
  readonly rowCount: number | null
  /** `INSERT`, `CREATE TABLE`; empty where rows are left. */
  readonly command: string
  /** Whether there are rows beyond the limits. */
  readonly more: boolean
  /** `NOTICE: hello`, the first twenty. */
  readonly notices: readonly string[]
}

/** What a transaction has changed and not yet committed. */
export interface EditorChanges {
  /** Whether definitions changed. */
  readonly schema: boolean
  /** By triggers too. */
  readonly tables: readonly {
    readonly schema: string
    readonly table: string
    readonly inserted: number
    readonly updated: number
    readonly deleted: number
  }[]
}

/** One operator's connection. A failed statement rejects with the server's error. */
export interface EditorConnection {
  begin(transaction: EditorTransaction): Promise<void>
  /** Runs one statement of the transaction. */
  run(text: string, limits: ResultLimits): Promise<EditorResult>
  /** Runs one statement outside a transaction, as `vacuum` asks for: what it does is committed. */
  runAlone(text: string, limits: ResultLimits, timeoutMs: number): Promise<EditorResult>
  changes(): Promise<EditorChanges>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** What is not committed is gone. Never rejects. */
  close(): Promise<void>
}

/** Connections for the statements that operators type. */
export interface Editor {
  /** The role that statements run as where no other is chosen. */
  readonly role: string
  /** @param name that of the connection in `pg_stat_activity` */
  open(name: string): Promise<EditorConnection>
  /** Cancels what runs on the connection of that name, whichever process opened it. @returns whether there is one */
  cancel(name: string): Promise<boolean>
}

export interface EditorOptions {
  readonly login: RoleLogin
  /** The role that statements run as where no other is chosen. */
  readonly role: string
  /** Whether each transaction has another connection. */
  readonly pooled: boolean
  readonly admin: pg.Pool
  readonly typeNames: Pick<TypeNames, 'find'>
}

/** Rows of one batch; the first one tells how large they are. */
const mostRowsOfBatch = 1000
const mostNotices = 20
/** What a batch may bring beyond the bytes that are kept: rows differ. */
const bytesBeyond = 4

/** Connections for the statements that operators type. Each is one operator’s, and ends with its transaction. */
export function createEditor({ login, role, pooled, admin, typeNames }: EditorOptions): Editor {
  return {
    role,
    async open(name) {
      const client = await openClient(login.login, name)
      try {
        // What `become` says once for a session is said again in each transaction behind a pooler.
        if (!pooled) for (const text of greetingOf(login)) await client.query(text)
        return connectionOf(client, { login, name, typeNames })
      } catch (error) {
        await client.end().catch(() => undefined)
        throw toConnectionLost(error)
      }
    },
    async cancel(name) {
      const { rowCount } = await admin.query(
        'select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity where application_name = $1',
        [name],
      )
      return (rowCount ?? 0) > 0
    },
  }
}

interface ConnectionFacts extends Pick<EditorOptions, 'login' | 'typeNames'> {
  readonly name: string
}

function connectionOf(client: pg.Client, { login, name, typeNames }: ConnectionFacts): EditorConnection {
  let isUsed = false
  const notices: string[] = []
  client.on('notice', ({ severity, message }) => {
    if (notices.length < mostNotices) notices.push(`${severity}: ${message}`)
  })
  const reached = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw toConnectionLost(error)
    })
  const ask = async <Row>({ text, values }: Statement) => (await reached(client.query(text, [...values]))).rows as Row[]
  const read = async (text: string, limits: ResultLimits): Promise<EditorResult> => {
    const unguard = guardBytes(client, limits.bytes * bytesBeyond)
    try {
      const { fields, ...rest } = await reached(readRows(client, text, limits))
      const names = fields === null ? null : await typeNames.find(fields.map(({ dataTypeID }) => dataTypeID))
      const columns = fields?.map((field) => ({ name: field.name, type: names?.get(field.dataTypeID) ?? 'unknown' }))
      return { ...rest, columns: columns ?? null, notices: notices.splice(0) }
    } finally {
      unguard()
    }
  }
  return {
    async begin(transaction) {
      if (isUsed) await ask(flushStatement)
      isUsed = true
      await reached(client.query(transaction.readOnly ? 'begin read only' : 'begin'))
      if (transaction.cause !== null) await ask(markStatement(transaction.cause))
      await ask(openingStatement(login, name, transaction))
    },
    run: read,
    async runAlone(text, limits, timeoutMs) {
      await reached(client.query(`set search_path = ${ownersPath}; set statement_timeout = ${timeoutMs}`))
      return read(text, { ...limits, atOnce: true })
    },
    async changes() {
      const [counted] = await ask<EditorChanges>(changesStatement())
      return counted ?? { schema: false, tables: [] }
    },
    commit: async () => void (await reached(client.query('commit'))),
    rollback: async () => void (await reached(client.query('rollback'))),
    close: () => client.end().catch(() => undefined),
  }
}

/** Numbers of an earlier transaction of the connection are given away, so that the next one counts from nothing. */
const flushStatement = compile(sql`select pg_catalog.pg_stat_force_next_flush()`)

const markStatement = (cause: string): Statement => ({ text: `select ${causeSql('$1::text')}`, values: [cause] })

/**
 * Said in the transaction, so that it ends with it. It is a query, after which PostgreSQL lets no statement of the
 * transaction take `read only` back. The role comes last: it need not be one that may set the others.
 */
function openingStatement(
  { become }: RoleLogin,
  name: string,
  { role, settings, timeoutMs }: Omit<EditorTransaction, 'cause'>,
): Statement {
  const acting = role ?? become
  const all: readonly (readonly [string, string])[] = [
    ['search_path', ownersPath],
    ['statement_timeout', String(timeoutMs)],
    ['application_name', name],
    ...settings,
    ...(acting === null ? [] : [['role', acting] as const]),
  ]
  const set = all.map(([key, value]) => sql`pg_catalog.set_config(${key}, ${value}, true)`)
  return compile(sql`select ${join(set)}`)
}

/** The tables of the system's catalogue change with definitions, as do Clew's own. */
const changesStatement = (): Statement =>
  compile(sql`
    select
      exists (
        select from pg_catalog.pg_stat_xact_sys_tables c
        where c.schemaname = 'pg_catalog' and c.n_tup_ins + c.n_tup_upd + c.n_tup_del > 0
      ) as schema,
      coalesce((
        select json_agg(json_build_object(
          'schema', t.schemaname, 'table', t.relname,
          'inserted', t.n_tup_ins, 'updated', t.n_tup_upd, 'deleted', t.n_tup_del
        ) order by t.schemaname, t.relname)
        from pg_catalog.pg_stat_xact_user_tables t
        where t.n_tup_ins + t.n_tup_upd + t.n_tup_del > 0 and t.schemaname !~ '^clew(_|$)'
      ), '[]') as tables`)

interface ReadRows extends Pick<EditorResult, 'rows' | 'rowCount' | 'command' | 'more'> {
  readonly fields: readonly RawField[] | null
}

/** The first rows of a statement, in batches that are as large as its rows are small. */
async function readRows(
  client: pg.Client,
  text: string,
  { rows: most, bytes, atOnce }: ResultLimits,
): Promise<ReadRows> {
  const kept: (readonly (string | null)[])[] = []
  let size = 0
  let fields: ReadRows['fields'] = null
  let more = false
  let tag: string | null = null
  let next = atOnce === true ? most + 1 : 1
  for (let statement: string | null = text; tag === null && !more; statement = null) {
    const batch = new PortalBatch(statement, next)
    client.query(batch)
    const outcome = await batch.outcome
    fields ??= outcome.fields
    tag = outcome.tag
    for (const row of outcome.rows) {
      more = kept.length === most || size >= bytes
      if (more) break
      size += row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
      kept.push(row)
    }
    const rowSize = Math.max(1, size / Math.max(1, kept.length))
    const fitting = Math.floor((bytes - size) / rowSize)
    next = Math.max(1, Math.min(mostRowsOfBatch, most + 1 - kept.length, fitting))
  }
  const command = (tag ?? '').replace(/[\s\d]+$/, '')
  const affected = /(\d+)$/.exec(tag ?? '')?.[1]
  // The tag counts the rows of the last batch alone.
  const count = fields === null ? Number(affected ?? Number.NaN) : kept.length
  return { fields, rows: kept, rowCount: more || Number.isNaN(count) ? null : count, command, more }
}

/** Ends the connection when an answer is larger than this: `pg` holds a row whole. @returns what takes the guard away */
function guardBytes(client: pg.Client, most: number): () => void {
  // `pg` keeps it; its types leave it out.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection
  let received = 0
  const count = (data: Buffer): void => {
    received += data.length
    if (received > most) stream.destroy(new Error('Connection terminated: the answer is too large.'))
  }
  stream.on('data', count)
  return () => void stream.off('data', count)
}
