import { expect, test } from 'vitest'
import { repeatedly } from './repeatedly.ts'

test('calls follow one another, and none is made after the end, which waits for the last', async () => {
  let atOnce = 0
  let most = 0
  let calls = 0
  const repeated = repeatedly(async () => {
    calls += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    await new Promise((resolve) => setTimeout(resolve, 5))
    atOnce -= 1
  }, 1)
  repeated.start()
  await expect.poll(() => calls).toBeGreaterThan(2)
  await repeated.close()
  const made = calls
  expect([most, atOnce]).toEqual([1, 0])
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(calls).toBe(made)
})
