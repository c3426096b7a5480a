import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../ground/model/session-event.ts'
import { findOldClient } from './old-client.ts'

const event = (properties: SessionEvent['properties']): SessionEvent => ({
  uuid: '01a20000-0000-7000-8000-000000000000',
  event: '$pageview',
  distinctId: 'd',
  windowId: null,
  clientTime: new Date(0),
  sentAt: null,
  receivedAt: new Date(0),
  currentUrl: null,
  elementsChain: '',
  properties,
})
const tied = (channel: 'header' | 'cookie') => ({ link: { channel, exact: true, foreign: false, why: null } })

test.each([
  ['1.379.9', '1.379.9'],
  ['1.29.0', '1.29.0'],
  ['0.999.0', '0.999.0'],
  ['1.380.0', null],
  ['1.434.18', null],
  ['2.0.0', null],
  ['not a version', null],
])('posthog-js %s is too old to tag requests: %s', (version, old) => {
  expect(findOldClient([event({ $lib: 'web', $lib_version: version })], [])).toBe(old)
})

test('what another library sent says nothing of the browser’s', () => {
  expect(findOldClient([event({ $lib: 'posthog-node', $lib_version: '1.1.0' }), event({})], [])).toBeNull()
})

test('a session whose requests are tagged needs nothing newer', () => {
  const events = [event({ $lib: 'web', $lib_version: '1.298.0' })]
  expect(findOldClient(events, [tied('cookie'), tied('header')])).toBeNull()
  expect(findOldClient(events, [tied('cookie')])).toBe('1.298.0')
})
