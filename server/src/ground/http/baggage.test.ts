import { expect, test } from 'vitest'
import { readBaggage } from './baggage.ts'

test.for<
  readonly [what: string, header: string | string[] | undefined, sessionId: string | null, distinctId: string | null]
>([
  ['the name of the conventions', 'session.id=s1', 's1', null],
  ['our own names', 'clew.session_id=s1,clew.distinct_id=d1', 's1', 'd1'],
  [
    'members of others, space and properties',
    'userId=alice , session.id = s1 ; ttl=3;x , isProduction=false',
    's1',
    null,
  ],
  ['percent-encoded', 'clew.distinct_id=ana%40example.test', null, 'ana@example.test'],
  ['a header that came twice', ['a=b', 'session.id=s1'], 's1', null],
  ['of two the first', 'session.id=s1,session.id=s2', 's1', null],
  ['an equals sign in the value', 'session.id=s1=2', 's1=2', null],
  ['badly encoded', 'session.id=%E0%A4%A', null, null],
  ['empty', 'session.id=', null, null],
  ['no pair', 'session.id', null, null],
  ['names are told apart by their case', 'Session.Id=s1', null, null],
  ['none', undefined, null, null],
  ['longer than is passed on', `session.id=s1,a=${'b'.repeat(8192)}`, null, null],
])('%s', ([, header, sessionId, distinctId]) => {
  expect(readBaggage(header)).toEqual({ sessionId, distinctId })
})
