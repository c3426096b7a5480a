import { expect, test } from 'vitest'
import { readBack } from './read-back.ts'

const now = new Date('2026-03-02T12:00:00Z')

test('what is found in the last minute is not looked for further back', async () => {
  const asked: (Date | null)[] = []
  const found = await readBack({
    limit: 2,
    from: now,
    find: async (since) => {
      asked.push(since)
      return ['b', 'a']
    },
  })
  expect(found).toEqual(['b', 'a'])
  expect(asked).toEqual([new Date('2026-03-02T11:59:00Z')])
})

test('each look reaches eight times as far, and the last one everything', async () => {
  const asked: (number | null)[] = []
  const found = await readBack({
    limit: 2,
    from: now,
    find: async (since) => {
      asked.push(since === null ? null : (now.getTime() - since.getTime()) / 60_000)
      return ['a']
    },
  })
  expect(found).toEqual(['a'])
  expect(asked).toEqual([1, 8, 64, 512, 4096, 32_768, 262_144, null])
})

test('it is read no further back than the first, and that once', async () => {
  const asked: (number | null)[] = []
  await readBack({
    limit: 2,
    from: now,
    first: new Date('2026-03-02T11:30:00Z'),
    find: async (since) => {
      asked.push(since === null ? null : (now.getTime() - since.getTime()) / 60_000)
      return ['a']
    },
  })
  expect(asked).toEqual([1, 8, 30])
})
