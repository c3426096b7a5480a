import { expect } from 'vitest'
import { test, thrown } from '../../../test/issues-world.ts'
import type { ExceptionRecord } from '../../ground/errors/exception-record.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

const release = (name: string, one: ExceptionRecord): ExceptionRecord => ({
  ...one,
  properties: { ...one.properties, $release: name },
})

test('exceptions become issues, counted once however often they come', async ({ world: { store, call, clock } }) => {
  const at = clock.ms - minuteMs
  const first = release('v1', thrown(at))
  const other = thrown(at, { distinctId: 'd2', sessionId: 's2' })
  const third = thrown(at + 1000, {}, 'RangeError', 'far')
  await store(first, other, third)
  await store(first)
  await store(third, other)
  const { body } = await call('GET', '/errors')
  expect(body.issues).toMatchObject([
    { title: 'RangeError: far', culprit: 'RangeErrorThrower in cart.ts', events: 1, people: 1, state: 'open' },
    { title: 'TypeError: x of ann@a.test is 7', events: 2, people: 2, sessions: 2, firstRelease: 'v1' },
  ])
  expect(body).toMatchObject({ next: null, counts: { open: 2, resolved: 0, ignored: 0 }, releases: ['v1'] })
  expect(body.issues[1].parts.reduce((sum: number, part: number) => sum + part, 0)).toBe(2)
  const byEvents = (await call('GET', '/errors?sort=events&range=7d&limit=1')).body
  expect(byEvents.issues).toMatchObject([{ events: 2 }])
  expect((await call('GET', `/errors?sort=events&range=7d&limit=1&before=${byEvents.next}`)).body).toMatchObject({
    issues: [{ title: 'RangeError: far' }],
    next: null,
  })
  expect((await call('GET', '/errors?q=range&source=browser')).body.issues).toHaveLength(1)
  expect((await call('GET', '/errors?release=v2')).body.issues).toEqual([])
  expect((await call('GET', '/errors?before=nonsense')).body.code).toBe('CLEW_ISSUES_CURSOR')
})

test('exceptions of another instance are there once, however often they are brought along', async ({
  world: { issues, store, call, clock },
  clickhouse,
}) => {
  await store(thrown(clock.ms - minuteMs))
  const { id } = (await call('GET', '/errors')).body.issues[0]
  const time = new Date(clock.ms - 1000).toISOString()
  const statement = { text: 'select fingerprint from exceptions', parameters: {} }
  const [stored] = await clickhouse.query<{ fingerprint: string }>(statement)
  const row = JSON.stringify({
    id: 'theirs',
    client_time: time,
    time,
    received_at: time,
    ...stored,
    session_id: 's9',
    exceptions: '[]',
  })
  for (const _ of ['first', 'again']) await issues.importExceptions([row])
  const { exceptions } = (await call('GET', `/errors/${id}/exceptions`)).body
  expect(exceptions).toMatchObject([{ id: 'theirs', sessionId: 's9' }, { sessionId: 's1' }])
})

test('an issue tells its exceptions, what they share, and who met them', async ({ world: { store, call, clock } }) => {
  await store(release('v1', thrown(clock.ms - 2000)), thrown(clock.ms - 1000, { id: 'last', distinctId: 'd2' }))
  const { id } = (await call('GET', '/errors')).body.issues[0]
  const { body } = await call('GET', `/errors/${id}`)
  // Of thirty days the last is the one that is not over.
  const todayMs = Math.floor(clock.ms / dayMs) * dayMs
  expect(body).toMatchObject({
    issue: { id, events: 2, people: 2, parts: [...new Array(29).fill(0), 2] },
    daysFrom: new Date(todayMs - 29 * dayMs).toISOString(),
    releases: [{ value: 'v1', count: 1 }],
    browsers: [{ value: 'Chrome', count: 2 }],
    people: [{ distinctId: 'd2', events: 1 }, { distinctId: 'd1' }],
    history: [{ kind: 'created', operator: null }],
  })
  const page = (await call('GET', `/errors/${id}/exceptions?limit=1`)).body
  expect(page.exceptions).toMatchObject([{ id: 'last', sessionId: 's1' }])
  const next = (await call('GET', `/errors/${id}/exceptions?limit=1&before=${page.next}`)).body
  expect(next).toMatchObject({ exceptions: [{ release: 'v1' }], next: null })
  const latest = (await call('GET', `/errors/${id}/exceptions/latest`)).body
  expect(latest.exception.id).toBe('last')
  expect(latest.chain[0].frames[0]).toMatchObject({
    function: 'TypeErrorThrower',
    line: 3,
    context: { line: 'secret()' },
  })
  expect((await call('GET', `/errors/${id}/exceptions/none`)).body.code).toBe('CLEW_ISSUES_NO_EXCEPTION')
  expect((await call('GET', `/errors/${uuidv7()}`)).body.code).toBe('CLEW_ISSUES_NOT_FOUND')
})

test('the exceptions of a session know their issues', async ({ world: { issues, store, clock } }) => {
  const [mine, other] = [thrown(clock.ms), thrown(clock.ms, { sessionId: 's2' }, 'RangeError', 'too far')]
  await store(mine, other)
  const found = await issues.ofSession('s1', 10)
  expect([...found.keys()]).toEqual([mine.id])
  const met = await issues.ofPerson({ distinctIds: ['d1'], userId: null }, new Date(clock.ms), 10)
  expect(found.get(mine.id)).toBe(met.find(({ id }) => id === mine.id)?.issueId)
})

test('a resolved issue is opened by the next exception, or by one of a newer release; an ignored one never', async ({
  world: { store, call, clock, log },
}) => {
  await store(release('v1', thrown(clock.ms - minuteMs)))
  const { id } = (await call('GET', '/errors')).body.issues[0]
  const stateOf = async () => {
    const { state, cameBackAt } = (await call('GET', `/errors/${id}`)).body.issue
    return cameBackAt === null ? state : `${state}, came back`
  }
  expect((await call('PATCH', `/errors/${id}`, { state: 'resolved' })).status).toBe(204)
  // What happened before, and arrives late.
  await store(release('v1', thrown(clock.ms - 1000)))
  expect(await stateOf()).toBe('resolved')
  clock.ms += minuteMs
  await store(release('v1', thrown(clock.ms - 1000)))
  expect(await stateOf()).toBe('open, came back')
  await call('PATCH', `/errors/${id}`, { state: 'resolved', inNextRelease: true })
  clock.ms += minuteMs
  await store(release('v1', thrown(clock.ms - 1000)))
  expect(await stateOf()).toBe('resolved')
  const again = release('v2', thrown(clock.ms - 500))
  await store(again)
  await store(again)
  expect(await stateOf()).toBe('open, came back')
  expect((await call('GET', '/errors')).body.issues[0].cameBackAt).toBe(new Date(clock.ms).toISOString())
  await call('PATCH', `/errors/${id}`, { state: 'ignored', assigned: 'me' })
  clock.ms += minuteMs
  await store(release('v3', thrown(clock.ms)))
  const { issue, history } = (await call('GET', `/errors/${id}`)).body
  expect(issue).toMatchObject({ state: 'ignored', assignedTo: 'ann@team.test', firstRelease: 'v1', lastRelease: 'v3' })
  expect(history.map(({ kind }: { kind: string }) => kind)).toEqual([
    'assigned',
    'ignored',
    'reopened',
    'resolved',
    'reopened',
    'resolved',
    'created',
  ])
  expect(log.map(({ name }) => name)).toEqual(['error.change', 'error.change', 'error.change'])
})

test('merged issues are one from then on', async ({ world: { store, call, clock } }) => {
  await store(thrown(clock.ms - 3000), thrown(clock.ms - 2000, {}, 'RangeError', 'far'))
  const [range, type] = (await call('GET', '/errors')).body.issues
  expect((await call('POST', `/errors/${type.id}/merge`, { ids: [range.id, type.id] })).status).toBe(204)
  await store(thrown(clock.ms - 1000, {}, 'RangeError', 'far'))
  const { issues } = (await call('GET', '/errors?sort=people')).body
  expect(issues).toMatchObject([{ id: type.id, events: 3 }])
  expect((await call('GET', `/errors/${type.id}`)).body.history[0]).toMatchObject({
    kind: 'merged',
    details: 'RangeError: far',
  })
  expect((await call('GET', `/errors/${range.id}`)).status).toBe(404)
})

test('an exception was caught as what was thrown last was, whatever it was caused by', async ({
  world: { store, call, clock },
}) => {
  // As posthog-js sends what `captureException` is given: the cause says nothing of being caught.
  const $exception_list = [
    { type: 'Error', value: 'not paid', mechanism: { handled: true } },
    { type: 'TypeError', value: 'no items', mechanism: { handled: false } },
  ]
  await store(thrown(clock.ms, { properties: { $exception_list } }))
  const [{ id }] = (await call('GET', '/errors')).body.issues
  expect((await call('GET', `/errors/${id}/exceptions/latest`)).body.exception.handled).toBe(true)
})

test('rules group and ignore what comes after them', async ({ world: { issues, store, call, clock, log } }) => {
  const rules = [
    { name: 'Aborted', action: 'ignore', conditions: [{ field: 'type', operator: 'is', value: 'AbortError' }] },
    { name: 'The cart', action: 'group', conditions: [{ field: 'file', operator: 'contains', value: 'cart' }] },
  ]
  expect((await call('PUT', '/error-rules', { version: 1, rules })).body).toMatchObject({ version: 2, rules })
  expect(issues.suppression.rules()).toMatchObject([{ type: 'AND', values: [{ value: ['AbortError'] }] }])
  await store(thrown(clock.ms, {}, 'AbortError'), thrown(clock.ms), thrown(clock.ms, {}, 'RangeError'))
  expect((await call('GET', '/errors')).body.issues).toMatchObject([{ title: 'The cart', events: 2 }])
  expect((await call('GET', '/error-rules')).body).toMatchObject({ version: 2, rules })
  const many = { version: 2, rules: new Array(201).fill(rules[0]) }
  expect((await call('PUT', '/error-rules', many)).body.code).toBe('CLEW_ISSUES_TOO_MANY_RULES')
  expect(log).toEqual([
    { name: 'error.rules', target: '2 rules' },
    { name: 'error.rules', target: '201 rules' },
  ])
})

test('of two who change the rules at once one does; the other is refused, and is named the first', async ({
  world: { open, call },
}) => {
  const { call: bob } = await open('developer', 'bob@team.test')
  for (const n of Array.from({ length: 20 }, (_, round) => round)) {
    const { version } = (await call('GET', '/error-rules')).body
    const rule = { name: `rule ${n}`, action: 'ignore', conditions: [{ field: 'type', operator: 'is', value: 'A' }] }
    const change = (as: typeof call, rules: readonly object[]) => as('PUT', '/error-rules', { version, rules })
    const changed = await Promise.all([change(call, [rule]), change(bob, [])])
    expect(changed.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [won, refused] = changed[0].status === 200 ? changed : changed.toReversed()
    expect(refused?.body.code).toBe('CLEW_ISSUES_RULES_CHANGED')
    expect(refused?.body.message).toMatch(
      won === changed[0] ? /^ann@team\.test changed the rules meanwhile, at / : /^bob@team\.test changed the rules/,
    )
    expect((await bob('GET', '/error-rules')).body).toEqual(won?.body)
  }
})

test('failed requests and exceptions of functions are issues, too', async ({ world: { issues, call } }) => {
  const text = 'Error: no stock of 7\n    at pay (file:///tmp/run/a1/pay/index.ts:3:9)'
  const line = {
    at: new Date(),
    name: 'pay',
    version: '1',
    executionId: 'x',
    requestId: 'r1',
    kind: 'exception',
    level: 'error',
    text,
  } as const
  const tag = { sessionId: 's1', windowId: null, distinctId: 'd1', channel: 'header', exact: true } as const
  issues.functionLogged(line, tag)
  issues.functionLogged({ ...line, kind: 'log' }, null)
  await issues.settled()
  const [found] = (await call('GET', '/errors')).body.issues
  expect(found).toMatchObject({
    title: 'Error: no stock of 7',
    culprit: 'pay in pay/index.ts',
    source: 'function',
    events: 1,
  })
  expect((await call('GET', `/errors/${found.id}/exceptions`)).body.exceptions).toMatchObject([
    { requestId: 'r1', sessionId: 's1' },
  ])
})

test('analysts see no values, viewers nothing, and neither changes anything', async ({
  world: { store, call, open, clock },
}) => {
  await store(thrown(clock.ms))
  const { id } = (await call('GET', '/errors')).body.issues[0]
  const analyst = await open('analyst')
  const seen = [
    await analyst.call('GET', '/errors'),
    await analyst.call('GET', `/errors/${id}`),
    await analyst.call('GET', `/errors/${id}/exceptions/latest`),
  ]
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(JSON.stringify(seen)).toContain('x of <email> is <number>')
  for (const secret of ['ann@a.test', 'secret()']) expect(JSON.stringify(seen)).not.toContain(secret)
  const viewer = await open('viewer')
  for (const path of [
    '/errors',
    `/errors/${id}`,
    `/errors/${id}/exceptions`,
    `/errors/${id}/exceptions/latest`,
    '/error-rules',
  ])
    expect((await viewer.call('GET', path)).status).toBe(403)
  for (const { call: as } of [analyst, viewer]) {
    expect((await as('PATCH', `/errors/${id}`, { state: 'resolved' })).status).toBe(403)
    expect((await as('POST', `/errors/${id}/merge`, { ids: [id] })).status).toBe(403)
    expect((await as('PUT', '/error-rules', { version: 1, rules: [] })).status).toBe(403)
  }
})

test('a row that no engine takes stands in no other’s way', async ({ world: { store, call, clock } }) => {
  await store(
    thrown(clock.ms, { timeMs: 1e300, clientTimeMs: -1e300 }, 'A\0\ud800Error'),
    thrown(Number.NaN as number, { properties: { $exception_list: 'x', $release: '\0' } }),
    thrown(clock.ms, {}, 'RangeError'),
  )
  const titles = (await call('GET', '/errors?limit=10')).body.issues.map(({ title }: { title: string }) => title)
  expect(titles).toContain('RangeError: x of ann@a.test is 7')
})
