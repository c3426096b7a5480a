import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { estimateClock } from './clock.ts'

const event = (sentMs: number | null, receivedMs: number): SessionEvent => ({
  uuid: 'e',
  event: 'e',
  distinctId: 'd',
  windowId: null,
  clientTime: new Date(0),
  sentAt: sentMs === null ? null : new Date(sentMs),
  receivedAt: new Date(receivedMs),
  currentUrl: null,
  elementsChain: '',
  properties: {},
})

const many = (count: number, offset: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => offset(i))

test.each<[string, number[] | null, SessionEvent[], object]>([
  ['nothing is known', null, [], { offsetMs: 0, spreadMs: 0, samples: 0 }],
  ['one message', [40], [], { offsetMs: 40, spreadMs: 0, samples: 1 }],
  ['two messages', [90, 40], [], { offsetMs: 40, spreadMs: 50, samples: 2 }],
  [
    'one slow upload of many changes nothing',
    [...many(50, (i) => 40 + i), 2100],
    [],
    { offsetMs: 40, spreadMs: 5, samples: 51 },
  ],
  [
    'a browser two hours behind',
    many(20, (i) => 7_200_000 + i * 10),
    [],
    { offsetMs: 7_200_000, spreadMs: 10, samples: 20 },
  ],
  [
    'events of one batch are one message',
    [50],
    [event(1000, 1040), event(1000, 1040), event(null, 5)],
    { offsetMs: 40, spreadMs: 10, samples: 2 },
  ],
])('%s', (_, offsets, events, expected) => {
  expect(estimateClock(offsets, events)).toEqual(expected)
})
