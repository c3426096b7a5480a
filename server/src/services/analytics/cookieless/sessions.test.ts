import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { analyticsTables } from '../index.ts'
import { createCookielessSessions } from './sessions.ts'

const test = base.extend('world', async ({ db }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  let count = 0
  const open = () =>
    createCookielessSessions({
      sql: db.admin,
      newId: () => {
        count += 1
        return `s${count}`
      },
    })
  return {
    open,
    table: () => db.admin.query({ text: 'select distinct_id from clew_analytics.cookieless_sessions', values: [] }),
  }
})

const dayMs = Date.parse('2026-03-31T00:00:00Z')
const line = (id: string, minute: number, { event = 'seen', session = '', rest = '{}' } = {}): string =>
  `${JSON.stringify(['u', event, id, session, 'w', dayMs + minute * 60_000]).slice(0, -1)},${rest}]`
const block = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\n'))
const sessionsIn = (blocks: readonly Buffer[]): readonly string[] =>
  blocks.flatMap((each) => each.toString().split('\n')).map((each) => JSON.parse(each)[3])

test('a visitor without cookies has one session until thirty minutes pass without an event', async ({ world }) => {
  const sessions = world.open()
  const first = await sessions.assign([block(line('cookieless_a', 0), line('ada', 1), line('cookieless_b', 1))])
  expect(sessionsIn(first)).toEqual(['s1', '', 's2'])
  // Another process goes on with them.
  const later = await world.open().assign([block(line('cookieless_a', 29)), block(line('cookieless_b', 32))])
  expect(sessionsIn(later)).toEqual(['s1', 's3'])
  const late = await sessions.assign([
    block(line('cookieless_a', 40), line('cookieless_a', 20), line('cookieless_a', 90)),
  ])
  expect(sessionsIn(late)).toEqual(['s1', 's1', 's4'])
})

test('a session that the client names stays, and so does all else of a line', async ({ world }) => {
  const sessions = world.open()
  const own = block(
    line('cookieless_c', 0, { session: 'mine' }),
    line('ada', 0, { rest: '{"a":"\\"cookieless_d\\",\\"\\""}' }),
  )
  expect(await sessions.assign([own])).toEqual([own])
  const odd = line('cookieless_e', 0, { event: 'say "ü","",', rest: '{"text":"x","n":12345678901234567890}' })
  const [assigned] = await sessions.assign([block(odd)])
  expect(assigned?.toString()).toBe(odd.replace('"cookieless_e",""', '"cookieless_e","s1"'))
})

test('what is a day old is forgotten', async ({ world }) => {
  const sessions = world.open()
  await sessions.assign([block(line('cookieless_old', 0))])
  await sessions.assign([block(line('cookieless_new', 25 * 60))])
  expect((await world.table()).rows).toEqual([{ distinct_id: 'cookieless_new' }])
})
