import { expect, test } from 'vitest'
import { authError } from '../model/errors.ts'
import { createSingleFlight } from './single-flight.ts'

function counted(answer: (count: number) => Promise<number>) {
  let count = 0
  return { work: () => answer(++count), count: () => count }
}

test('calls at the same time share one answer, later ones get their own', async () => {
  const shared = createSingleFlight<number>()
  const { work } = counted(async (count) => count)
  const ask = (key: string) => shared(key, work)
  expect(await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')])).toEqual([1, 1, 2, 1])
  expect(await ask('a')).toBe(3)
})

test('a service error is shared by all calls, any other failure is one’s own', async () => {
  const shared = createSingleFlight<number>()
  const refused = counted(async () => {
    throw authError('refresh_token_already_used')
  })
  await Promise.allSettled([shared('a', refused.work), shared('a', refused.work)])
  expect(refused.count()).toBe(1)
  const failing = counted(async (count) => {
    if (count === 1) throw new Error('The client went away.')
    return count
  })
  const [first, second] = await Promise.allSettled([shared('a', failing.work), shared('a', failing.work)])
  expect([first?.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 2 }])
})
