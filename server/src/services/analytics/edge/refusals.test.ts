import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { compact, event, post, test, token } from '../../../../test/edge-world.ts'

test('refusals are answered as the clients need them', async ({ edge }) => {
  const cases: readonly [what: string, path: string, body: string | Buffer, status: number][] = [
    ['no JSON', '/e/', 'hello', 400],
    ['an empty body', '/e/', '', 400],
    ['cut gzip', '/e/', gzipSync('{}'.repeat(100)).subarray(0, 15), 400],
    ['no events', '/batch/', compact({ api_key: token, batch: [] }), 400],
    ['no name', '/e/', compact({ api_key: token, properties: { distinct_id: 'a' } }), 400],
    ['no distinct id', '/e/', compact({ api_key: token, event: 'x' }), 400],
    [
      'a recording without a session',
      '/s/',
      compact([{ event: '$snapshot', properties: { token, distinct_id: 'a', $snapshot_data: [{}] } }]),
      400,
    ],
    ['no token', '/e/', compact(event()), 401],
    ['an unknown token', '/e/', compact({ api_key: 'phc_other', ...event() }), 401],
    ['mixed tokens', '/e/', compact([event({ token }), event({ token: 'phc_other' })]), 401],
    ['one event that is too large', '/e/', compact({ api_key: token, ...event({ text: 'x'.repeat(100_000) }) }), 413],
    ['a bomb', '/e/', gzipSync(Buffer.alloc(30 * 1024 * 1024)), 413],
    ['cut lz64', '/e/?compression=lz64', 'N4Ig', 400],
    ['an unknown path', '/nothing/', '{}', 404],
  ]
  for (const [what, path, body, status] of cases) {
    const answer = await post(`${edge.url}${path}`, body, { origin: 'https://app.example' })
    expect([what, answer.status]).toEqual([what, status])
    expect(answer.headers.get('access-control-allow-origin'), what).toBe('https://app.example')
    expect(answer.headers.get('content-type'), what).toContain('application/json')
  }
  expect(edge.analytics.waiting().refused).toMatchObject({ no_event_name: 1, no_distinct_id: 1, too_large: 1 })
})

test('a full spool takes nothing and says when to come back', async ({ edge }) => {
  const batch = Array.from({ length: 10 }, () => event({ text: 'x'.repeat(90_000) }))
  const answer = await post(`${edge.url}/batch/`, compact({ api_key: token, batch }))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ type: 'server_error', code: 'CLEW_INGEST_FULL' })
  expect((await post(`${edge.url}/batch/`, compact({ api_key: token, batch: [event()] }))).status).toBe(200)
  await edge.stored(1)
})

test('an event that cannot be kept does not harm its batch', async ({ edge }) => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const odd = compact(event({ odd: '\ud800 \u0000 \u2028 \\ud800', deep: JSON.parse(nested(190)) }))
  const huge = compact(event({ text: 'x'.repeat(100_000) }))
  const answer = await post(`${edge.url}/batch/`, `{"api_key":"${token}","batch":[${odd},${huge},null]}`)
  expect(answer.status).toBe(200)
  const [row] = await edge.stored(1)
  expect(JSON.parse(row?.properties ?? '{}').odd).toBe('\ufffd \u0000 \u2028 \\ud800')
  expect(edge.analytics.waiting().refused).toEqual({ too_large: 1, not_an_object: 1 })
})

test('a body nested too deep is refused before it is parsed, in every form', async ({ edge }) => {
  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  const body = `{"api_key":"${token}","event":"deep","distinct_id":"ada","properties":{"deep":${nested}}}`
  const cases: readonly (readonly [path: string, body: string | Buffer, headers?: Record<string, string>])[] = [
    ['/e/', body],
    ['/i/v0/e/', gzipSync(body)],
    ['/capture/', Buffer.from(body).toString('base64')],
    ['/s/', `[${body}]`],
    ['/flags/', body],
    ['/i/v1/analytics/events', `{"batch":[${body}]}`, { authorization: `Bearer ${token}` }],
  ]
  for (const [path, sent, headers] of cases) {
    const answer = await post(`${edge.url}${path}`, sent, headers)
    expect([path, answer.status]).toEqual([path, 400])
    expect(await answer.json()).toMatchObject({ type: 'validation_error', code: 'CLEW_INGEST_TOO_DEEP' })
  }
  expect(edge.analytics.waiting()).toMatchObject({ accepted: 0, bytes: 0 })
})

test('a wrong token beside the body is refused, whatever the body is', async ({ edge }) => {
  const damaged = Buffer.from('1f8b0800', 'hex')
  for (const [path, headers] of [
    ['/e/?token=phc_other', {}],
    ['/s/?api_key=phc_other', {}],
    ['/i/v1/analytics/events', { authorization: 'Bearer phc_other' }],
    ['/i/v1/analytics/events', {}],
  ] as const) {
    const answer = await post(`${edge.url}${path}`, damaged, headers)
    expect([path, answer.status]).toEqual([path, 401])
    expect(await answer.json()).toMatchObject({ code: 'CLEW_INGEST_TOKEN' })
  }
})
