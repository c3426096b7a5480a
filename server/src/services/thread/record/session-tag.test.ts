import { describe, expect, test } from 'vitest'
import { createInferredLinks } from './inferred-links.ts'
import {
  analyticsCookieName,
  isOptedOut,
  optOutCookieName,
  readAnalyticsCookie,
  readBaggageTag,
  readCookies,
  readTracingHeaders,
} from './session-tag.ts'

const session = '0199a1b2-0000-7000-8000-000000000001'
const otherSession = '0199a1b2-0000-7000-8000-000000000002'
const window = '0199a1b2-0000-7000-8000-00000000000a'
const now = new Date('2026-03-01T12:00:00Z')
const minutesAgo = (minutes: number): number => now.getTime() - minutes * 60_000

describe('tracing headers', () => {
  test.each([
    [
      'all three',
      { 'x-posthog-session-id': session, 'x-posthog-window-id': window, 'x-posthog-distinct-id': 'd1' },
      [session, window, 'd1'],
    ],
    ['session alone', { 'x-posthog-session-id': session }, [session, null, null]],
    ['person alone', { 'x-posthog-distinct-id': 'ana@example.test' }, [null, null, 'ana@example.test']],
    [
      'a window without its session says nothing',
      { 'x-posthog-window-id': window, 'x-posthog-distinct-id': 'd1' },
      [null, null, 'd1'],
    ],
    [
      'a session of a wrong form',
      { 'x-posthog-session-id': "'; drop table", 'x-posthog-distinct-id': 'd1' },
      [null, null, 'd1'],
    ],
    [
      'a session too long',
      { 'x-posthog-session-id': 'a'.repeat(71), 'x-posthog-distinct-id': 'd1' },
      [null, null, 'd1'],
    ],
    [
      'the sentinel of cookieless mode is nobody',
      { 'x-posthog-session-id': session, 'x-posthog-distinct-id': '$posthog_cookieless' },
      [session, null, null],
    ],
  ])('%s', (_, headers, [sessionId, windowId, distinctId]) => {
    expect(readTracingHeaders(headers)).toEqual({ sessionId, windowId, distinctId, channel: 'header', exact: true })
  })

  test.each([
    ['none', {}],
    ['a person longer than 200', { 'x-posthog-distinct-id': 'd'.repeat(201) }],
    ['a person with a control character', { 'x-posthog-distinct-id': 'a\u0001b' }],
    ['a header sent twice', { 'x-posthog-session-id': [session, otherSession] }],
  ])('no tag: %s', (_, headers) => {
    expect(readTracingHeaders(headers)).toBeNull()
  })
})

describe('baggage', () => {
  test.each([
    ['the session alone', `session.id=${session}`, [session, null]],
    ['session and person', `clew.session_id=${session},clew.distinct_id=d1`, [session, 'd1']],
    ['a session of a wrong form', "session.id='; drop table,clew.distinct_id=d1", [null, 'd1']],
  ])('%s', (_, baggage, [sessionId, distinctId]) => {
    expect(readBaggageTag({ baggage })).toEqual({
      ...{ sessionId, distinctId, windowId: null },
      ...{ channel: 'header', exact: true },
    })
  })

  test.each([
    ['none', undefined],
    ['of others', 'userId=alice'],
    ['a person with a control character', 'clew.distinct_id=a%01b'],
  ])('no tag: %s', (_, baggage) => {
    expect(readBaggageTag({ baggage })).toBeNull()
  })
})

describe('the analytics cookie', () => {
  const names = ['phc_one', 'phc_two'].map(analyticsCookieName)
  const cookie = (state: unknown, token = 'phc_one') =>
    readCookies(`theme=dark; ph_${token}_posthog=${encodeURIComponent(JSON.stringify(state))}; other=1`)

  test('names session and person, never the tab', () => {
    const state = { distinct_id: 'd1', $sesid: [minutesAgo(2), session, minutesAgo(40)], $device_id: 'x' }
    expect(readAnalyticsCookie(cookie(state), names, now)).toEqual({
      sessionId: session,
      windowId: null,
      distinctId: 'd1',
      channel: 'cookie',
      exact: true,
    })
  })

  test.each([
    ['idle for more than 30 minutes', [minutesAgo(31), session, minutesAgo(40)]],
    ['longer than a day', [minutesAgo(1), session, minutesAgo(24 * 60 + 1)]],
    ['from a clock that runs ahead', [minutesAgo(-5), session, minutesAgo(1)]],
    ['reset', [0, null, 0]],
    ['not a session', 'x'],
  ])('a session that is %s is not taken; the person is', (_, $sesid) => {
    expect(readAnalyticsCookie(cookie({ distinct_id: 'd1', $sesid }), names, now)).toMatchObject({
      sessionId: null,
      distinctId: 'd1',
    })
  })

  test('of two tokens of one instance the one used last counts', () => {
    const older = cookie({ distinct_id: 'd1', $sesid: [minutesAgo(9), session, minutesAgo(9)] }, 'phc_one')
    const newer = cookie({ distinct_id: 'd2', $sesid: [minutesAgo(1), otherSession, minutesAgo(1)] }, 'phc_two')
    expect(readAnalyticsCookie(new Map([...newer, ...older]), names, now)?.distinctId).toBe('d2')
  })

  test('that of another project on the same host says nothing', () => {
    const state = { distinct_id: 'd1', $sesid: [minutesAgo(2), session, minutesAgo(40)] }
    expect(readAnalyticsCookie(cookie(state, 'phc_stranger'), names, now)).toBeNull()
  })

  test('a token’s signs that no cookie’s name may hold are spelled out, as posthog-js does', () => {
    expect(analyticsCookieName('a+b/c==')).toBe('ph_aPLbSLcEQEQ_posthog')
  })

  test.each([
    ['not JSON', 'ph_a_posthog=%7Bbroken'],
    ['badly encoded', 'ph_a_posthog=%E0%A4%A'],
    ['null', 'ph_a_posthog=null'],
    ['absent', 'a=b'],
  ])('no tag: %s', (_, header) => {
    expect(readAnalyticsCookie(readCookies(header), ['ph_a_posthog'], now)).toBeNull()
  })
})

describe('a browser that does not want to be followed', () => {
  const names = [optOutCookieName('phc_one')]
  test.each<[string, Record<string, string>, boolean, boolean]>([
    ['opted out, remembered in a cookie', { cookie: 'a=b; __ph_opt_in_out_phc_one=0' }, true, true],
    ['opted in', { cookie: '__ph_opt_in_out_phc_one=1' }, true, false],
    ['opted out of another project', { cookie: '__ph_opt_in_out_phc_two=0' }, true, false],
    ['Global Privacy Control', { 'sec-gpc': '1' }, true, true],
    ['Global Privacy Control, where it is set to be ignored', { 'sec-gpc': '1' }, false, false],
    ['nothing said', {}, true, false],
  ])('%s', (_, headers, respectsGpc, expected) => {
    expect(isOptedOut(headers, names, respectsGpc)).toBe(expected)
  })
})

describe('what is inferred from tagged calls', () => {
  const browser = '203.0.113.7 Mozilla/5.0'
  const seen = { authSessionId: 'auth-1', sessionId: session, distinctId: 'd1', programs: [browser], at: now }

  test('one recording of the auth session, from the same browser: exact, but the tab may be any', () => {
    const inferred = createInferredLinks(10)
    inferred.remember(seen)
    expect(inferred.recall('auth-1', now, browser)).toEqual({
      sessionId: session,
      windowId: null,
      distinctId: 'd1',
      channel: 'learnt',
      exact: true,
    })
    expect(inferred.recall('auth-2', now, browser)).toBeNull()
  })

  test.each([
    ['another program at the same address', '203.0.113.7 nightly-job/1.0'],
    ['another address', '198.51.100.9 Mozilla/5.0'],
  ])('a copied token, from %s: only probable', (_, program) => {
    const inferred = createInferredLinks(10)
    inferred.remember(seen)
    expect(inferred.recall('auth-1', now, program)).toMatchObject({ sessionId: session, exact: false })
  })

  test('a program that sent a tagged call itself is known', () => {
    const inferred = createInferredLinks(10)
    inferred.remember(seen)
    inferred.remember({ ...seen, programs: ['198.51.100.9 renderer'] })
    expect(inferred.recall('auth-1', now, '198.51.100.9 renderer')).toMatchObject({ exact: true })
  })

  test('two recordings: the latest, and only probable, until the other is half an hour old', () => {
    const inferred = createInferredLinks(10)
    inferred.remember({ ...seen, at: new Date(minutesAgo(20)) })
    inferred.remember({ ...seen, sessionId: otherSession })
    expect(inferred.recall('auth-1', now, browser)).toMatchObject({ sessionId: otherSession, exact: false })
    const later = new Date(minutesAgo(-11))
    expect(inferred.recall('auth-1', later, browser)).toMatchObject({ sessionId: otherSession, exact: true })
  })

  test('after half an hour nothing is known any more', () => {
    const inferred = createInferredLinks(10)
    inferred.remember(seen)
    expect(inferred.recall('auth-1', new Date(minutesAgo(-31)), browser)).toBeNull()
  })

  test('the memory is bounded: the auth session not seen for longest goes', () => {
    const inferred = createInferredLinks(2)
    for (const authSessionId of ['a', 'b', 'a', 'c']) inferred.remember({ ...seen, authSessionId })
    expect(['a', 'b', 'c'].filter((id) => inferred.recall(id, now, browser) !== null)).toEqual(['a', 'c'])
  })
})
