import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startProduct } from '../e2e/support/product.ts'
import { analyticsTables } from '../server/src/services/analytics/index.ts'
import { add } from './compare.ts'

const persons = Number(process.env.BENCH_UPGRADE_PERSONS ?? 1_000_000)
/** Up to this file the tables are filled. */
const filledAt = '0003'
/** Persons of numbers, each with a name, an address and one id; every fourth is a user. */
const fillStatement = `
  with person as (
    insert into clew_analytics.persons (id, properties, created_at, is_identified, auth_user_id)
    select gen_random_uuid(), jsonb_build_object('email', 'visitor.' || n || '@example.test', 'name', 'Visitor ' || n, 'n', n),
      now() - n * interval '1 second', n % 2 = 0, case n % 4 when 0 then gen_random_uuid() end
    from generate_series($1::int, $2::int) n
    returning id, properties
  )
  insert into clew_analytics.distinct_ids (distinct_id, person_id)
  select gen_random_uuid() || (properties ->> 'n'), id from person`
/** The files of analytics that change the tables of persons themselves; others need the rest of the product's schemas. */
const measured = ['0004']

/** What migrations of PostgreSQL take over the persons of an early version. */
export async function measurePersonUpgrades(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-upgrades-'))
  const project = fileURLToPath(new URL('./project', import.meta.url))
  const product = await startProduct({ dataDir: join(folder, 'data'), project })
  try {
    const owner = new pg.Client(product.dbUrl)
    await owner.connect()
    await owner.query('create database early')
    await owner.end()
    const url = new URL(product.dbUrl)
    url.pathname = '/early'
    await upgradeIn(url.href)
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function upgradeIn(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const files = readdirSync(fileURLToPath(analyticsTables.postgres))
      .filter((name) => name.endsWith('.sql'))
      .sort()
    const textOf = (name: string): string => readFileSync(new URL(name, analyticsTables.postgres), 'utf8')
    // The function that applications call to say whether they may be counted stands in a schema of another room.
    await client.query('create schema clew')
    for (const name of files.filter((file) => file.slice(0, 4) <= filledAt)) await client.query(textOf(name))
    for (let from = 0; from < persons; from += 100_000)
      await client.query(fillStatement, [from + 1, Math.min(from + 100_000, persons)])
    for (const name of files.filter((file) => measured.includes(file.slice(0, 4)))) {
      const startedAt = performance.now()
      await client.query(textOf(name))
      add(
        `upgrade, ${persons.toLocaleString('en')} persons: analytics ${name.slice(0, 4)}`,
        `${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
      )
    }
  } finally {
    await client.end()
  }
}
