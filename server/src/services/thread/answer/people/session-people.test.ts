import { describe, expect, test } from 'vitest'
import type { Claim, OwnSign, Seen, SessionEvidence, Stretch, Who } from './presence.ts'
import { peopleOf } from './session-people.ts'

const browser = 'Mozilla/5.0'
const second = (seconds: number): number => seconds * 1000

/** The recording or events of a tab, from one second to another. */
const sign = (from: number, to: number, rest: Partial<OwnSign> = {}): OwnSign => ({
  windowId: 'w1',
  distinctId: 'd1',
  userAgent: browser,
  fromMs: second(from),
  toMs: second(to),
  ...rest,
})

/** Calls of a user, or of nobody. */
const calls = (userId: string | null, from: number, to: number, rest: Partial<Claim> = {}): Seen => ({
  windowId: 'w1',
  distinctId: 'd1',
  userId,
  authSessionId: userId === null ? null : `${userId}-1`,
  userAgent: browser,
  fromMs: second(from),
  toMs: second(to),
  ...rest,
})

const people = (evidence: Partial<SessionEvidence>) =>
  peopleOf({
    own: [],
    seen: [],
    endedMs: new Map(),
    earlier: null,
    personOf: (distinctId) => ({ key: distinctId, userId: null }),
    ...evidence,
  })

const name = (who: Who): string => (who.kind === 'user' ? who.userId : who.kind === 'visitor' ? who.distinctId : '–')
/** `ana 0-20` a stretch; `?` where it is only probable. */
const story = (stretches: readonly Stretch[]): readonly string[] =>
  stretches.map(
    ({ who, fromMs, toMs, why }) => `${name(who)}${why === null ? '' : '?'} ${fromMs / 1000}-${toMs / 1000}`,
  )

describe('whose a session is', () => {
  test.each<[string, Partial<SessionEvidence>, readonly string[]]>([
    ['a visitor', { own: [sign(0, 60)], seen: [calls(null, 1, 50)] }, ['d1 0-60']],
    [
      'a visitor who signs in later was that person before',
      { own: [sign(0, 60)], seen: [calls(null, 1, 9), calls('ana', 20, 50)] },
      ['ana 0-60'],
    ],
    [
      'one signs out, another signs in: each their part, and nobody between them',
      {
        own: [sign(0, 60)],
        seen: [calls('ana', 2, 20), calls(null, 22, 28), calls('ben', 30, 55)],
        endedMs: new Map([['ana-1', second(20)]]),
      },
      ['ana 0-20', '– 20-30', 'ben 30-60'],
    ],
    [
      'one signs out, and nobody signs in',
      { own: [sign(0, 60)], seen: [calls('ana', 2, 20)], endedMs: new Map([['ana-1', second(20)]]) },
      ['ana 0-20', '– 20-60'],
    ],
    [
      'a switch of accounts without a sign-out',
      { own: [sign(0, 60)], seen: [calls('ana', 2, 20), calls('ben', 30, 55)] },
      ['ana 0-30', 'ben 30-60'],
    ],
    [
      'what looked like an end was none: the sign-in was seen again',
      { own: [sign(0, 60)], seen: [calls('ana', 2, 40)], endedMs: new Map([['ana-1', second(20)]]) },
      ['ana 0-60'],
    ],
    [
      'one who signs in anew without having left goes on',
      { own: [sign(0, 60)], seen: [calls('ana', 2, 20), calls('ana', 30, 50, { authSessionId: 'ana-2' })] },
      ['ana 0-60'],
    ],
    [
      'two tabs with two users at once, with one id of the browser',
      {
        own: [sign(0, 60), sign(10, 60, { windowId: 'w2' })],
        seen: [calls('ana', 2, 50), calls('ben', 12, 55, { windowId: 'w2' })],
      },
      ['ana 0-60', 'ben 12-60'],
    ],
    [
      'the browser was another’s before: who is there before the sign-in is not known',
      { own: [sign(0, 60)], seen: [calls('ben', 20, 50)], earlier: { userId: 'ana', signedOut: false } },
      ['– 0-20', 'ben 20-60'],
    ],
    [
      'the browser was theirs before',
      { own: [sign(0, 60)], seen: [calls('ana', 20, 50)], earlier: { userId: 'ana', signedOut: false } },
      ['ana 0-60'],
    ],
    [
      'who signed out yesterday is not here today',
      { own: [sign(0, 60)], earlier: { userId: 'ana', signedOut: true } },
      ['– 0-60'],
    ],
    [
      'who signed in yesterday probably is',
      {
        own: [sign(0, 60)],
        earlier: { userId: 'ana', signedOut: false },
        personOf: (key) => ({ key, userId: 'ana' }),
      },
      ['d1? 0-60'],
    ],
    [
      'one identified by the application, then another',
      {
        own: [sign(0, 60), sign(10, 30, { distinctId: 'customer-7' }), sign(30, 60, { distinctId: 'customer-8' })],
        personOf: (id) => ({ key: id === 'd1' ? 'customer-7' : id, userId: null }),
      },
      ['d1 0-30', 'customer-8 30-60'],
    ],
    [
      'without recording and events the person who came first',
      { seen: [calls('ana', 0, 30), calls('eve', 10, 12, { distinctId: 'd-eve' })] },
      ['ana 0-30'],
    ],
    [
      'only a renderer’s calls carried the sign-in: probable',
      { own: [sign(0, 60)], seen: [calls('ana', 2, 20, { userAgent: 'node' })] },
      ['ana? 0-60'],
    ],
    [
      'a renderer sent one header for many: none of them',
      {
        own: [sign(0, 60)],
        seen: ['ana', 'ben', 'cyd'].map((user, index) => calls(user, index, 20 + index, { userAgent: 'node' })),
      },
      ['d1 0-60'],
    ],
    [
      'a visitor without cookies, by the tab',
      {
        own: [sign(0, 60, { distinctId: 'cookieless_x' })],
        seen: [calls('ana', 2, 20, { distinctId: null })],
      },
      ['ana 0-60'],
    ],
  ])('%s', (_, evidence, stretches) => {
    expect(story(people(evidence).stretches)).toEqual(stretches)
  })
})

describe('a request with the id of another session changes nothing', () => {
  const own = [sign(0, 60)]
  const ana = calls('ana', 2, 50)
  test.each<[string, Seen]>([
    ['with an id of its own', calls('eve', 20, 20, { distinctId: 'd-eve' })],
    ['with an id of its own, before and after', calls('eve', 0, 60, { distinctId: 'd-eve' })],
    ['with the stolen id as well', calls('eve', 20, 20)],
    ['with the stolen id, again and again', calls('eve', 10, 58)],
    ['with the stolen id, from a tool', calls('eve', 55, 58, { userAgent: 'curl/8' })],
    ['with the stolen id and no tab', calls('eve', 20, 20, { windowId: null })],
    ['without any id', calls('eve', 55, 58, { distinctId: null, windowId: null })],
  ])('%s', (_, forged) => {
    const evidence = {
      own,
      seen: [ana, forged],
      personOf: (key: string) => ({ key, userId: key === 'd1' ? 'ana' : null }),
    }
    const { stretches, foreignWhy, whoSent } = people(evidence)
    expect(story(stretches)).toEqual(['ana 0-60'])
    expect(foreignWhy(forged)).toEqual(expect.any(String))
    expect(foreignWhy(ana)).toBeNull()
    // Whatever it claims, it is of its token's user.
    expect(name(whoSent(forged, forged.fromMs))).toBe('eve')
  })

  test('nor does one before the person has signed in', () => {
    const forged = calls('eve', 1, 1, { distinctId: 'd-eve' })
    expect(story(people({ own, seen: [forged, calls('ana', 20, 50)] }).stretches)).toEqual(['ana 0-60'])
  })

  test('an anonymous one is not the session’s person’s', () => {
    const forged = calls(null, 20, 20, { distinctId: 'd-eve' })
    const { foreignWhy, whoSent } = people({ own, seen: [ana, forged] })
    expect(foreignWhy(forged)).toEqual(expect.any(String))
    expect(whoSent(forged, second(20))).toEqual({ kind: 'visitor', distinctId: 'd-eve' })
  })
})

describe('who sent a request', () => {
  const evidence = {
    own: [sign(0, 90)],
    seen: [calls('ana', 2, 20), calls('ben', 30, 55), calls(null, 1, 80)],
    endedMs: new Map([
      ['ana-1', second(20)],
      ['ben-1', second(60)],
    ]),
  }
  test.each([
    ['before the sign-in', 1, null, 'ana'],
    ['while a user is signed in, without the token', 10, null, 'ana'],
    ['after the sign-out', 25, null, '–'],
    ['after the next sign-in', 40, null, 'ben'],
    ['after the last sign-out', 80, null, '–'],
    ['with a token, whenever', 25, 'ana', 'ana'],
  ])('%s', (_, at, userId, expected) => {
    expect(name(people(evidence).whoSent(calls(userId, at, at), second(at)))).toBe(expected)
  })

  test('of two tabs each has its own', () => {
    const tabs = people({
      own: [sign(0, 60), sign(0, 60, { windowId: 'w2' })],
      seen: [calls('ana', 2, 50), calls('ben', 3, 55, { windowId: 'w2' })],
    })
    expect(name(tabs.whoSent(calls(null, 30, 30), second(30)))).toBe('ana')
    expect(name(tabs.whoSent(calls(null, 30, 30, { windowId: 'w2' }), second(30)))).toBe('ben')
  })
})
