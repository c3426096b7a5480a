import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'

test.for([
  `do $$ begin perform set_config('app.key', 'SECRET', false); end $$`,
  `do $$ begin execute format('comment on schema public is %L', 'SECRET'); end $$`,
  `create role ROLE password 'SECRET'; drop role ROLE`,
  `create role ROLE; alter role ROLE password 'SECRET'; drop role ROLE`,
  `set app.key = 'SECRET'`,
  `prepare guess as select 'SECRET' = $1; execute guess('SECRET')`,
  `create table notes as select 'SECRET' as text`,
  `explain select 'SECRET'`,
  `begin; declare c cursor for select 'SECRET'; fetch c; commit`,
  `create function f() returns text language sql as $$ select 'SECRET' $$; select f()`,
  `select set_config('app.key', 'SECRET', false)`,
])('the statistics of statements keep no constant of: %s', async (template, { db }) => {
  const secret = randomUUID()
  const mark = `asked_${secret.replaceAll('-', '')}`
  const client = new pg.Client(db.login('postgres'))
  await client.connect()
  await client.query(template.replaceAll('SECRET', secret).replaceAll('ROLE', `r_${mark}`))
  const kept = async (part: string) => {
    const text = 'select query from extensions.pg_stat_statements where strpos(query, $1) > 0'
    const { rows } = await db.admin.query<{ query: string }>({ text, values: [part] })
    return rows.map(({ query }) => query)
  }
  // Where statements of others are many, PostgreSQL gives up those that were asked least.
  const askAgain = async (): Promise<readonly string[]> => {
    await client.query(`select 1 as ${mark}`)
    return kept(mark)
  }
  await expect.poll(askAgain).toEqual([`select $1 as ${mark}`])
  expect(await kept(secret)).toEqual([])
  await client.end()
})
