import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { estimateClock } from './clock.ts'
import { correlate } from './correlate.ts'
import { createNodeNameReader } from './node-names.ts'
import type { SessionRequest } from './places.ts'
import { createRecordingReader } from './rrweb.ts'

interface Captured {
  readonly uuid: string
  readonly event: string
  readonly timestamp: string
  readonly properties: Readonly<Record<string, unknown>>
}

interface Snapshot {
  readonly sent_at: number
  readonly properties: {
    readonly $window_id: string
    readonly $snapshot_data: readonly { readonly timestamp: number }[]
  }
}

type Entry = { readonly receivedAt: number } & (
  | { readonly path: `/e/${string}`; readonly body: { readonly batch: readonly Captured[]; readonly sent_at: string } }
  | { readonly path: `/s/${string}`; readonly body: readonly Snapshot[] }
)

const file = new URL('../../../../test/fixtures/recordings/order-form.json', import.meta.url)
const entries = JSON.parse(await readFile(file, 'utf8')) as readonly Entry[]

const isRecording = (entry: Entry): entry is Extract<Entry, { path: `/s/${string}` }> => entry.path.startsWith('/s/')
const isCapture = (entry: Entry): entry is Extract<Entry, { path: `/e/${string}` }> => entry.path.startsWith('/e/')
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const events: readonly SessionEvent[] = entries.filter(isCapture).flatMap(({ receivedAt, body }) =>
  body.batch.map(({ uuid, event, timestamp, properties }) => ({
    uuid,
    event,
    distinctId: String(properties.distinct_id),
    windowId: textOrNull(properties.$window_id),
    clientTime: new Date(timestamp),
    sentAt: new Date(body.sent_at),
    receivedAt: new Date(receivedAt),
    currentUrl: textOrNull(properties.$current_url),
    elementsChain: textOrNull(properties.$elements_chain) ?? '',
    properties,
  })),
)

test('what posthog-js recorded and captured of one visit is one timeline', () => {
  const reader = createRecordingReader({ idleGapMs: 15_000, limit: 1000 })
  const pages = createNodeNameReader(10_000_000)
  for (const { body } of entries.filter(isRecording))
    for (const { properties } of body) {
      const message = { windowId: properties.$window_id, offsetMs: 0, events: properties.$snapshot_data }
      reader.read(message)
      pages.read(message, JSON.stringify(message).length)
    }
  const recorded = reader.recorded()
  const clock = estimateClock(null, events)
  expect(clock.offsetMs).toBeLessThan(100)
  const startMs = Math.min(...events.map(({ clientTime }) => clientTime.getTime())) + clock.offsetMs

  const order = events.find(({ properties }) => properties.$el_text === 'Place order')
  const request: SessionRequest = {
    id: 'r1',
    at: new Date((order?.clientTime.getTime() ?? 0) + clock.offsetMs + 4).toISOString(),
    durationMs: 18,
    service: 'rest',
    method: 'POST',
    path: '/rest/v1/orders',
    query: '',
    status: 201,
    errorCode: null,
    rows: 1,
    requestBytes: 0,
    responseBytes: 0,
    windowId: order?.windowId ?? null,
    link: { channel: 'header', exact: true, foreign: false, why: null },
    statements: [],
    changes: [],
    sends: [],
    causeId: null,
    logs: [],
    reached: [],
  }
  const { moments, windows, truncated, keypresses } = correlate({
    startedAt: new Date(startMs),
    clock,
    recorded,
    events,
    names: pages.names(),
    requests: [request],
    frames: [],
    served: { traces: [], logs: [] },
    issues: new Map(),
    idleGapMs: 15_000,
    maxMoments: 1000,
  })
  // María and secret, a letter at a time.
  expect(keypresses).toBe(11)
  expect(moments.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
    'page /',
    'click name',
    'input Name',
    'click password',
    'input Password',
    'click Place order',
    'console order placed {"id":1}',
    'console Could not print the receipt',
    'page /orders/1',
    // Loaded anew.
    'page /orders/1',
    // A heading is no button: its name is from the recorded page.
    'click Order a coffee',
  ])
  expect(moments.filter(({ requests }) => requests.length > 0)).toEqual([
    expect.objectContaining({ label: 'Place order', requests: [expect.objectContaining({ id: 'r1' })] }),
  ])
  expect([windows.length, truncated]).toEqual([1, false])
})
