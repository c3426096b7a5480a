import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const mib = 1024 ** 2
const nowMs = () => performance.now()

/** What some pieces, one after another, take at least. */
async function timeOf(pass: (bytes: number) => Promise<void>, pieces: number): Promise<number> {
  const beganMs = nowMs()
  for (let piece = 0; piece < pieces; piece += 1) await pass(mib)
  return nowMs() - beganMs
}

test('pieces pass as fast as the limit says, and no faster after a pause', async () => {
  const pass = createPace(20, nowMs)
  // The first begins at once; a timer may fire a part of a millisecond early.
  expect(await timeOf(pass, 6)).toBeGreaterThan(5 * 50 - 5)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await timeOf(pass, 4)).toBeGreaterThan(3 * 50 - 5)
})

test('without a limit nothing waits', async () => {
  const clock = () => expect.fail('The time is not asked for.')
  expect(await timeOf(createPace(null, clock), 1000)).toBeGreaterThanOrEqual(0)
})
