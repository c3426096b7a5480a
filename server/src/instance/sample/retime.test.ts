import { expect, test } from 'vitest'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { planTimeline, retime } from './retime.ts'

const morning = Date.parse('2026-03-04T10:00:00.250Z')
const evening = Date.parse('2026-03-04T10:01:00.000Z')
const until = Date.parse('2026-03-04T10:02:00.000Z')
const midnight = new Date('2027-06-07T00:00:00Z')
const timeline = planTimeline(
  [
    { recordedAt: morning, timeOfDay: '08:00:00' },
    { recordedAt: evening, timeOfDay: '19:30:15' },
  ],
  until,
  midnight,
)

test.each([
  [
    'milliseconds since 1970',
    `{"timestamp":${morning + 1500}}`,
    `{"timestamp":${Date.parse('2027-06-07T08:00:01.750Z')}}`,
  ],
  ['the same as a text', `{"first_ts":"${evening}"}`, `{"first_ts":"${Date.parse('2027-06-07T19:30:15Z')}"}`],
  [
    'seconds since 1970, to the last digit',
    '{"$time":1772618461.0025}',
    `{"$time":${Date.parse('2027-06-07T19:30:16Z') / 1000}.0025}`,
  ],
  ['its first second, told to the millisecond', '"2026-03-04T10:00:00.251Z"', '"2027-06-07T08:00:00.251Z"'],
  ['ISO 8601', '"2026-03-04T10:00:01.5Z"', '"2027-06-07T08:00:01.5Z"'],
  ['as ClickHouse writes it, in UTC', '"2026-03-04 10:01:02.125"', '"2027-06-07 19:30:17.125"'],
  ['as PostgreSQL writes it, to the microsecond', '"2026-03-04 10:01:02.123456+00"', '"2027-06-07 19:30:17.123456+00"'],
  ['in another zone, which it keeps', '2026-03-04T15:31:02+05:30', '2027-06-08T01:00:17+05:30'],
  [
    'JSON within JSON',
    '{"new":"{\\"created_at\\":\\"2026-03-04 10:01:00+00\\"}"}',
    '{"new":"{\\"created_at\\":\\"2027-06-07 19:30:15+00\\"}"}',
  ],
])('an instant of the recording moves to its scene’s time of the day: %s', (_, before, after) => {
  expect(retime(before, timeline)).toBe(after)
})

test.each([
  ['before the recording', '"2026-03-04T09:59:59.999Z"'],
  ['after it', `{"expires_at":${until + 1}}`],
  ['a longer number', `{"lsn":"1${morning}","bytes":${morning}0}`],
  ['a fraction', `0.${morning}`],
  ['a UUID of version 4', '"019cb1a5-3f0a-4000-8000-000000000001"'],
])('what is no instant of the recording stays: %s', (_, text) => {
  expect(retime(text, timeline)).toBe(text)
})

test('an id that holds its time moves with it, everywhere alike', () => {
  const id = uuidv7(evening + 1)
  const moved = retime(`["${id}","/sessions/${id}"]`, timeline)
  const [first = '', path] = JSON.parse(moved) as string[]
  expect(first).toBe(uuidv7(Date.parse('2027-06-07T19:30:15.001Z')).slice(0, 13) + id.slice(13))
  expect(path).toBe(`/sessions/${first}`)
})

test('what happened in one scene keeps its distances to the millisecond', () => {
  const texts = [0, 7, 1333, 20_250].map((ms) => new Date(evening + ms).toISOString())
  const moved = texts.map((text) => Date.parse(retime(text, timeline)))
  expect(moved.map((ms) => ms - (moved[0] ?? 0))).toEqual([0, 7, 1333, 20_250])
})
