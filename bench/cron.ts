import pg from 'pg'
import { add, median } from './compare.ts'

const jobs = 1000
/** As `max_running_jobs`. */
const connections = 32
const minuteMs = 60_000

const statementOf = (job: number): string => `insert into bench_cron_runs (job) values (${job})`

/** How late the rows of one round are, in milliseconds, in ascending order. */
async function latenessOf(client: pg.Client, sinceMs: number): Promise<readonly number[]> {
  const { rows } = await client.query<{ late: number }>(
    `select extract(epoch from at - to_timestamp($1 / 1000.0))::float8 * 1000 as late
     from bench_cron_runs where at >= to_timestamp($1 / 1000.0) order by late`,
    [sinceMs],
  )
  return rows.map(({ late }) => late)
}

const p99Of = (late: readonly number[]): number => late[Math.ceil(late.length * 0.99) - 1] ?? 0
const describe = (late: readonly number[]): string =>
  `p50 ${median(late).toFixed(0)} ms, p99 ${p99Of(late).toFixed(0)} ms`

/** A thousand jobs of one minute, beside the same statements sent at once by `pg`, each on a new connection. */
export async function measureCron(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('create extension if not exists pg_cron')
  await client.query('create table bench_cron_runs (job int, at timestamptz default clock_timestamp())')
  try {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, maxUses: 1 })
    const startedAt = Date.now()
    await Promise.all(Array.from({ length: jobs }, (_, job) => pool.query(statementOf(job))))
    await pool.end()
    const floor = await latenessOf(client, startedAt)
    await client.query(
      `select cron.schedule('bench ' || job, '* * * * *', format('insert into bench_cron_runs (job) values (%s)', job))
       from generate_series(1, $1::int) job`,
      [jobs],
    )
    const minute = Math.ceil(Date.now() / minuteMs) * minuteMs
    await new Promise((resolve) => setTimeout(resolve, minute - Date.now()))
    let late = await latenessOf(client, minute)
    while (late.length < jobs && Date.now() < minute + 50_000) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      late = await latenessOf(client, minute)
    }
    const ratio = (p99Of(late) / p99Of(floor)).toFixed(2)
    add(`lateness of ${late.length} jobs of one minute`, describe(late), describe(floor), ratio)
  } finally {
    await client.query(`select cron.unschedule(jobid) from cron.job where jobname like 'bench %'`)
    await client.query('drop table bench_cron_runs')
    await client.end()
  }
}
