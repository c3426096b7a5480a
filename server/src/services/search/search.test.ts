import { expect, test } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import { type SearchSource, searchRoutes } from './index.ts'

const hit = (id: string) => ({ id, title: `The ${id}`, detail: null })
const table = { schema: 'public', name: 'orders', column: 'id' }
const session: SearchSource = { kind: 'session', right: 'look', find: async (text) => [hit(text)] }
const row: SearchSource = { kind: 'row', right: 'read data', find: async (text) => [{ ...hit(text), table }] }

const open = (sources: readonly SearchSource[], role: OperatorRole = 'developer', waitMs = 60_000) =>
  consoleApp(searchRoutes({ sources, waitMs }, recordedActions(role).actions))

test('each room is asked what the operator may see of it', async () => {
  const groups = [
    { kind: 'session', hits: [hit('7')] },
    { kind: 'row', hits: [{ ...hit('7'), table }] },
  ]
  const developer = await open([session, row])
  expect(await developer('GET', '/search?q=%207%20')).toMatchObject({ status: 200, body: { groups, missed: [] } })
  const analyst = await open([session, row], 'analyst')
  expect((await analyst('GET', '/search?q=7')).body).toEqual({ groups: groups.slice(0, 1), missed: [] })
  const viewer = await open([session, row], 'viewer')
  expect((await viewer('GET', '/search?q=7')).status).toBe(403)
})

test('a room that fails or never answers is named, and the others are answered', async () => {
  const failing: SearchSource = { kind: 'person', right: 'look', find: () => Promise.reject(new Error('down')) }
  const endless: SearchSource = { kind: 'user', right: 'look', find: () => new Promise(() => undefined) }
  const many: SearchSource = {
    kind: 'session',
    right: 'look',
    find: async () => Array.from({ length: 50 }, () => hit('s')),
  }
  const ask = await open([failing, endless, many], 'owner', 1)
  const { body } = await ask('GET', '/search?q=a')
  expect(body).toMatchObject({ missed: ['person', 'user'], groups: [{ kind: 'session', hits: { length: 6 } }] })
})

test('a text of nothing is refused', async () => {
  const ask = await open([session])
  for (const q of ['', '%20', 'a%00']) expect((await ask('GET', `/search?q=${q}`)).status).toBe(400)
})
