import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { followed, listen, openRealtime } from '../../../../test/realtime-app.ts'
import { createPatterns } from './patterns.ts'

test('realtime-6 what a pattern matches is what PostgreSQL says, for many values and patterns at once', async ({
  db,
}) => {
  const patterns = createPatterns(db.session, 5000)
  const operators = ['~', '~*', '~~', '~~*'] as const
  const texts = [
    '%a_',
    'a\\%',
    '_',
    '%',
    '',
    '^a.*z$',
    '\\mword\\M',
    '[[:digit:]]{3}',
    'é+',
    '(?i)x',
    'a|b',
    '\\d(?=x)',
  ]
  const values = ['abcz', 'a word here', '12345', 'ÉÉ', 'X', '', '7x', 'a%', 'aé', 'line\nwith a\nz']
  const tests = texts.flatMap((text) =>
    values.flatMap((value) => operators.map((operator) => ({ pattern: { text, operator }, value }))),
  )
  const answers = await patterns.ask('anon', tests)
  const { rows } = await db.owner.query<{ held: boolean }>({
    text: `select case t.operator when '~' then t.value ~ t.pattern when '~*' then t.value ~* t.pattern
        when '~~' then t.value like t.pattern else t.value ilike t.pattern end as held
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality t (value, pattern, operator, place) order by place`,
    values: [
      tests.map(({ value }) => value),
      tests.map(({ pattern }) => pattern.text),
      tests.map(({ pattern }) => pattern.operator),
    ],
  })
  expect(tests.map((each) => answers.holds(each))).toEqual(rows.map(({ held }) => held))
  expect(answers.failed.size).toBe(0)
})

test.for([
  ['a regular expression', 'match.(?:(?=.*a)x|(?=.*b)x)+z', 300_000],
  ['one of LIKE', `like.%${'x'.repeat(900)}z`, 500_000],
] as const)(
  'a pattern that takes too long ends its subscription, and holds up nobody else: %s',
  async ([, filter, length], { db }) => {
    await db.load(`
    create table notes (id int primary key, body text);
    alter publication supabase_realtime add table notes`)
    const { client } = await openRealtime(db, { settings: { filterPatternMs: 50 } })
    const wish = { event: 'INSERT', schema: 'public', table: 'notes' }
    const costly = client().channel('costly')
    const told: unknown[] = []
    const heardByCostly = await listen(costly, { ...wish, filter: `body=${filter}` })
    costly.on('system', {}, (message) => told.push(message))
    const heard = await listen(client().channel('plain'), { ...wish, filter: 'body=match.^x' })
    await followed(db)
    await db.load(`insert into notes values (1, repeat('x', ${length}) || 'y')`)
    await expect.poll(() => heard.length).toBe(1)
    await expect
      .poll(() => told.at(-1))
      .toMatchObject({ status: 'error', message: expect.stringContaining('takes too long') })
    await db.load(`insert into notes values (2, 'xxyxz')`)
    await expect.poll(() => heard.length).toBe(2)
    expect(heardByCostly).toEqual([])
  },
)
