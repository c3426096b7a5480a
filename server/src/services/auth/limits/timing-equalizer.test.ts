import { expect, test } from 'vitest'
import { createTimingEqualizer } from './timing-equalizer.ts'

function startEqualizer() {
  let nowMs = 0
  const pause = async (ms: number) => {
    nowMs += ms
  }
  const timing = createTimingEqualizer({ elapsed: () => nowMs, pause })
  const tookMs = async (call: () => Promise<unknown>): Promise<number> => {
    const startedAt = nowMs
    await call()
    return nowMs - startedAt
  }
  return { timing, pause, tookMs }
}

test('a call that does less takes as long as one that does the whole', async () => {
  const { timing, pause, tookMs } = startEqualizer()
  for (let call = 0; call < 5; call++) await timing.measure('recover', () => pause(60))
  expect(await tookMs(() => timing.equalize('recover', () => pause(10)))).toBe(60)
  expect(await tookMs(() => timing.equalize('recover', () => pause(70)))).toBe(70)
  expect(await tookMs(() => timing.equalize('otp', async () => 'done'))).toBe(12)
  expect(await timing.equalize('recover', async () => 'done')).toBe('done')
})

test('a mail server that hangs is not imitated', async () => {
  const { timing, pause, tookMs } = startEqualizer()
  await timing.measure('recover', () => pause(60_000))
  expect(await tookMs(() => timing.equalize('recover', async () => 'done'))).toBe(2000)
})

test('a call that fails is passed on', async () => {
  const { timing } = startEqualizer()
  await expect(timing.equalize('recover', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
