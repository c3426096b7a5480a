import { expect, test } from 'vitest'
import { session } from '../../../../test/answers.ts'
import type { Moment, SessionDetail } from '../../../lib/api/schemas.ts'
import { growDetail, newMomentsFrom } from './grow.ts'

const moment = (atMs: number, label: string): Moment => ({
  ...{ id: `m${atMs}`, kind: 'click', atMs, untilMs: null, at: session.startedAt, windowId: null, label },
  ...{ level: null, properties: null, requests: [], frame: null },
})
const detail = (moments: readonly Moment[], earlier = 0, offsetMs = 3): SessionDetail => ({
  ...{ session: { ...session, live: true }, windows: [], clock: { offsetMs, spreadMs: 0, samples: 4 } },
  ...{ oldClient: null, truncated: false, moments: [...moments], earlier },
})

const known = detail([moment(0, 'a'), moment(20_000, 'b'), moment(70_500, 'c')])

test('only the end of a live timeline is asked for, and put behind what is known', () => {
  expect(newMomentsFrom(known)).toBe(40_500)
  const answer = detail([moment(70_500, 'c, with its rows'), moment(80_000, 'd')], 2)
  const labels = growDetail(known, answer, 40_500)?.moments.map(({ label }) => label)
  expect(labels).toEqual(['a', 'b', 'c, with its rows', 'd'])
})

test.each([
  ['an earlier moment was added', detail([moment(70_500, 'c')], 3)],
  ['the browser’s clock is known better', detail([moment(70_500, 'c')], 2, 1)],
  ['the session is not live any more', { ...detail([moment(70_500, 'c')], 2), session }],
])('all of it is asked for when %s', (_, answer) => {
  expect(growDetail(known, answer, 40_500)).toBeNull()
})

test('all of a session that is over is asked for, and of one that is not known', () => {
  expect(newMomentsFrom({ ...known, session })).toBe(0)
  expect(growDetail(undefined, known, 0)).toBe(known)
})
