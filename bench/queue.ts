import pg from 'pg'
import { add, median } from './compare.ts'

const connections = 8
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const rounds = 3

/** The floor: a table with the columns and the index of a queue, in a schema whose rows have no history, as those of pgmq. */
const plainQueue = `
  create schema bench_floor;
  create table bench_floor.queue (
    msg_id bigint primary key generated always as identity, read_ct int not null default 0,
    enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb, headers jsonb);
  create index on bench_floor.queue (vt)`

/** @returns how many messages it took or sent */
type Work = (client: pg.PoolClient) => Promise<number>

/** A reader hides ten messages for a while, and deletes them when they are done: two statements, as a consumer sends them. */
const readAndDelete =
  (read: string, remove: string): Work =>
  async (client) => {
    const { rows } = await client.query<{ msg_id: string }>(read)
    await client.query(remove, [rows.map(({ msg_id }) => msg_id)])
    return rows.length
  }

const send =
  (text: string): Work =>
  async (client) => {
    await client.query(text)
    return 1
  }

/** More than a round takes out. */
const waiting = 100_000
const fill = ['bench_floor.queue', 'pgmq.q_bench']
  .map(
    (table) => `truncate ${table};
      insert into ${table} (vt, message)
      select now(), '{"order": 12345, "customer": "anna"}' from generate_series(1, ${waiting});
      analyze ${table}`,
  )
  .join(';')

const works: Readonly<Record<string, { readonly clew: Work; readonly floor: Work }>> = {
  send: {
    clew: send(`select pgmq.send('bench', '{"order": 12345, "customer": "anna"}')`),
    floor: send(
      `insert into bench_floor.queue (vt, message) values (now(), '{"order": 12345, "customer": "anna"}') returning msg_id`,
    ),
  },
  'read ten and delete them': {
    clew: readAndDelete(`select * from pgmq.read('bench', 30, 10)`, `select * from pgmq.delete('bench', $1::bigint[])`),
    floor: readAndDelete(
      `with visible as (
         select msg_id from bench_floor.queue where vt <= clock_timestamp() order by msg_id limit 10 for update skip locked
       )
       update bench_floor.queue q set vt = clock_timestamp() + interval '30 seconds', read_ct = read_ct + 1
       from visible v where q.msg_id = v.msg_id
       returning q.*`,
      'delete from bench_floor.queue where msg_id = any ($1::bigint[]) returning msg_id',
    ),
  },
}

/** Works a second over some connections, each beginning the next when the one before is done. */
async function rateOf(pool: pg.Pool, work: Work): Promise<number> {
  let count = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect()
      while (performance.now() < endsAt && (await work(client)) > 0) count += 1
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
    for (const [name, sides] of Object.entries(works)) {
      const rates = { clew: [] as number[], floor: [] as number[] }
      for (let round = 0; round < rounds; round += 1)
        for (const side of ['floor', 'clew'] as const) {
          await pool.query(fill)
          rates[side].push(await rateOf(pool, sides[side]))
        }
      const [clew, floor] = [median(rates.clew), median(rates.floor)]
      const shown = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`
      add(`queue: ${name}`, shown(clew), shown(floor), (clew / floor).toFixed(2))
    }
  } finally {
    await pool.query(`select pgmq.drop_queue('bench'); drop schema if exists bench_floor cascade`)
    await pool.end()
  }
}
