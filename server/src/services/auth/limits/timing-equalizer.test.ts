import { expect, test } from 'vitest'
import { createPace } from './timing-equalizer.ts'

function openPace() {
  let nowMs = 0
  const pause = async (ms: number) => {
    nowMs += ms
  }
  const pace = createPace({ elapsed: () => nowMs, pause })
  const tookMs = async (call: () => Promise<unknown>): Promise<number> => {
    const startedAt = nowMs
    await call()
    return nowMs - startedAt
  }
  return { pace, pause, tookMs }
}

test('a call that does less takes as long as one that does the whole', async () => {
  const { pace, pause, tookMs } = openPace()
  for (let call = 0; call < 5; call++) await pace.whole('recover', () => pause(60))
  expect(await tookMs(() => pace.part('recover', () => pause(10)))).toBe(60)
  expect(await tookMs(() => pace.part('recover', () => pause(70)))).toBe(70)
  expect(await tookMs(() => pace.part('otp', async () => 'done'))).toBe(12)
  expect(await pace.part('recover', async () => 'done')).toBe('done')
})

test('a mail server that hangs is not imitated', async () => {
  const { pace, pause, tookMs } = openPace()
  await pace.whole('recover', () => pause(60_000))
  expect(await tookMs(() => pace.part('recover', async () => 'done'))).toBe(2000)
})

test('a call that fails is passed on', async () => {
  const { pace } = openPace()
  await expect(pace.part('recover', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
