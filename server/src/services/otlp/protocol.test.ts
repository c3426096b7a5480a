import { describe, expect } from 'vitest'
import { keptCases, levelCases, otlpCases } from '../../../test/cases/otlp/index.ts'
import { attribute, log, oneLog, oneSpan, publishableKey, test } from '../../../test/otlp-world.ts'

describe('the protocol', () => {
  test.for(otlpCases.map((each) => [`${each.section}: ${each.rule}`, each] as const))(
    '%s',
    async ([, sent], { otlp }) => {
      const { path = '/v1/traces', method = 'POST', headers = {}, body, status, isProtobuf = false, answer } = sent
      const url = `${otlp.url}${path}`
      const given = method === 'POST' ? await otlp.post(path, body, headers) : await fetch(url, { method })
      expect(given.status).toBe(status)
      const isAsked = method === 'POST'
      if (isAsked)
        expect(given.headers.get('content-type')).toBe(isProtobuf ? 'application/x-protobuf' : 'application/json')
      const bytes = Buffer.from(await given.arrayBuffer())
      if (Buffer.isBuffer(answer)) expect(bytes.subarray(0, answer.length).toString('hex')).toBe(answer.toString('hex'))
      else if (isAsked && answer !== undefined) expect(JSON.parse(bytes.toString())).toMatchObject(answer)
    },
  )

  test.for(keptCases)('%s: an attribute is kept: %s', async ([, , sent, kept], { otlp }) => {
    expect((await otlp.post('/v1/traces', oneSpan({ attributes: [sent] }))).status).toBe(200)
    const [row] = await otlp.spans()
    expect(JSON.parse(String(row?.attributes))).toEqual(kept)
  })

  test.for(levelCases)('%s: the level of %o is %s', async ([, said, level], { otlp }) => {
    expect((await otlp.post('/v1/logs', oneLog(said))).status).toBe(200)
    expect(await otlp.logs()).toMatchObject([{ level }])
  })

  test('otlp §4: the session is the one that the span, its headers or its resource name', async ({ otlp }) => {
    const header = {
      key: 'http.request.header.x-posthog-session-id',
      value: { arrayValue: { values: [{ stringValue: 's-header' }] } },
    }
    await otlp.post(
      '/v1/traces',
      oneSpan({ spanId: '0000000000000001', attributes: [attribute('session.id', 's-own')] }),
    )
    await otlp.post('/v1/traces', oneSpan({ spanId: '0000000000000002', attributes: [header] }))
    await otlp.post('/v1/traces', oneSpan({ spanId: '0000000000000003' }, [attribute('session.id', 's-resource')]))
    const found = (await otlp.spans()).map(({ span_id, session_id }) => [span_id, session_id])
    expect(Object.fromEntries(found)).toEqual({
      '0000000000000001': 's-own',
      '0000000000000002': 's-header',
      '0000000000000003': 's-resource',
    })
  })

  test('otlp §4: what is sent again is kept once', async ({ otlp }) => {
    const [spans, logs] = [oneSpan(), oneLog({ ...log(), body: { stringValue: 'twice' } })]
    for (const [path, body] of [
      ['/v1/traces', spans],
      ['/v1/traces', spans],
      ['/v1/logs', logs],
      ['/v1/logs', logs],
    ] as const)
      expect((await otlp.post(path, body)).status).toBe(200)
    expect(await otlp.spans()).toHaveLength(1)
    expect(await otlp.logs()).toHaveLength(1)
  })
})

describe('bounds', () => {
  const settings = {
    ...{
      maxAttributes: 2,
      maxAttributeBytes: 64,
      maxEvents: 1,
      maxTextBytes: 256,
      maxBatchRecords: 2,
      maxBodyBytes: 20_000,
    },
  }

  test('attributes, events and texts beyond them are left out, and counted', async ({ openOtlp }) => {
    const otlp = await openOtlp({ settings })
    const attributes = [
      attribute('long', 'é'.repeat(100)),
      { key: 'list', value: { arrayValue: { values: Array.from({ length: 50 }, () => ({ intValue: 1 })) } } },
      attribute('short', 'x'),
      attribute('more', 'x'),
    ]
    const events = [
      { timeUnixNano: '1', name: 'exception', attributes: [attribute('exception.type', 'E')] },
      { name: 'b' },
    ]
    await otlp.post('/v1/traces', oneSpan({ name: 'n'.repeat(500), attributes, events, droppedLinksCount: 3 }))
    const [row] = await otlp.spans()
    expect(JSON.parse(String(row?.attributes))).toEqual({ long: `${'é'.repeat(30)}…`, short: 'x' })
    expect(JSON.parse(String(row?.events))).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'E' } },
    ])
    // A list that is too large, an attribute and an event too many, three links that the program left out.
    expect(row?.dropped).toBe(6)
    expect(String(row?.name)).toHaveLength(254)
  })

  test('more records, or bytes, than a request may have are refused', async ({ openOtlp }) => {
    const otlp = await openOtlp({ settings })
    const spans = [1, 2, 3].map((n) => ({
      ...JSON.parse(oneSpan()).resourceSpans[0].scopeSpans[0].spans[0],
      spanId: `000000000000000${n}`,
    }))
    const many = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    for (const body of [many, oneSpan({ name: 'x'.repeat(30_000) })]) {
      const answer = await otlp.post('/v1/traces', body)
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: 8 }])
    }
    expect(await otlp.spans()).toEqual([])
  })
})

describe('pages', () => {
  test('may send with the publishable key where a setting says so', async ({ openOtlp }) => {
    const otlp = await openOtlp({ settings: { publishableKey: true } })
    const origin = { origin: 'https://shop.example' }
    const preflight = await fetch(`${otlp.url}/v1/traces`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'apikey' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'apikey'])
    const answer = await otlp.post('/v1/traces', oneSpan(), { ...origin, apikey: publishableKey })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect((await otlp.post('/v1/traces', oneSpan(), { ...origin, apikey: 'sb_publishable_other' })).status).toBe(401)
  })
})
