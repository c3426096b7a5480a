import pg from 'pg'
import { add, median } from './compare.ts'

const connections = 8
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const rounds = 3

/** The floor: a table with the columns and the index of a queue; one statement takes and deletes ten messages. */
const plainQueue = `
  create table queue_floor (
    msg_id bigint primary key generated always as identity, read_ct int not null default 0,
    enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb, headers jsonb);
  create index on queue_floor (vt)`

const statements = {
  send: {
    clew: `select pgmq.send('bench', '{"order": 12345, "customer": "anna"}')`,
    floor: `insert into queue_floor (vt, message) values (now(), '{"order": 12345, "customer": "anna"}') returning msg_id`,
  },
  'read ten and delete them': {
    clew: `select count(pgmq.delete('bench', msg_id)) from pgmq.read('bench', 30, 10)`,
    floor: `with taken as (
        select msg_id from queue_floor where vt <= clock_timestamp() order by msg_id limit 10 for update skip locked
      ), gone as (
        delete from queue_floor q using taken where q.msg_id = taken.msg_id returning 1
      ) select count(*) from gone`,
  },
} as const

/** Statements a second over some connections, each sending the next when the one before is answered. */
async function rateOf(pool: pg.Pool, text: string): Promise<number> {
  let count = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect()
      while (performance.now() < endsAt) {
        await client.query(text)
        count += 1
      }
      client.release()
    }),
  )
  return count / ((performance.now() - startedAt) / 1000)
}

/** Queues of pgmq, beside a table that is used as one by plain statements. */
export async function measureQueue(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections })
  try {
    await pool.query('create extension if not exists pgmq')
    await pool.query(`select pgmq.create('bench'); ${plainQueue}`)
    for (const [name, sides] of Object.entries(statements)) {
      const rates = { clew: [] as number[], floor: [] as number[] }
      for (let round = 0; round < rounds; round += 1)
        for (const side of ['floor', 'clew'] as const) rates[side].push(await rateOf(pool, sides[side]))
      const [clew, floor] = [median(rates.clew), median(rates.floor)]
      const shown = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`
      add(`queue: ${name}`, shown(clew), shown(floor), (clew / floor).toFixed(2))
    }
  } finally {
    await pool.query(`select pgmq.drop_queue('bench'); drop table if exists queue_floor`)
    await pool.end()
  }
}
