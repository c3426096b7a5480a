import { expect, test } from 'vitest'
import { pauseAfter } from './pause.ts'

test.each([
  ['a transaction of few rows never waits', { rows: 999, busyMs: 500, utilization: 1 }, 0],
  ['a backlog does not wait while no request comes', { rows: 5000, busyMs: 300, utilization: 0 }, 0],
  ['a backlog leaves a busy server two thirds of the time', { rows: 5000, busyMs: 300, utilization: 1 }, 600],
  ['and waits less for a server that is half idle', { rows: 5000, busyMs: 300, utilization: 0.5 }, 300],
  ['but at most a second for each part', { rows: 5000, busyMs: 60_000, utilization: 1 }, 1000],
])('%s', (_, { rows, busyMs, utilization }, pauseMs) => {
  expect(pauseAfter(rows, busyMs, utilization)).toBe(pauseMs)
})
