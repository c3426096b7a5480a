import { describe, expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { type CalendarSchedule, parseSchedule } from './parse.ts'

const calendar = (text: string): CalendarSchedule => {
  const schedule = parseSchedule(text)
  if (schedule?.kind !== 'calendar') throw new Error(`${text} is no calendar`)
  return schedule
}

describe('a schedule is read', () => {
  test.for([
    ['*/15 * * * *', 'minutes', [0, 15, 30, 45]],
    ['5-20/5,1 * * * *', 'minutes', [5, 10, 15, 20, 1]],
    ['07 * * * *', 'minutes', [7]],
    ['5; * * * *', 'minutes', [5]],
    ['* 22-2 * * *', 'hours', [22, 23, 0, 1, 2]],
    ['* 3-1 * * *', 'hours', []],
    ['* * 30-31 * *', 'days', [30, 31]],
    ['* * $ * *', 'days', []],
    ['* * * jan,DEC *', 'months', [1, 12]],
    ['* * * * Mon-Fri', 'weekdays', [1, 2, 3, 4, 5]],
    ['* * * * 7', 'weekdays', [7, 0]],
    ['  # nightly\n 0 3 * * * anything', 'hours', [3]],
    ['@weekly', 'weekdays', [0]],
    ['@yearly', 'months', [1]],
  ] as const)('%j: %s', ([text, field, values]) => {
    expect([...calendar(text)[field]]).toEqual(values)
  })

  test('with what its stars mean', () => {
    expect(calendar('0 0 13 * 5')).toMatchObject({ needsBothDays: false, isWild: false, lastDay: false })
    expect(calendar('0 0 */2 * 5')).toMatchObject({ needsBothDays: true })
    expect(calendar('0 * $ * *')).toMatchObject({ needsBothDays: true, isWild: true, lastDay: true })
  })

  test('as an interval, or as the start', () => {
    expect(parseSchedule('1 second')).toEqual({ kind: 'interval', seconds: 1 })
    expect(parseSchedule(' 059SECONDS ')).toEqual({ kind: 'interval', seconds: 59 })
    expect(parseSchedule('@reboot')).toEqual({ kind: 'start' })
  })
})

/** Texts that are nearly schedules, made of the pieces in which schedules go wrong. */
function* nearlySchedules(count: number): Generator<string> {
  const pieces =
    '* 0 1 5 7 12 23 24 31 32 59 60 099 - / , ; $ */2 */0 1-5 5-1 22-2 1-5/2 1/2 mon Sun jan x @daily'.split(' ')
  // A linear congruential generator (Numerical Recipes): every run has the cases of every other.
  let seed = 1
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * limit)
  }
  const field = (): string =>
    Array.from({ length: below(4) < 3 ? 1 : 1 + below(4) }, () => pieces[below(pieces.length)]).join(
      below(2) === 0 ? ',' : '',
    )
  for (let index = 0; index < count; index += 1) {
    const fields = Array.from({ length: below(8) === 0 ? below(7) : 5 }, () => (below(2) === 0 ? '*' : field()))
    yield fields.join([' ', ' ', ' ', '\t', '  ', '\n'][below(6)])
  }
}

const intervals = ['', ' ', '+', '-', '0', '07'].flatMap((sign) =>
  ['second', 'seconds', ' seconds ', ' Second', ' second ', ' seconds x', ' secondx', '\nseconds'].flatMap((unit) =>
    ['0', '1', '5', '59', '60', '99', ''].map((number) => `${sign}${number}${unit}`),
  ),
)

test('the extension accepts the schedules that are read here, and no others', async ({ db }) => {
  await db.load('create extension pg_cron')
  const others = [
    '#',
    '# x',
    '#\n* * * * *',
    '\n\n* * * * *',
    '@',
    '@daily x',
    '@dailyx',
    '*'.repeat(2000),
    '* * * * *\n',
  ]
  const texts = [...new Set([...nearlySchedules(20_000), ...intervals, ...others])]
  const { rows } = await db.owner.query<{ text: string; accepted: boolean }>({
    text: 'select text, cron.is_schedule(text) as accepted from unnest($1::text[]) text',
    values: [texts],
  })
  const differing = rows.filter(({ text, accepted }) => accepted !== (parseSchedule(text) !== null))
  expect(differing).toEqual([])
  expect(rows.filter(({ accepted }) => accepted).length).toBeGreaterThan(1000)
})
