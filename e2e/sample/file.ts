import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { superuser } from '../../server/src/engines/postgres/server/roles.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import type { Product } from '../support/product.ts'

/** From when on what was recorded belongs to which time of the sample's day. */
export interface Scene {
  /** Milliseconds since 1970. */
  readonly recordedAt: number
  /** `HH:MM:SS` */
  readonly timeOfDay: string
}

/** A table and its rows, each a line of JSON as the store itself writes it. */
export interface Stored {
  readonly table: string
  readonly rows: readonly string[]
}

/** Of PostgreSQL, each with what is taken of it: who came, what they left, and who is who. In this order they can be loaded. */
const postgresTables = {
  'auth.users': '',
  // Those of the seed's people have another id each time the seed runs.
  'auth.identities': `where identity_data ->> 'email' not in ('ana@example.test', 'ben@example.test', 'mia@example.test')`,
  'public.products': '',
  'public.orders': '',
  'public.order_items': '',
  'public.invoices': '',
  'public.receipts': '',
  'clew_analytics.persons': '',
  'clew_analytics.distinct_ids': '',
  'clew_thread.session_users': '',
  'clew_issues.issues': '',
  'clew_issues.fingerprints': '',
  'clew_issues.history': '',
}
/** No alert is owed for what was seen here; a generated column is no part of a row. */
const rowOf = (table: string): string =>
  table === 'clew_issues.history'
    ? `to_jsonb(t) || jsonb_build_object('alerted_at', t.at)`
    : `to_jsonb(t) - array['confirmed_at']`
/** Positions in the log are counted from 1: before every one that an instance will come to by itself. */
const columnsOf = (table: string): string =>
  table === 'changes' ? '* except (relation) replace (dense_rank() over (order by lsn) as lsn)' : '*'
/** The start uploads the photographs, as each start with a new data directory does: that is no part of a visit. */
const ofStart = `service = 'storage' and session_id = ''`
const notOfStart = `where request_id not in (select id from clew.requests where ${ofStart})`
/** Of ClickHouse, each with what is taken of it. */
const clickhouseTables = {
  requests: `where not (${ofStart})`,
  statements: notOfStart,
  changes: notOfStart,
  function_logs: '',
  frames: '',
  events: '',
  exceptions: '',
  snapshots: '',
}

/** Everything the product has stored of the visits. */
export async function readStored(product: Product): Promise<readonly Stored[]> {
  // Over the socket, as the administrator: what the product keeps for itself is none of the application's roles to read.
  const { port, pathname } = new URL(product.dbUrl)
  const host = join(directoryOf(product.dataDir).sockets, 'postgres', 'pg')
  const client = new pg.Client({ host, port: Number(port), user: superuser, database: pathname.slice(1) })
  await client.connect()
  const stored: Stored[] = []
  try {
    await client.query(`set timezone = 'UTC'`)
    for (const [table, taken] of Object.entries(postgresTables)) {
      const { rows } = await client.query<{ row: string }>(
        `select (${rowOf(table)})::text as row from ${table} t ${taken} order by 1`,
      )
      stored.push({ table, rows: rows.map(({ row }) => row) })
    }
  } finally {
    await client.end()
  }
  for (const [table, taken] of Object.entries(clickhouseTables)) {
    const text = await askClickHouse(
      product,
      `select ${columnsOf(table)} from clew.${table} ${taken} format JSONEachRow`,
    )
    stored.push({ table, rows: text.split('\n').filter((line) => line !== '') })
  }
  return stored
}

function askClickHouse(product: Product, query: string): Promise<string> {
  const socketPath = join(directoryOf(product.dataDir).sockets, 'clickhouse.sock')
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/', method: 'POST' }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${answer.statusCode} ${text}`))
      })
    })
    asked.on('error', reject)
    asked.end(query)
  })
}

/** The sample's file: what it is, then each table's name and count, followed by its rows. */
export function renderSample(
  { scenes, origin, until }: { readonly scenes: readonly Scene[]; readonly origin: string; readonly until: number },
  stored: readonly Stored[],
): Buffer {
  const head = {
    sample: 1,
    about:
      'Visits to the Corner Café, recorded by e2e/sample/record.ts: everything below is as Clew stored it, ' +
      'but for the positions in PostgreSQL’s log, which are counted from 1. ' +
      'What was recorded from a scene’s recordedAt on is shown at its time of the day before the first start: ' +
      'while a guest reads, waits or is away the clock is moved on, and nobody waits for it.',
    sessions: countSessions(stored),
    origin,
    until,
    scenes,
  }
  const lines = [
    JSON.stringify(head),
    ...stored.flatMap(({ table, rows }) => [JSON.stringify({ table, rows: rows.length }), ...rows]),
  ]
  return gzipSync(`${lines.join('\n')}\n`, { level: 9 })
}

function countSessions(stored: readonly Stored[]): number {
  const events = stored.find(({ table }) => table === 'events')?.rows ?? []
  // Rows of `events`, as the product's own tables have them.
  return new Set(events.map((row) => (JSON.parse(row) as { session_id: string }).session_id)).size
}
