import { expect, onTestFinished, vi } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { listen } from './listen.ts'

test('a first LISTEN that fails is told, and not retried', async ({ db }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await expect(listen(db.login('postgres'), '', () => undefined)).rejects.toThrow('zero-length')
  expect(vi.getTimerCount()).toBe(0)
})

test('a patient one that fails is retried until it is stopped', async ({ db }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lost: string[] = []
  const onLost = (reason: string) => lost.push(reason)
  const stop = await listen(db.login('postgres'), '', () => undefined, undefined, { patient: true, onLost })
  expect(vi.getTimerCount()).toBe(1)
  expect(lost).toEqual([expect.stringContaining('zero-length')])
  await stop()
  expect(vi.getTimerCount()).toBe(0)
})
