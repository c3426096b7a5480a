import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { test as base } from '../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import type { SharedView } from '../../ground/model/session.ts'
import { sharesService, sharesTables } from './index.ts'

const hourMs = 3_600_000
const wanted = { sessionId: 's1', lanes: ['clicks', 'api'], showsValues: false, showsPerson: true, hours: 24 }

const test = base.extend('world', async ({ db }) => {
  await db.migrate('shares', sharesTables.postgres)
  const clock = { ms: Date.now() }
  const asked: { id: string; view: SharedView }[] = []
  const service = (role: OperatorRole) => {
    const { actions, log } = recordedActions(role)
    const made = sharesService({
      ...{ sql: db.admin, actions, now: () => new Date(clock.ms), newId: uuidv7 },
      settings: { maxHours: 720, perSession: 2, concurrent: 2 },
      async sessionFile(id, view) {
        asked.push({ id, view })
        return (async function* () {
          yield `file of ${id}\n`
        })()
      },
    })
    return { made, log }
  }
  const open = async (role: OperatorRole = 'owner') => {
    const { made, log } = service(role)
    const call = await consoleApp(async (app) => {
      app.addHook('onRequest', async (request) => request.setDecorator('operator', { email: 'ann@team.test' }))
      for (const part of [...made.console, ...made.openConsole]) await app.register(part)
    })
    const outside = Fastify()
    for (const part of made.openConsole) await outside.register(part)
    const read = async (token: string) => {
      const answer = await outside.inject({ method: 'POST', url: '/shared', payload: { token } })
      return answer.statusCode === 200 ? gunzipSync(answer.rawPayload).toString() : answer.statusCode
    }
    return { call, log, read, outside }
  }
  return { clock, asked, db, open }
})

test('a link opens what it was made for, without an operator, and says how often', async ({ world }) => {
  const { call, log, read } = await world.open()
  const { status, body } = await call('POST', '/shares', wanted)
  expect(status).toBe(201)
  expect(body.share).toMatchObject({ ...body.share, createdBy: 'ann@team.test', opened: 0, revokedAt: null })
  expect(await read(body.token)).toBe('file of s1\n')
  expect(world.asked).toEqual([{ id: 's1', view: { lanes: ['clicks', 'api'], values: false, person: true } }])
  const { shares } = (await call('GET', '/shares?session=s1')).body
  expect(shares).toMatchObject([{ id: body.share.id, opened: 1, lastOpenedAt: new Date(world.clock.ms).toISOString() }])
  expect(JSON.stringify([shares, log])).not.toContain(body.token)
  expect(log).toEqual([{ name: 'session.share', target: 'session s1 for 24 h: clicks, api, person' }])
})

test('the token is stored nowhere, only its hash', async ({ world }) => {
  const { call } = await world.open()
  const { token } = (await call('POST', '/shares', wanted)).body
  const { rows } = await world.db.admin.query({ text: 'select t::text as row from clew_shares.shares t', values: [] })
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('an expired, a revoked and an unknown link are answered alike', async ({ world }) => {
  const { call, read, log } = await world.open()
  const [first, second] = [await call('POST', '/shares', wanted), await call('POST', '/shares', wanted)]
  expect((await call('DELETE', `/shares/${first.body.share.id}`)).status).toBe(204)
  expect(log.at(-1)).toEqual({ name: 'session.unshare', target: 'session s1' })
  expect([await read(first.body.token), await read('unknown')]).toEqual([404, 404])
  expect(await read(second.body.token)).toContain('s1')
  world.clock.ms += 24 * hourMs
  expect(await read(second.body.token)).toBe(404)
  expect(world.asked).toHaveLength(1)
})

test('a session has only so many valid links, each only for so long', async ({ world }) => {
  const { call } = await world.open()
  expect((await call('POST', '/shares', { ...wanted, hours: 721 })).body.code).toBe('CLEW_SHARES_TOO_LONG')
  const [first] = [await call('POST', '/shares', wanted), await call('POST', '/shares', wanted)]
  expect((await call('POST', '/shares', wanted)).body.code).toBe('CLEW_SHARES_TOO_MANY')
  await call('DELETE', `/shares/${first?.body.share.id}`)
  expect((await call('POST', '/shares', wanted)).status).toBe(201)
})

test('a reader who has left before the file begins takes no one’s turn', async ({ world }) => {
  const { call, outside } = await world.open()
  const { token } = (await call('POST', '/shares', wanted)).body
  // What stands before the handler is not done at once: here it waits until the reader is gone.
  outside.addHook('preHandler', async ({ headers }, { raw }) => {
    if (headers['x-leaves'] !== undefined) await new Promise((resolve) => raw.once('close', resolve))
  })
  const { port } = new URL(await outside.listen({ host: '127.0.0.1', port: 0 }))
  onTestFinished(() => outside.close())
  const leave = () =>
    new Promise((resolve) => {
      const asked = request({
        ...{ host: '127.0.0.1', port, path: '/shared', method: 'POST' },
        headers: { 'x-leaves': '1', 'content-type': 'application/json' },
      })
      asked.once('error', () => undefined).once('close', resolve)
      asked.end(JSON.stringify({ token }), () => asked.destroy())
    })
  for (let reader = 0; reader < 3; reader++) await leave()
  const read = () =>
    fetch(`http://127.0.0.1:${port}/shared`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
  await expect.poll(async () => (await read()).status).toBe(200)
})

test('analysts see links and make none; viewers see none', async ({ world }) => {
  const analyst = await world.open('analyst')
  expect((await analyst.call('GET', '/shares?session=s1')).status).toBe(200)
  expect((await analyst.call('POST', '/shares', wanted)).status).toBe(403)
  expect((await (await world.open('viewer')).call('GET', '/shares?session=s1')).status).toBe(403)
})
