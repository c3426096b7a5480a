import { expect } from 'vitest'
import { compact, event, post, test, token } from '../../../../test/edge-world.ts'

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
