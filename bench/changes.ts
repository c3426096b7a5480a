import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Product } from '../e2e/support/product.ts'
import { connectClickHouse } from '../server/src/engines/clickhouse/index.ts'
import { add, median } from './compare.ts'
import { type LoadRequest, type LoadResult, load } from './load.ts'

const rows = Number(process.env.BENCH_CHANGES ?? 1_000_000)
const sliceSeconds = 2
const quietSlices = 5
/** What the thread stores together. */
const blockRows = 20_000
const recvlogical = ['/usr/lib/postgresql/18/bin', '/usr/lib/postgresql/15/bin']
  .map((folder) => join(folder, 'pg_recvlogical'))
  .find((file) => existsSync(file))

interface Places {
  /** As an administrator, on the server's socket. */
  readonly databaseUrl: string
  readonly clickhouseSocket: string
}

/** What a bulk load by plain SQL costs those who read meanwhile, and how long it takes until its history stands. */
export async function measureChanges(product: Product, { databaseUrl, clickhouseSocket }: Places): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const clickhouse = connectClickHouse({ kind: 'embedded', socketPath: clickhouseSocket, timeoutMs: 60_000 })
  try {
    const insert = async (): Promise<void> => {
      await client.query(
        `insert into public.bench_rows (name, quantity) select 'row ' || n, n % 100 from generate_series(1, ${rows}) n`,
      )
      expected += rows
    }
    const slice = (): Promise<LoadResult> =>
      load({
        host: '127.0.0.1',
        port: Number(new URL(product.apiUrl).port),
        connections: 16,
        seconds: sliceSeconds,
        request,
      })
    const request = (n: number): LoadRequest => ({
      method: 'GET',
      path: `/rest/v1/bench_items?id=eq.${1 + (n % 10_000)}`,
      headers: { apikey: product.publishableKey, accept: 'application/json' },
    })
    // Not by the log: within a large transaction the slot's reader may be at its end long before it has the rows.
    const storedRows = async (): Promise<number> => {
      const [row] = await clickhouse.query<{ n: string }>({ text: 'select count() as n from changes', parameters: {} })
      return Number(row?.n)
    }
    let expected = await storedRows()
    const isBehind = async (): Promise<boolean> => (await storedRows()) < expected

    await slice()
    const quiet: LoadResult[] = []
    for (let each = 0; each < quietSlices; each += 1) quiet.push(await slice())
    await insert()
    const busy: LoadResult[] = []
    const busySince = performance.now()
    while (await isBehind()) busy.push(await slice())
    const busySeconds = (performance.now() - busySince) / 1000
    const errors = [...quiet, ...busy].reduce((sum, result) => sum + result.errors, 0)
    if (errors > 0) throw new Error(`${errors} reads failed.`)
    const rate = (results: readonly LoadResult[]): number => median(results.map((result) => result.requestsPerSecond))
    const p99 = (results: readonly LoadResult[]): number => median(results.map((result) => result.p99Ms))
    const shown = (results: readonly LoadResult[]): string =>
      `${Math.round(rate(results)).toLocaleString('en')}/s, p99 ${p99(results).toFixed(2)} ms`
    add(
      `reads by key while ${rows.toLocaleString('en')} rows of plain SQL drain, beside quiet`,
      shown(busy),
      shown(quiet),
      `${(rate(busy) / rate(quiet)).toFixed(2)}, p99 × ${(p99(busy) / p99(quiet)).toFixed(2)}`,
    )
    add('until those rows stood in the thread, while people read', `${busySeconds.toFixed(1)} s`)

    const floorSeconds = recvlogical === undefined ? null : await receiveOnly(client, databaseUrl, insert)
    // The floor's rows are read by the thread as well.
    while (await isBehind()) await new Promise((resolve) => setTimeout(resolve, 200))
    await insert()
    const drainSince = performance.now()
    while (await isBehind()) await new Promise((resolve) => setTimeout(resolve, 50))
    const drainSeconds = (performance.now() - drainSince) / 1000
    const storeSeconds = await storeOnly(clickhouseSocket)
    add(
      'the same with nobody reading, beside pg_recvlogical and a bulk insert one after another',
      `${drainSeconds.toFixed(1)} s`,
      floorSeconds === null ? 'no pg_recvlogical here' : `${floorSeconds.toFixed(1)} + ${storeSeconds.toFixed(1)} s`,
      floorSeconds === null ? '' : (drainSeconds / (floorSeconds + storeSeconds)).toFixed(2),
    )
  } finally {
    await clickhouse.close()
    await client.end()
  }
}

/** Seconds in which `pg_recvlogical` receives as many rows as were inserted, on a slot of its own. */
async function receiveOnly(client: pg.Client, databaseUrl: string, insert: () => Promise<void>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-slot-'))
  await client.query(`select pg_create_logical_replication_slot('bench_floor', 'pgoutput')`)
  try {
    await insert()
    const answer = await client.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
    const options = ['proto_version=2', 'publication_names=clew', 'messages=true'].flatMap((option) => ['-o', option])
    const place = ['-d', databaseUrl, '--slot=bench_floor', `--endpos=${answer.rows[0]?.lsn ?? ''}`]
    const startedAt = performance.now()
    const child = spawn(recvlogical ?? '', ['--start', ...place, ...options, '-f', join(folder, 'out')], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    await new Promise((resolve) => child.once('exit', resolve))
    return (performance.now() - startedAt) / 1000
  } finally {
    await client.query(`select pg_drop_replication_slot('bench_floor')`)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds in which ClickHouse takes as many ready lines, in blocks as the thread sends them. */
async function storeOnly(socketPath: string): Promise<number> {
  const clickhouse = connectClickHouse({ kind: 'embedded', socketPath, timeoutMs: 60_000 })
  try {
    await clickhouse.command({ text: 'create table bench_floor as changes', parameters: {} })
    const line = (n: number): string =>
      `[1,"${n}",0,1,"","public","bench_rows","insert",${JSON.stringify(`{"id":"${n}"}`)},"","",${JSON.stringify(
        `{"id":"${n}","name":"row ${n}","quantity":"${n % 100}","created_at":"2026-01-01 00:00:00+00"}`,
      )},[]]`
    const columns =
      'commit_time lsn seq xid request_id schema_name table_name operation key previous_key old new columns'.split(' ')
    let seconds = 0
    for (let from = 0; from < rows; from += blockRows) {
      const lines = Array.from({ length: Math.min(blockRows, rows - from) }, (_, n) => line(from + n))
      const startedAt = performance.now()
      await clickhouse.insertLines('bench_floor', lines, { columns })
      seconds += (performance.now() - startedAt) / 1000
    }
    return seconds
  } finally {
    await clickhouse.command({ text: 'drop table bench_floor sync', parameters: {} })
    await clickhouse.close()
  }
}
