import { expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'
import { createTokenBuckets } from './token-bucket.ts'

test('a bucket gives its burst, then as fast as it refills, each key by itself', () => {
  let seconds = 0
  const take = createTokenBuckets(() => new Date(seconds * 1000))
  const bucket = { burst: 2, refillPerSecond: 0.5 }
  expect([take('a', bucket), take('a', bucket), take('a', bucket)]).toEqual([null, null, 2])
  expect(take('b', bucket)).toBeNull()
  seconds = 1
  expect(take('a', bucket)).toBe(1)
  seconds = 2
  expect(take('a', bucket)).toBeNull()
  seconds = 1000
  expect([take('a', bucket), take('a', bucket), take('a', bucket)]).toEqual([null, null, 2])
})

test('work waits for its turn, in order, and is refused when too much waits', async () => {
  const limited = createLimiter({ concurrency: 1, queue: 1, refuse: () => new Error('full') })
  const done: string[] = []
  let release = (): void => undefined
  const first = limited(async () => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    done.push('first')
    throw new Error('broken')
  })
  const second = limited(async () => done.push('second'))
  await expect(limited(async () => done.push('third'))).rejects.toThrow('full')
  release()
  await expect(first).rejects.toThrow('broken')
  await second
  await limited(async () => done.push('fourth'))
  expect(done).toEqual(['first', 'second', 'fourth'])
})
