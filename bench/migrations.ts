import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startProduct } from '../e2e/support/product.ts'
import { add } from './compare.ts'

const files = 400

/** A file as projects have them: a table, its policy, a function and an index. */
const textOf = (n: number): string => `
  create table public.bench_${n} (id bigint generated always as identity primary key, owner uuid, body text);
  alter table public.bench_${n} enable row level security;
  create policy "own" on public.bench_${n} using (owner = auth.uid());
  create index on public.bench_${n} (owner);
  create function public.bench_${n}_count() returns bigint language sql stable as 'select count(*) from public.bench_${n}';`

/** The first start of a project of many migrations, beside the same texts sent by `pg`, each file in a transaction. */
export async function measureMigrations(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-migrations-'))
  try {
    const migrations = join(folder, 'supabase', 'migrations')
    mkdirSync(migrations, { recursive: true })
    const empty = await secondsOf(folder)
    const texts = Array.from({ length: files }, (_, n) => textOf(n))
    for (const [n, text] of texts.entries())
      writeFileSync(join(migrations, `${String(20_240_000_000_000 + n)}_bench.sql`), text)
    const all = await secondsOf(folder)
    const floor = await floorSeconds(texts)
    const own = all - empty
    add(
      `${files} migrations at the first start`,
      `${own.toFixed(2)} s`,
      `${floor.toFixed(2)} s`,
      (floor / own).toFixed(2),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function secondsOf(project: string): Promise<number> {
  const startedAt = performance.now()
  const product = await startProduct({ project })
  const seconds = (performance.now() - startedAt) / 1000
  await product.close()
  return seconds
}

async function floorSeconds(texts: readonly string[]): Promise<number> {
  const product = await startProduct()
  const client = new pg.Client(product.dbUrl)
  await client.connect()
  try {
    const startedAt = performance.now()
    for (const text of texts) await client.query(`begin; ${text}; commit`)
    return (performance.now() - startedAt) / 1000
  } finally {
    await client.end()
    await product.close()
  }
}
