import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { RequestContext, RequestRecord } from '../../ground/model/request.ts'
import { recordRequests } from './request-records.ts'

/** A service that answers in several ways, and what is told of its requests. */
async function serve(maxBodyBytes: number | null) {
  const told: RequestRecord[] = []
  let heard: (() => void) | undefined
  const app = Fastify()
  onTestFinished(() => app.close())
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.setDecorator('requestContext', { id: String(told.length) } as RequestContext)
    done()
  })
  await app.register(async (scope) => {
    recordRequests(scope, 'test', maxBodyBytes, (record) => {
      told.push(record)
      heard?.()
    })
    scope.addHook('onRequest', (request, reply, done) => {
      if (request.headers['x-refused'] === undefined) done()
      else reply.code(401).send({ refused: true })
    })
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post('/echo', async (request) => ({ got: request.body }))
    scope.post('/stream', async (request, reply) => reply.type('text/plain').send(request.body))
    scope.post('/raw', async (_request, reply) => reply.send(Readable.from(['one ', 'two'])))
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  /** Resolves to the answer's text and to what is told of the request once it is over. */
  const ask = async (path: string, init: RequestInit) => {
    const over = new Promise<void>((resolve) => {
      heard = resolve
    })
    const text = await (await fetch(`${url}${path}`, { method: 'POST', ...init })).text()
    await over
    const exchange = told.at(-1)?.exchange
    return { text, asked: exchange?.request.body?.toString(), answered: exchange?.response.body?.toString(), exchange }
  }
  return ask
}

const json = { 'content-type': 'application/json' }

test('bodies are copied as they pass, and arrive whole', async () => {
  const ask = await serve(1024)
  const body = JSON.stringify({ name: 'Zoë' })
  expect(await ask('/echo', { headers: json, body })).toMatchObject({
    text: '{"got":{"name":"Zoë"}}',
    asked: body,
    answered: '{"got":{"name":"Zoë"}}',
    exchange: {
      request: { headers: json },
      response: { headers: { 'content-type': 'application/json; charset=utf-8' } },
    },
  })
  expect(await ask('/stream', { headers: { 'content-type': 'text/x' }, body: 'a stream' })).toMatchObject({
    ...{ text: 'a stream', asked: 'a stream', answered: 'a stream' },
  })
  expect(await ask('/raw', {})).toMatchObject({ text: 'one two', asked: '', answered: 'one two' })
  expect(await ask('/echo', { headers: { ...json, 'x-refused': '1' }, body })).toMatchObject({
    ...{ text: '{"refused":true}', answered: '{"refused":true}' },
  })
})

test('of a body that is longer than what is copied nothing is kept, and it arrives whole', async () => {
  const ask = await serve(16)
  const long = 'x'.repeat(100_000)
  const { text, exchange } = await ask('/stream', { headers: { 'content-type': 'text/x' }, body: long })
  expect(text).toBe(long)
  expect(exchange).toMatchObject({ request: { body: null }, response: { body: null } })
})

test('headers alone are copied, or nothing', async () => {
  const headersOnly = await (await serve(0))('/echo', { headers: json, body: '{"a":1}' })
  expect(headersOnly.exchange).toMatchObject({ request: { headers: json, body: null }, response: { body: null } })
  expect((await (await serve(null))('/echo', { headers: json, body: '{"a":1}' })).exchange).toBeNull()
})
