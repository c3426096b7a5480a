import { expect, test } from 'vitest'
import { readNamed } from './read-named.ts'

const last = new Date('2026-03-31T00:00:00Z')
const first = new Date('2026-03-01T00:00:00Z')
const dayMs = 24 * 60 * 60_000

/** How rows of some names were looked for: in which way, and how many days back. */
async function looks(rows: number, perLook: readonly string[]): Promise<readonly (readonly [string, number])[]> {
  const asked: (readonly [string, number])[] = []
  const look = (way: string) => async (since: Date) => {
    asked.push([way, (last.getTime() - since.getTime()) / dayMs])
    return perLook
  }
  const found = { rare: look('rare'), common: look('common') }
  await readNamed({ limit: 2, named: { rows, first, last }, commonRows: 1000, ...found })
  return asked
}

test('few rows of a name are read at once, more as far back as their number lets expect', async () => {
  expect(await looks(0, [])).toEqual([])
  expect(await looks(8, ['a'])).toEqual([['rare', 30]])
  expect(await looks(80, ['b', 'a'])).toEqual([['rare', 3]])
  expect(await looks(2400, ['b', 'a'])).toEqual([['common', 0.1]])
  expect(await looks(80, ['a'])).toEqual([
    ['rare', 3],
    ['rare', 12],
    ['rare', 30],
  ])
})
