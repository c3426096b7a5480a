import { expect, test } from 'vitest'
import { createPace } from './timing-equalizer.ts'

test('a call that does less takes as long as one that does the whole', async () => {
  const pace = createPace()
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  for (let call = 0; call < 5; call++) await pace.whole('recover', () => pause(60))
  const startedAt = performance.now()
  expect(await pace.part('recover', async () => 'done')).toBe('done')
  const tookMs = performance.now() - startedAt
  expect(tookMs).toBeGreaterThan(50)
  await expect(pace.part('recover', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
