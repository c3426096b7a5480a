import { expect, test } from 'vitest'
import { noOthers } from '../../../ground/model/topic.ts'
import { createQuota, parseAllowance } from './quota.ts'

test('a quota is spent in its window and is there again in the next', () => {
  let seconds = 0
  const quota = createQuota(
    parseAllowance('2') ?? null,
    'over_email_send_rate_limit',
    () => new Date(seconds * 1000),
    noOthers,
  )
  for (const at of [0, 1800]) {
    seconds = at
    quota.check()
    quota.spend()
  }
  expect(() => quota.check()).toThrow('email rate limit exceeded')
  expect(() => quota.spend()).toThrow('email rate limit exceeded')
  seconds = 3600
  expect(() => quota.spend()).not.toThrow()
})

test('an allowance says how many, and in which time', () => {
  expect(parseAllowance('0')).toEqual({ events: 0, windowMs: 3_600_000 })
  expect(parseAllowance('100/24h')).toEqual({ events: 100, windowMs: 86_400_000 })
  for (const raw of ['', '-1', '1/', '1/0s', '1/day', 'many']) expect(parseAllowance(raw)).toBeUndefined()
})
