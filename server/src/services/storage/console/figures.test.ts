import { expect, test } from 'vitest'
import { createFigures, type FiguresByBucket } from './figures.ts'

/** Counts that take as long as they are told, by a clock of their own. */
function counts(tookMs: number) {
  let now = 0
  let runs = 0
  const figures = createFigures<null>(
    async (): Promise<FiguresByBucket> => {
      await Promise.resolve()
      now += tookMs
      runs += 1
      return new Map([['b', { objects: runs, sizeBytes: 0 }]])
    },
    () => new Date(now),
    () => now,
  )
  const ask = async () => (await figures(null)).figures.get('b')?.objects
  return { ask, countedAt: async () => (await figures(null)).countedAt.getTime(), pass: (ms: number) => (now += ms) }
}

test('a quick count is repeated each time', async () => {
  const { ask } = counts(100)
  expect([await ask(), await ask()]).toEqual([1, 2])
})

test('a long count is kept fifty times as long as it took, and says when it was', async () => {
  const { ask, countedAt, pass } = counts(1000)
  expect(await ask()).toBe(1)
  pass(48_000)
  expect([await ask(), await countedAt()]).toEqual([1, 0])
  pass(1_000)
  expect(await ask()).toBe(2)
  expect(await countedAt()).toBe(50_000)
})

test('one count runs for all who ask meanwhile', async () => {
  const { ask } = counts(100)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1])
})

test('a count that fails is tried again', async () => {
  let runs = 0
  const figures = createFigures<null>(
    async () => {
      runs += 1
      if (runs === 1) throw new Error('cancelled')
      return new Map()
    },
    () => new Date(0),
  )
  await expect(figures(null)).rejects.toThrow('cancelled')
  expect((await figures(null)).figures.size).toBe(0)
})
