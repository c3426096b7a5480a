import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { followed, listen, openRealtime } from '../../../../test/realtime-app.ts'
import { createPatterns } from './patterns.ts'

test('realtime-6 what a regular expression matches is what PostgreSQL says, for many values and patterns at once', async ({
  db,
}) => {
  const patterns = createPatterns(db.session, 5000)
  const texts = ['^a.*z$', '\\mword\\M', '[[:digit:]]{3}', 'é+', '(?i)x', 'a|b', '\\d(?=x)']
  const values = ['abcz', 'a word here', '12345', 'ÉÉ', 'X', '', '7x', 'line\nwith a\nz']
  const tests = texts.flatMap((text) =>
    values.flatMap((value) => [true, false].map((anyCase) => ({ pattern: { text, anyCase }, value }))),
  )
  const answers = await patterns.ask('anon', tests)
  const { rows } = await db.owner.query<{ held: boolean }>({
    text: `select case when t.any_case then t.value ~* t.pattern else t.value ~ t.pattern end as held
      from unnest($1::text[], $2::text[], $3::boolean[]) with ordinality t (value, pattern, any_case, place) order by place`,
    values: [
      tests.map(({ value }) => value),
      tests.map(({ pattern }) => pattern.text),
      tests.map(({ pattern }) => pattern.anyCase),
    ],
  })
  expect(tests.map((each) => answers.holds(each))).toEqual(rows.map(({ held }) => held))
  expect(answers.failed.size).toBe(0)
})

test('a regular expression that takes too long ends its subscription, and holds up nobody else', async ({ db }) => {
  await db.load(`
    create table notes (id int primary key, body text);
    alter publication supabase_realtime add table notes`)
  const { client } = await openRealtime(db, { settings: { filterPatternMs: 50 } })
  const wish = { event: 'INSERT', schema: 'public', table: 'notes' }
  const costly = client().channel('costly')
  const told: unknown[] = []
  const heardByCostly = await listen(costly, { ...wish, filter: 'body=match.(?:(?=.*a)x|(?=.*b)x)+z' })
  costly.on('system', {}, (message) => told.push(message))
  const heard = await listen(client().channel('plain'), { ...wish, filter: 'body=match.^x' })
  await followed(db)
  await db.load(`insert into notes values (1, repeat('x', 300000) || 'y')`)
  await expect.poll(() => heard.length).toBe(1)
  await expect
    .poll(() => told.at(-1))
    .toMatchObject({ status: 'error', message: expect.stringContaining('takes too long') })
  await db.load(`insert into notes values (2, 'xxyxz')`)
  await expect.poll(() => heard.length).toBe(2)
  expect(heardByCostly).toEqual([])
})
