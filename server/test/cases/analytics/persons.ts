import { type AnalyticsCase, batch, type Call, capture, event, refusal, type Stored, type StoredEvent } from './case.ts'

const silent = { $process_person_profile: false }

const mode = (words: string, calls: readonly Call[], stored: Stored): AnalyticsCase => ({
  rule: `4 ${words}`,
  calls,
  stored: { events: calls.map(() => ({}) satisfies StoredEvent), ...stored },
})

const modes: readonly AnalyticsCase[] = [
  mode('$process_person_profile false makes no person', [capture(event({ ...silent, $set: { a: 1 } }))], {
    ...{ events: [{ person_profile: false }], persons: [] },
  }),
  mode(
    '$process_person_profile false changes no person',
    [
      capture(event({ $set: { plan: 'pro' } })),
      capture(event({ ...silent, $set: { plan: 'free' }, $unset: ['plan'] }, { uuid: '~uuid2', event: '$set' })),
    ],
    { persons: [{ ids: ['~ada'], properties: { plan: 'pro' } }] },
  ),
  ...[true, null, 0, 'false', undefined].map((value) =>
    mode(
      `$process_person_profile ${value === undefined ? 'that is missing' : JSON.stringify(value)} makes one`,
      [capture(event({ $process_person_profile: value, $set: { plan: 'pro' } }))],
      { events: [{ person_profile: true }], persons: [{ ids: ['~ada'], properties: { plan: 'pro' } }] },
    ),
  ),
  {
    rule: '4 events of an anonymous id are of the person who identifies themselves later',
    calls: [
      capture(event(silent, { distinct_id: '~bob' })),
      capture(event({ $anon_distinct_id: '~bob' }, { uuid: '~uuid2', event: '$identify' })),
    ],
    stored: {
      events: [{ distinct_id: '~bob', person_profile: false }, { distinct_id: '~ada' }],
      persons: [{ ids: ['~ada', '~bob'], isIdentified: true }],
    },
  },
]

const contradictory = ['$identify', '$create_alias', '$merge_dangerously', '$groupidentify'].flatMap(
  (name): readonly AnalyticsCase[] => {
    const said = {
      ...{ ...silent, $anon_distinct_id: '~bob', alias: '~bob', $set: { plan: 'pro' } },
      ...{ $group_type: 'company', $group_key: '~acm' },
    }
    return [
      {
        rule: `4 ${name} that asks for no person is refused`,
        calls: [
          { ...capture(event(said, { event: name })), status: 400, holds: refusal('CLEW_INGEST_BAD_EVENT') },
          {
            request: 'POST /i/v1/analytics/events',
            headers: { authorization: 'Bearer ~T' },
            body: { batch: [event(said, { event: name })] },
            json: { results: { '~uuid': { result: 'drop', details: 'contradictory' } } },
          },
        ],
        stored: { persons: [], groups: [] },
      },
      {
        rule: `4 ${name} that asks for no person does not harm its batch`,
        calls: [
          {
            request: 'POST /batch/',
            body: batch(event({ text: 'x'.repeat(10_000) }), event(said, { uuid: '~uuid2', event: name })),
          },
        ],
        stored: { events: [{ event: 'ordered' }], persons: [{ ids: ['~ada'], properties: {} }], groups: [] },
      },
    ]
  },
)

/** For whom there are persons (analytics §4). */
export const persons: readonly AnalyticsCase[] = [...modes, ...contradictory]
