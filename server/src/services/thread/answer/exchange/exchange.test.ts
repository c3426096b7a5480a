import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { openWorld } from '../../../../../test/thread-world.ts'
import { readSettings } from '../../../../ground/settings/read.ts'
import { threadSettings } from '../../settings.ts'

const settings = { ...readSettings(threadSettings, []).values, exchanges: 'bodies' as const }
const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
const refusal = { code: '23505', message: 'duplicate key', details: 'Key (id)=(1) already exists.', hint: null }
const exchange = {
  request: { headers, body: Buffer.from('{"email":"ann@x.test","city":"Faro","nested":[{"email":"b"}]}') },
  response: { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(refusal)) },
}
const masks = {
  current: async () => ({ columns: [{ schema: 'public', table: 'people', column: 'email' }], properties: [] }),
}

test('what a request and its answer said stands with it, without what is masked; analysts see neither', async ({
  db,
  clickhouse,
}) => {
  const world = await openWorld(db, clickhouse, {
    ...{ settings, masks },
    explainError: (code) => ({ message: `meaning of ${code}`, hint: 'do it' }),
  })
  onTestFinished(() => world.thread.close())
  const { id } = await world.call('select 1', { exchange, errorCode: '23505', status: 409 })
  const plain = await world.call('select 1', { errorCode: 'PGRST205', status: 404 })
  await world.thread.flush()
  const { body } = await world.get(`/requests/${id}`)
  expect(body).toMatchObject({
    error: { message: 'duplicate key', details: 'Key (id)=(1) already exists.', hint: null, isFromAnswer: true },
    exchange: {
      request: {
        headers: [
          { name: 'content-type', value: 'application/json' },
          { name: 'authorization', value: '(redacted)' },
        ],
        body: '{"email":"[masked]","city":"Faro","nested":[{"email":"[masked]"}]}',
        leftOut: null,
      },
      response: { body: JSON.stringify(refusal) },
    },
  })
  expect((await world.get(`/requests/${plain.id}`)).body).toMatchObject({
    exchange: null,
    error: { message: 'meaning of PGRST205', hint: 'do it', details: null, isFromAnswer: false },
  })
  const seen = (await world.get(`/requests/${id}`, 'analyst')).body
  expect(seen).toMatchObject({ exchange: null, error: null })
})

test('a body that was kept before a mask goes with it, and the rest stays', async ({ db, clickhouse }) => {
  const world = await openWorld(db, clickhouse, { settings })
  onTestFinished(() => world.thread.close())
  const { id } = await world.call('select 1', { exchange })
  await world.thread.flush()
  const store = world.thread.maskedStores.find(({ name }) => name === 'headers and bodies')
  const work = { signal: new AbortController().signal, progress: async () => undefined }
  expect(await store?.mask(await masks.current(), work)).toBe(1)
  expect(await store?.mask(await masks.current(), work)).toBe(0)
  const { body } = await world.get(`/requests/${id}`)
  expect(body).toMatchObject({
    exchange: {
      request: { body: null, leftOut: 'masked' },
      response: { body: JSON.stringify(refusal), leftOut: null },
    },
  })
})
