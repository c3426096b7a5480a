import { type AnalyticsCase, batch, type Call, event, ok, type StoredEvent } from './case.ts'

const moment = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const at = (ms: number): string => new Date(moment + ms).toISOString()
const hour = 3_600_000
const timed = (words: string, call: Partial<Call>, stored: StoredEvent): AnalyticsCase => ({
  rule: `3.1 ${words}`,
  calls: [{ request: 'POST /e/', text: ok, ...call }],
  stored: { events: [stored] },
})
/** An event of one time in an envelope of another. */
const sent = (timestamp: unknown, sent_at: unknown, properties: object = {}): Partial<Call> => ({
  body: { ...batch(event(properties, { timestamp })), sent_at },
})

const rules: readonly AnalyticsCase[] = [
  timed('without a time it is our receipt', { body: batch(event()) }, { before_arrival: 0 }),
  timed('with timestamp and sent_at, their distance before our receipt', sent(at(-2000), at(0)), {
    ...{ before_arrival: 2000, client_time: '2026-01-02 03:04:03.678', sent_at: '2026-01-02 03:04:05.678' },
  }),
  timed('a clock an hour ahead is corrected', sent(at(hour - 500), at(hour)), { before_arrival: 500 }),
  timed('an event after its sending is in our future', sent(at(hour), at(0)), { before_arrival: -hour }),
  timed('with timestamp alone, as it is', sent(at(0), undefined), {
    ...{ timestamp: '2026-01-02 03:04:05.678', sent_at: null },
  }),
  timed('$ignore_sent_at lets it stand', sent(at(-2000), at(0), { $ignore_sent_at: true }), {
    timestamp: '2026-01-02 03:04:03.678',
  }),
  timed('$ignore_sent_at that is no truth is none', sent(at(-2000), at(0), { $ignore_sent_at: 'true' }), {
    before_arrival: 2000,
  }),
  timed(
    'with offset, so long before our receipt',
    { body: [event({ token: '~T' }, { offset: 2500 })] },
    {
      before_arrival: 2500,
    },
  ),
  timed(
    'timestamp counts before offset',
    { body: batch(event({}, { timestamp: at(0), offset: 2500 })) },
    {
      timestamp: '2026-01-02 03:04:05.678',
    },
  ),
  timed('an offset that is a text is none', { body: batch(event({}, { offset: '2500' })) }, { before_arrival: 0 }),
  timed('23 hours ahead are left', sent(at(23 * hour), at(0)), { before_arrival: -23 * hour }),
  timed('more than 23 hours ahead are our receipt', sent(at(23 * hour + 1), at(0)), { before_arrival: 0 }),
  timed('a timestamp of 2999 is our receipt', sent('2999-01-01T00:00:00Z', undefined), { before_arrival: 0 }),
  timed('a year before 0 is the epoch', sent(-62_167_219_200_001, undefined), {
    timestamp: '1970-01-01 00:00:00.000',
  }),
  timed('a time of long ago is stored as ClickHouse’s first', sent('0150-01-01T00:00:00Z', undefined), {
    timestamp: '1900-01-01 00:00:00.000',
  }),
  timed('before 1970 it is stored as it is', sent('1969-07-20T20:17:40Z', undefined), {
    timestamp: '1969-07-20 20:17:40.000',
  }),
]

const asRead = (words: string, timestamp: unknown, stored = '2026-01-02 03:04:05.678'): AnalyticsCase =>
  timed(`${words} is read`, sent(timestamp, undefined), { timestamp: stored })

const forms: readonly AnalyticsCase[] = [
  asRead('Z', '2026-01-02T03:04:05.678Z'),
  asRead('+hh:mm', '2026-01-02T05:04:05.678+02:00'),
  asRead('-hh:mm', '2026-01-01T21:34:05.678-05:30'),
  asRead('+hhmm', '2026-01-02T05:04:05.678+0200'),
  asRead('+hh', '2026-01-02T05:04:05.678+02'),
  asRead('no zone, as UTC,', '2026-01-02T03:04:05.678'),
  asRead('a space for the T', '2026-01-02 03:04:05.678'),
  asRead('microseconds', '2026-01-02T03:04:05.678901Z'),
  asRead('seconds', '2026-01-02T03:04:05Z', '2026-01-02 03:04:05.000'),
  asRead('minutes', '2026-01-02T03:04', '2026-01-02 03:04:00.000'),
  asRead('a date', '2026-01-02', '2026-01-02 00:00:00.000'),
  asRead('seconds since 1970', moment / 1000),
  asRead('whole seconds since 1970', 1_767_323_045, '2026-01-02 03:04:05.000'),
  asRead('milliseconds since 1970', moment),
  asRead('milliseconds since 1970 as a text', String(moment)),
  ...['yesterday', '', null, {}, true].map((timestamp) =>
    timed(`${JSON.stringify(timestamp)} is no time`, sent(timestamp, undefined), { before_arrival: 0 }),
  ),
]

const sending: readonly AnalyticsCase[] = [
  timed('sent_at is the envelope’s', sent(at(-1000), at(0)), { before_arrival: 1000 }),
  timed(
    'sent_at of one event is its own',
    { body: event({}, { api_key: '~T', timestamp: at(-1000), sent_at: at(0) }) },
    {
      before_arrival: 1000,
    },
  ),
  ...['sent_at', '_'].map((name) =>
    timed(
      `sent_at is ${name} of the address`,
      { request: `POST /e/?${name}=${moment}`, body: batch(event({}, { timestamp: at(-1000) })) },
      { before_arrival: 1000 },
    ),
  ),
  timed(
    'the envelope’s sent_at counts before that of the address',
    { request: `POST /e/?_=${moment - hour}`, ...sent(at(-1000), at(0)) },
    { before_arrival: 1000 },
  ),
  {
    rule: '3.1 sent_at of recordings is the first message’s',
    calls: [
      {
        request: 'POST /s/',
        body: [
          {
            ...{ uuid: '~uuid', event: '$snapshot', offset: 5, sent_at: at(0) },
            properties: {
              ...{ token: '~T', distinct_id: '~ada', $session_id: '~ses' },
              $snapshot_data: [{ type: 4, data: { href: 'https://a.test/' }, timestamp: moment - 5 }],
            },
          },
        ],
      },
    ],
    stored: { messages: [{ sent_at: moment, first_ts: moment - 5 }] },
  },
  {
    rule: '3.1 each event of a batch is corrected by itself',
    calls: [
      {
        request: 'POST /e/',
        body: {
          ...batch(event({}, { timestamp: at(-3000) }), event({}, { uuid: '~uuid2', timestamp: at(-1000) })),
          sent_at: at(0),
        },
      },
    ],
    stored: { events: [{ before_arrival: 3000 }, { before_arrival: 1000 }] },
  },
]

/** When an event was, on our clock (analytics §3, time correction). */
export const times: readonly AnalyticsCase[] = [...rules, ...forms, ...sending]
