import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { compact, event, post, test, token } from '../../../../test/edge-world.ts'

describe('a large body', () => {
  const many = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, index) => event({ text: 'ä'.repeat(100), index, ...more }))

  test('is stored like any other, read in place or beside the event loop', async ({ edge }) => {
    const batch = many(500)
    const body = compact({ api_key: token, batch })
    expect(body.length).toBeGreaterThan(64 * 1024)
    const [large, packed, small] = await Promise.all([
      post(`${edge.url}/batch/`, body),
      post(`${edge.url}/batch/`, gzipSync(compact({ api_key: token, batch: many(500) }))),
      post(`${edge.url}/e/`, compact({ ...event(), api_key: token })),
    ])
    expect([large.status, packed.status, small.status]).toEqual([200, 200, 200])
    expect(await large.text()).toBe('{"status":"Ok"}')
    const rows = await edge.stored(1001)
    const byUuid = new Map(rows.map((row) => [row.uuid, row.properties]))
    for (const { uuid, properties } of batch) expect(byUuid.get(uuid)).toBe(compact(properties))
    expect(edge.analytics.waiting().accepted).toBe(1001)
  })

  test('of recordings is stored line by line', async ({ edge }) => {
    const messages = Array.from({ length: 40 }, (_, index) => ({
      event: '$snapshot',
      properties: {
        token,
        distinct_id: 'ada',
        $session_id: `s-${index}`,
        $snapshot_data: Array.from({ length: 50 }, () => ({ type: 3, timestamp: 1, data: { text: 'x'.repeat(100) } })),
      },
    }))
    expect((await post(`${edge.url}/s/`, gzipSync(compact(messages)))).status).toBe(200)
    await expect.poll(() => edge.snapshots).toHaveLength(40)
    expect(edge.snapshots.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ session: 's-39', n: 50 }),
    )
  })

  test('is refused like a small one', async ({ edge }) => {
    const bad = { event: '', distinct_id: 'ada', properties: { text: 'x'.repeat(200) } }
    const cases: readonly (readonly [path: string, body: string | Buffer, status: number, code: string])[] = [
      ['/batch/', compact({ api_key: 'phc_other', batch: many(500) }), 401, 'CLEW_INGEST_TOKEN'],
      ['/batch/', `{"api_key":"${token}","batch":[${'x'.repeat(100_000)}`, 400, 'CLEW_INGEST_JSON'],
      ['/batch/', compact({ api_key: token, batch: new Array(500).fill(bad) }), 400, 'CLEW_INGEST_BAD_EVENT'],
      ['/batch/', compact({ api_key: token, text: 'x'.repeat(100_000), batch: [] }), 400, 'CLEW_INGEST_NO_EVENTS'],
      ['/batch/', `{"api_key":"${token}","batch":[${'1,'.repeat(20_000)}1]}`, 413, 'CLEW_INGEST_TOO_LARGE'],
      ['/e/', gzipSync(`[${'[],'.repeat(3_000_000)}1]`), 413, 'CLEW_INGEST_TOO_LARGE'],
      ['/e/', gzipSync(' '.repeat(30_000_000)), 413, 'CLEW_INGEST_TOO_LARGE'],
      ['/s/', gzipSync('['.repeat(10_000_000)), 400, 'CLEW_INGEST_TOO_DEEP'],
      ['/e/', Buffer.from(`1f8b08${'ff'.repeat(200_000)}`, 'hex'), 400, 'CLEW_INGEST_ENCODING'],
    ]
    const answers = await Promise.all(
      cases.map(async ([path, body]) => {
        const answer = await post(`${edge.url}${path}`, body)
        const { code } = (await answer.json()) as { code: string }
        return [answer.status, code]
      }),
    )
    expect(answers).toEqual(cases.map(([, , status, code]) => [status, code]))
    expect(edge.analytics.waiting()).toMatchObject({ accepted: 0, bytes: 0 })
  })

  test('of Capture V1 is answered event by event', async ({ edge }) => {
    const batch = [...many(500), { ...event(), event: '' }]
    const answer = await post(`${edge.url}/i/v1/analytics/events`, compact({ batch }), {
      authorization: `Bearer ${token}`,
    })
    const { results } = (await answer.json()) as { results: Record<string, object> }
    expect(Object.keys(results)).toEqual(batch.map(({ uuid }) => uuid))
    expect(results[batch[0]?.uuid ?? '']).toEqual({ result: 'ok' })
    expect(results[batch.at(-1)?.uuid ?? '']).toEqual({ result: 'drop', details: 'no_event_name' })
    await edge.stored(500)
  })

  test('of visitors without cookies gets the day’s ids', async ({ edge }) => {
    const batch = many(500, { $cookieless_mode: true })
    expect((await post(`${edge.url}/batch/`, compact({ api_key: token, batch }))).status).toBe(200)
    const rows = await edge.stored(500)
    expect(new Set(rows.map((row) => row.distinct_id)).size).toBe(1)
    expect(rows[0]?.distinct_id).toMatch(/^cookieless_/)
  })
})
