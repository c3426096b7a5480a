import { expect, test } from 'vitest'
import { createReaches, readBack } from './read-back.ts'

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

const instantAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000)
const agoOf = (since: Date | null): number | null =>
  since === null ? null : (now.getTime() - since.getTime()) / 60_000

test('each look reaches twice as far as what was found lets expect, and the last one everything', async () => {
  for (const [perLook, expected] of [
    [[], [1, 16, 256, 4096, 65_536, 1_048_576, null]],
    [['a'], [1, 20, 400, 8000, 160_000, null]],
    [
      ['a', 'b', 'c', 'd', 'e'],
      [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, null],
    ],
  ] as const) {
    const asked: (number | null)[] = []
    const found = await readBack({
      limit: 10,
      from: now,
      find: async (since) => {
        asked.push(agoOf(since))
        return perLook
      },
    })
    expect(found).toEqual(perLook)
    expect(asked).toEqual(expected)
  }
})

test('the next page is looked for as far back as the last one was found, and half as far again', async () => {
  const reach = createReaches(instantAgo).of('pages', 'pages')
  const asked: (number | null)[] = []
  const page = async (...ages: readonly number[]): Promise<void> => {
    const find = async (since: Date | null): Promise<readonly number[]> => {
      asked.push(agoOf(since))
      return ages.filter((age) => age <= (agoOf(since) ?? Number.POSITIVE_INFINITY))
    }
    await readBack({ limit: 2, from: now, reach, find })
  }
  await page(10, 20)
  expect(asked.splice(0)).toEqual([1, 16, 64])
  await page(10, 20)
  expect(asked.splice(0)).toEqual([30])
  // More came since, and then nothing for long.
  await page(1, 2)
  expect(asked.splice(0)).toEqual([30])
  await page(2, 100)
  expect(asked.splice(0)).toEqual([3, 12, 48, 192])
  await page(5)
  expect(asked.splice(0)).toEqual([150, 600, 2400, 9600, 38_400, 153_600, 614_400, null])
  // Less than a page is all there is.
  await page(5, 6)
  expect(asked.splice(0)).toEqual([null])
  await page(5, 6)
  expect(asked.splice(0)).toEqual([9])
})

test('a kind of page that was not asked for yet is looked for as far back as a wider one was found', async () => {
  const reaches = createReaches(instantAgo)
  const asked: (number | null)[] = []
  const page = (kind: string, ...ages: readonly number[]) =>
    readBack({
      ...{ limit: 2, from: now, reach: reaches.of(kind, 'all') },
      find: async (since) => {
        asked.push(agoOf(since))
        return ages.filter((age) => age <= (agoOf(since) ?? Number.POSITIVE_INFINITY))
      },
    })
  await page('all', 10, 20)
  asked.length = 0
  await page('failed', 20, 110)
  expect(asked.splice(0)).toEqual([30, 120])
  // Each is looked for where it was found itself.
  await page('failed', 20, 110)
  await page('all', 10, 20)
  await page('slow', 10, 20)
  expect(asked.splice(0)).toEqual([165, 30, 30])
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
  expect(asked).toEqual([1, 4, 16, 30])
})
