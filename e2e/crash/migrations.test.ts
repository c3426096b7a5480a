import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command, killNow, type Product, run, startProduct, until } from '../support/product.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 1)
const filesPerRound = 30

let folder: string
let product: Product
const written: string[] = []
const start = () => startProduct({ dataDir: join(folder, 'data'), project: folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-migrations-'))
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true })
  await write('create table public.done (version text, at timestamptz default now())')
  product = await start()
})
afterAll(async () => {
  await product?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Writes the next migration, which takes long enough to be killed within. */
async function write(text: string): Promise<void> {
  const version = String(20_250_101_000_000 + written.length)
  written.push(version)
  const rest = `insert into public.done (version) values ('${version}'); select pg_sleep(0.02)`
  await writeFile(join(folder, 'supabase', 'migrations', `${version}_m.sql`), `${text};\n${rest};\n`)
}

const kinds = [
  (n: number) => `create table public.t${n} (id int primary key)`,
  (n: number) => `create type public.e${n} as enum ('a'); alter type public.e${n} add value 'b'`,
  (n: number) => `create function public.f${n}() returns int language sql as $$ select ${n}; $$`,
]

/** The versions that the history has, and those whose statements ran. */
async function applied(): Promise<{ readonly history: readonly string[]; readonly done: readonly string[] }> {
  const client = new pg.Client(product.dbUrl)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const list = async (text: string) => (await client.query<{ version: string }>(text)).rows.map((row) => row.version)
    return {
      history: await list('select version from supabase_migrations.schema_migrations order by 1'),
      done: await list('select version from public.done order by 1'),
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

test.each(Array.from({ length: rounds }, (_, round) => [round, round % 2 === 0 ? 'the command' : 'the product']))(
  'round %i, %s killed while migrations are applied: each is there whole or not at all, and the next run goes on',
  async (round) => {
    const before = written.length
    for (let n = 0; n < filesPerRound; n += 1) await write(kinds[n % kinds.length]?.(written.length) ?? '')
    const up = spawn(command, ['migration', 'up', '--project', folder, '--data', product.dataDir], { stdio: 'ignore' })
    const ended = new Promise((done) => up.once('exit', done))
    const enough = before + randomInt(1, filesPerRound - 5)
    await until(async () => (await applied()).history.length >= enough)
    if (round % 2 === 0) {
      up.kill('SIGKILL')
      await ended
    } else {
      killNow(product, round % 4 === 1)
      await ended
      product = await start()
    }
    const between = await applied()
    expect(between.done).toEqual(between.history)
    expect(between.history).toEqual(written.slice(0, between.history.length))

    const { code, stderr } = await run(['migration', 'up', '--project', folder, '--data', product.dataDir])
    expect([code, stderr]).toEqual([0, ''])
    expect(await applied()).toEqual({ history: written, done: written })
  },
)
