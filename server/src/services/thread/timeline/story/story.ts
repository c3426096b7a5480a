import type { SessionEvent } from '../../../../ground/model/session-event.ts'
import { correlate, type TimelineInput } from '../correlate.ts'
import type { SessionRequest } from '../places.ts'
import { createRecordingReader } from '../rrweb.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
/** The browser's clock is ten seconds behind. */
export const offsetMs = 10_000
const client = (atMs: number): number => start - offsetMs + atMs

export const rrweb = {
  click: (atMs: number) => ({ type: 3, timestamp: client(atMs), data: { source: 2, type: 2, id: 7 } }),
  move: (atMs: number) => ({ type: 3, timestamp: client(atMs), data: { source: 1, positions: [] } }),
  focus: (atMs: number, id: number) => ({ type: 3, timestamp: client(atMs), data: { source: 2, type: 5, id } }),
  blur: (atMs: number, id: number) => ({ type: 3, timestamp: client(atMs), data: { source: 2, type: 6, id } }),
  snapshot: (atMs: number) => ({ type: 2, timestamp: client(atMs), data: {} }),
  input: (atMs: number, id = 9) => ({ type: 3, timestamp: client(atMs), data: { source: 5, id, text: '***' } }),
  page: (atMs: number, path: string) => ({ type: 4, timestamp: client(atMs), data: { href: `http://a.test${path}` } }),
  moved: (atMs: number, path: string) => ({
    type: 5,
    timestamp: client(atMs),
    data: { tag: '$url_changed', payload: { href: `http://a.test${path}` } },
  }),
  log: (atMs: number, level: string, ...args: string[]) => ({
    type: 6,
    timestamp: client(atMs),
    data: { plugin: 'rrweb/console@1', payload: { level, payload: args, trace: [] } },
  }),
}

export const event = (
  atMs: number,
  name: string,
  properties: object = {},
  rest: Partial<SessionEvent> = {},
): SessionEvent => ({
  uuid: `e${atMs}`,
  event: name,
  distinctId: 'd1',
  windowId: 'w1',
  clientTime: new Date(client(atMs)),
  sentAt: null,
  receivedAt: new Date(start + atMs),
  currentUrl: null,
  elementsChain: '',
  properties: { ...properties },
  ...rest,
})

export const tapped = (atMs: number, text: string) =>
  event(atMs, '$autocapture', { $event_type: 'click', $el_text: text })

export const request = (atMs: number, rest: Partial<SessionRequest> = {}): SessionRequest => ({
  id: `r${String(atMs).padStart(6, '0')}`,
  at: new Date(start + atMs).toISOString(),
  durationMs: 20,
  service: 'rest',
  method: 'POST',
  path: '/rest/v1/orders',
  query: '',
  status: 201,
  errorCode: null,
  rows: 1,
  requestBytes: 0,
  responseBytes: 0,
  windowId: 'w1',
  link: { channel: 'header', exact: true, foreign: false, why: null },
  statements: [],
  changes: [],
  sends: [],
  causeId: null,
  logs: [],
  reached: [],
  ...rest,
})

type Tabs = Readonly<Record<string, readonly object[]>>

export interface Scene {
  readonly recorded?: readonly object[] | Tabs
  readonly events?: readonly SessionEvent[]
  readonly requests?: readonly SessionRequest[]
  readonly limits?: Partial<Pick<TimelineInput, 'maxMoments' | 'clock'>>
}

export function timeline({ recorded = [], events = [], requests = [], limits = {} }: Scene) {
  const reader = createRecordingReader({ idleGapMs: 15_000, limit: 1000 })
  const windows: Tabs = Symbol.iterator in recorded ? { w1: recorded } : recorded
  for (const [windowId, list] of Object.entries(windows)) reader.read({ windowId, offsetMs, events: list })
  return correlate({
    startedAt: new Date(start),
    clock: { offsetMs, spreadMs: 30, samples: 3 },
    recorded: reader.recorded(),
    events,
    names: new Map(),
    requests,
    frames: [],
    served: { traces: [], logs: [] },
    issues: new Map([['e900', 'i1']]),
    idleGapMs: 15_000,
    maxMoments: 100,
    ...limits,
  })
}

/** `click Pay @1000 ← 1010, 1100` a moment a line. */
export const story = (scene: Scene): readonly string[] =>
  timeline(scene).moments.map(({ kind, label, atMs, requests }) => {
    const caused = requests.map((one) => one.atMs).join(', ')
    return `${kind} ${label} @${atMs}${caused === '' ? '' : ` ← ${caused}`}`
  })
