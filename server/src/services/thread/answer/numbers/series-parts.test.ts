import { expect, test } from 'vitest'
import { planParts } from './series-parts.ts'

const at = (text: string): Date => new Date(`2026-03-04T${text}Z`)

test.each([
  ['fifteen minutes', at('10:00:00'), at('10:15:00'), 10_000],
  ['an hour', at('10:00:00'), at('11:00:00'), 30_000],
  ['an hour that begins within a part', at('10:00:01'), at('11:00:01'), 60_000],
  ['a day', at('00:00:00'), new Date('2026-03-05T00:00:00Z'), 15 * 60_000],
  ['a week', at('00:00:00'), new Date('2026-03-11T00:00:00Z'), 2 * 3_600_000],
  ['an instant', at('10:00:00'), at('10:00:00'), 1000],
  ['thirty years', new Date('1996-03-04T00:00:00Z'), at('00:00:00'), 93 * 86_400_000],
])('the parts of %s are round, cover it and are few', (_name, from, to, partMs) => {
  const parts = planParts(from, to)
  expect(parts.partMs).toBe(partMs)
  expect(parts.startMs % partMs).toBe(0)
  expect(parts.endMs % partMs).toBe(0)
  expect(parts.startMs).toBeLessThanOrEqual(from.getTime())
  expect(parts.endMs).toBeGreaterThanOrEqual(to.getTime())
  expect((parts.endMs - parts.startMs) / partMs).toBeLessThanOrEqual(120)
})
