import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject } from '../../../ground/json/object.ts'
import { parseEnvelope } from './envelope.ts'
import { findProperties } from './raw-properties.ts'

const eventsOf = (text: string): readonly unknown[] =>
  parseEnvelope(JSON.parse(text), { token: null, sentAt: null }).events

const find = (text: string): readonly (string | null)[] => findProperties(text, eventsOf(text).length)

test.each<[string, (string | null)[]]>([
  ['[{"event":"a","properties":{"b":1}},{"properties":{}}]', ['{"b":1}', '{}']],
  ['{"api_key":"k","batch":[{"properties":{"a":"}"}}],"sent_at":null}', ['{"a":"}"}']],
  ['{"batch":{"properties":{"a":[{"properties":{}}]}}}', ['{"a":[{"properties":{}}]}']],
  ['{"batch":null,"data":[{"properties":{"a":1}}]}', ['{"a":1}']],
  ['{"data":"x","event":"a","properties":{"a":1}}', ['{"a":1}']],
  ['{"event":"a"}', [null]],
  [' [ 1 , "properties" , { "properties" : { "a" : -1.50e+3 } } , [] ] ', [null, null, '{ "a" : -1.50e+3 }', null]],
  ['[{"properties":[1]},{"properties":"x"},{"properties":null}]', [null, null, null]],
  ['[{"properties":{"a":1},"properties":{"a":2}},{"properties":{},"properties":1}]', ['{"a":2}', null]],
  ['{"batch":[{"properties":{"a":1}}],"batch":[{"properties":{"a":2}}]}', ['{"a":2}']],
  ['[{"properties":{"a":"\\\\\\"\\\\"}}]', ['{"a":"\\\\\\"\\\\"}']],
  ['[{"properties":{"id":12345678901234567890}}]', ['{"id":12345678901234567890}']],
])('%s is kept word for word', (text, expected) => {
  expect(find(text)).toEqual(expected)
})

test.each([
  ['a line break between tokens', '[{"properties":{"a":\n1}}]'],
  ['a line break before an event', '[\n{"properties":{"a":1}}]'],
  ['a tab', '{"batch":\t[{"properties":{"a":1}}]}'],
  ['an escaped half of a surrogate pair', '[{"properties":{"a":"\\ud83d"}}]'],
  ['the same in capitals', '[{"properties":{"a":"\\uD83D"}}]'],
  ['an escaped name', '[{"propertie\\u0073":{"a":1},"properties":{"a":2}}]'],
  ['an escaped name of the list', '{"\\u0062atch":[{"properties":{"a":1}}]}'],
  ['nesting that ClickHouse may refuse', `[{"properties":{"a":${'['.repeat(300)}${']'.repeat(300)}}}]`],
])('%s is left to be written anew', (_what, text) => {
  expect(find(text)).toEqual([null])
})

const properties = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }))
const event = fc.record(
  {
    event: fc.string(),
    properties: fc.oneof({ weight: 5, arbitrary: properties }, fc.jsonValue()),
    extra: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const events = fc.array(fc.oneof({ weight: 5, arbitrary: event }, fc.jsonValue()), { minLength: 1 })
const body = fc.oneof(
  events,
  event,
  fc.record({ api_key: fc.string(), batch: events, sent_at: fc.string() }, { requiredKeys: ['batch'] }),
  fc.record({ batch: event, data: events, properties }),
  fc.record({ data: events, properties }),
)
const spaced = fc.tuple(body, fc.nat(4)).map(([value, spaces]) =>
  // Spaces, where `JSON.stringify` writes line breaks for a person to read.
  JSON.stringify(value, null, spaces).replaceAll('\n', spaces % 2 === 0 ? ' ' : ''),
)

test('what is found is what JSON.parse reads, whatever the body holds', () => {
  fc.assert(
    fc.property(spaced, (text) => {
      const parsed = eventsOf(text)
      const found = find(text)
      expect(found.length).toBe(parsed.length)
      parsed.forEach((one, index) => {
        const sent = isObject(one) ? one.properties : undefined
        const kept = found[index] ?? null
        if (kept !== null) expect(JSON.parse(kept)).toEqual(sent)
        else expect(isObject(sent) && !/\\/.test(text)).toBe(false)
      })
    }),
    { numRuns: 2_000 },
  )
})

test('no text makes it hang or throw, JSON or not', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n1a') })),
      fc.nat(3),
      (text, count) => {
        expect(findProperties(text, count)).toHaveLength(count)
      },
    ),
    { numRuns: 2_000 },
  )
})
