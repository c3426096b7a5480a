import { expect, test } from 'vitest'
import type { SessionDetail } from '../schemas/session.ts'
import { event, request, rrweb, timeline } from '../timeline/story/story.ts'
import { shareSession } from './shared-view.ts'

const secret = 'ana@example.test'
const change = {
  ...{ id: '1', at: '2026-03-01T12:00:00.000Z', schema: 'public', table: 'orders', operation: 'insert' as const },
  ...{ key: { id: secret }, old: null, new: { mail: secret }, columns: [] },
}
const send = {
  ...{ kind: 'request', id: '1', name: null, method: 'POST', url: `https://hook.test/${secret}`, state: 'answered' },
  ...{ at: '2026-03-01T12:00:00.000Z', status: 200, error: null },
}
const log = { id: 'l', at: '2026-03-01T12:00:00.000Z', kind: 'log', level: 'info', text: secret }

const told = timeline({
  recorded: [rrweb.page(0, '/menu'), rrweb.click(1000), rrweb.log(2000, 'log', secret)],
  events: [
    event(900, '$exception', { $exception_list: [{ type: 'Error', value: secret }] }),
    event(3000, 'paid', { to: secret }),
  ],
  requests: [
    // Parts that this test does not read are left out of `send` and `log`.
    request(1010, { query: `mail=eq.${secret}`, changes: [change], sends: [send as never], logs: [log as never] }),
    request(9000, { link: { channel: 'header', exact: false, foreign: true, why: `of ${secret}` } }),
  ],
})

const person = { distinctId: 'd', personId: 'p', userId: 'u', email: secret, name: 'Ana' }
// What the list tells of a session is not read here but for its person.
const detail = {
  ...told,
  ...{ session: { person, people: [{ person }], city: secret }, clock: {}, oldClient: null, earlier: 0 },
} as unknown as SessionDetail

const kinds = (lanes: Parameters<typeof shareSession>[1]['lanes'], values = false) =>
  shareSession(detail, { lanes, values, person: false }).moments.map(({ kind }) => kind)

test('a link shows the lanes that were chosen, and pages', () => {
  expect(kinds([])).toEqual(['page'])
  expect(kinds(['clicks'])).toEqual(['page', 'click', 'event'])
  expect(kinds(['console'])).toEqual(['page', 'exception', 'console'])
})

test('rows and their requests are shown where both were chosen, and no stranger’s call', () => {
  const requests = (lanes: Parameters<typeof kinds>[0]) =>
    shareSession(detail, { lanes, values: true, person: true }).moments.flatMap((moment) => moment.requests)
  expect(requests(['clicks', 'api']).map(({ changes }) => changes.length)).toEqual([0])
  expect(requests(['clicks', 'api', 'rows']).map(({ changes }) => changes.length)).toEqual([1])
  expect(requests(['clicks', 'rows'])).toEqual([])
})

test('without values and person, neither stands anywhere in what is sent', () => {
  const shown = shareSession(detail, { lanes: ['clicks', 'api', 'rows', 'live'], values: false, person: false })
  expect(JSON.stringify(shown)).not.toContain(secret)
  expect(shown.session).toMatchObject({ person: { userId: null, email: null, name: null }, people: [] })
})

test('hosts that were called and the way into this instance are never shown', () => {
  const shown = JSON.stringify(
    shareSession(detail, { lanes: ['clicks', 'api', 'rows', 'live', 'console'], values: true, person: true }),
  )
  expect(shown).not.toContain('hook.test')
  expect(shown).not.toContain('issueId')
  expect(shown).toContain(secret)
})
