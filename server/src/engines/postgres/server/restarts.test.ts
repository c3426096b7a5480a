import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { createPostgres, type Postgres } from '../index.ts'
import type { SessionCall } from '../postgres.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const trials = Number(process.env.CLEW_TRIALS ?? 2)

type Row = Record<string, string | null>

const call = (text: string, readOnly: boolean): SessionCall<Row> => ({
  role: 'service_role',
  settings: [],
  statement: { text, values: [] },
  readOnly,
  attribute: !readOnly,
  end: 'commit',
  context: null,
})

const plain = (text: string) => ({ text, values: [] })

/** What happens to a server; each while calls are in flight. */
const accidents: readonly (readonly [what: string, cause: (db: Postgres, dataDir: string) => Promise<unknown>])[] = [
  [
    'every connection is ended',
    (db) => db.admin.query(plain(`select pg_terminate_backend(pid) from pg_stat_activity`)),
  ],
  [
    'a backend is killed',
    async (db) => {
      const { rows } = await db.admin.query<{ pid: number }>(
        plain(`select pid from pg_stat_activity where application_name = 'clew requests' limit 1`),
      )
      for (const { pid } of rows) process.kill(pid, 'SIGKILL')
    },
  ],
  ['the server is restarted', async (_db, dataDir) => process.kill(await postmasterOf(dataDir), 'SIGINT')],
  ['the server is killed', async (_db, dataDir) => process.kill(await postmasterOf(dataDir), 'SIGKILL')],
]

async function postmasterOf(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.status === 503 || error.code === 'POSTGRES_POOL_TIMEOUT'
    : error instanceof Error && 'code' in error && /^57P0[123]$/.test(String(error.code))

test(
  `whatever happens to the server, calls in flight are refused and all else goes on (${trials} times)`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-restart-'))
    const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
    const dataDir = join(folder, 'data')
    const db = await createPostgres({
      kind: 'embedded',
      dataDir,
      socketDir,
      port: null,
      password: 'postgres',
      log: () => undefined,
      exposedSchemas: ['public'],
      poolSize: 6,
    })
    const changed = new Set<string>()
    const heard = new Set<string>()
    const unsubscribe = db.changes.subscribe(async ({ changes }) => {
      for (const { new: row } of changes) changed.add(String(row?.id))
    })
    // What is written before the slot is there is no change of the stream's.
    await expect.poll(() => db.changes.health().state).toBe('up')
    await db.listen('news', (payload) => heard.add(payload))
    const others: unknown[] = []
    const written = new Set<string>()
    let done = false
    try {
      await db.script('create table notes (id bigint generated always as identity primary key)')
      const add = call('insert into public.notes default values returning id', false)
      const calls = [
        async () => {
          const { rows } = await db.session.run(add)
          written.add(String(rows[0]?.id))
        },
        () => db.session.run(call('select count(*) from public.notes', true)),
        () => db.admin.query(plain('select 1')),
        () => db.auth.transaction((sql) => sql.query(plain('select 1'))),
        () => db.owner.query(plain('select 1')),
      ]
      const callers = [...calls, ...calls].map(async (one) => {
        while (!done) {
          await one().catch((error: unknown) => {
            if (!isUnavailable(error)) others.push(error)
          })
          await new Promise((resolve) => setTimeout(resolve, 2))
        }
      })
      for (let trial = 0; trial < trials; trial += 1) {
        const [what, cause] = accidents[trial % accidents.length] ?? ['nothing', async () => undefined]
        // Where it happens to the caller that asks for it, it has happened.
        await cause(db, dataDir).catch(() => undefined)
        for (const one of calls)
          await expect
            .poll(() => one().then(() => 'answered', String), { timeout: 60_000, message: what })
            .not.toMatch(/Error/)
        const word = `after ${trial}`
        await expect
          .poll(
            async () => {
              await db.admin.query({ text: `select pg_notify('news', $1)`, values: [word] }).catch(() => undefined)
              return heard.has(word)
            },
            { timeout: 60_000, message: what },
          )
          .toBe(true)
      }
      done = true
      await Promise.all(callers)
      expect(others).toEqual([])
      const { rows } = await db.admin.query<{ id: string }>(plain('select id from public.notes'))
      const kept = new Set(rows.map(({ id }) => String(id)))
      expect([...written].filter((id) => !kept.has(id))).toEqual([])
      await expect.poll(() => [...kept].filter((id) => !changed.has(id)), { timeout: 60_000 }).toEqual([])
    } finally {
      done = true
      unsubscribe()
      await db.close()
      for (const one of [folder, socketDir]) await rm(one, { recursive: true, force: true })
    }
  },
  120_000 + trials * 60_000,
)
