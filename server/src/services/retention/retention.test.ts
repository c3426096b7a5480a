import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { test as base } from '../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { createRetention, retentionService, retentionTables } from './index.ts'

const now = new Date('2026-03-05T00:00:00.000Z')
const person = '0199a1b2-0000-4000-8000-0000000000aa'
const user = '0199a1b2-0000-4000-8000-00000000000a'
const stranger = '0199a1b2-0000-4000-8000-0000000000bb'
const session = { subject: { kind: 'session', id: 's1' }, reason: 'Claim 12', until: null }

const test = base.extend('open', async ({ db, clickhouse }) => {
  await db.migrate(retentionTables.name, retentionTables.postgres)
  return async (role: OperatorRole) => {
    const { actions, log } = recordedActions(role)
    const settings = { sessionsWithErrorsDays: 90, maxHolds: 3 }
    const deps = {
      ...{ sql: db.admin, clickhouse, tables: [], settings, newId: uuidv7, now: () => now },
      findPerson: async (key: { personId: string } | { userId: string }) =>
        'personId' in key && key.personId === person ? { personId: person, userId: user, distinctIds: ['a'] } : null,
    }
    const { console } = retentionService(createRetention(deps), actions, deps)
    const call = await consoleApp(async (app) => {
      app.addHook('onRequest', async (request) => request.setDecorator('operator', { email: 'own@team.test' }))
      for (const part of console) await app.register(part)
    })
    return { call, log }
  }
})

test('an owner places a hold, which says why, by whom and until when, and ends it with a reason; both are in the audit log', async ({
  open,
}) => {
  const { call, log } = await open('owner')
  const until = '2026-09-01T00:00:00.000Z'
  const { status, body } = await call('POST', '/retention/holds', { ...session, until })
  expect(status).toBe(201)
  const placed = {
    ...{ ...session, until, id: body.id, createdBy: 'own@team.test', createdAt: now.toISOString(), isOpen: true },
    ...{ endedAt: null, endedBy: null, endReason: null },
  }
  expect(body).toEqual(placed)
  expect((await call('GET', '/retention')).body).toEqual({ sessionsWithErrorsDays: 90, holds: [placed] })
  const ended = await call('POST', `/retention/holds/${body.id}/end`, { reason: 'Settled' })
  const end = { isOpen: false, endedAt: now.toISOString(), endedBy: 'own@team.test', endReason: 'Settled' }
  expect(ended.body).toEqual({ ...placed, ...end })
  expect((await call('POST', `/retention/holds/${body.id}/end`, { reason: 'x' })).body.code).toBe(
    'CLEW_RETENTION_HOLD_ENDED',
  )
  expect(log.slice(0, 2)).toEqual([
    { name: 'hold.place', target: `session s1 (hold ${body.id})` },
    { name: 'hold.end', target: `session s1 (hold ${body.id})` },
  ])
  expect(JSON.stringify(log)).not.toContain('Claim')
})

test('a hold is on a person, a user or a span as well, and on nobody who is unknown', async ({ open }) => {
  const { call } = await open('owner')
  const place = async (subject: object) =>
    (await call('POST', '/retention/holds', { subject, reason: 'Claim 12', until: null })).body
  expect((await place({ kind: 'person', id: person })).subject).toEqual({ kind: 'person', id: person })
  expect((await place({ kind: 'user', id: stranger })).subject).toEqual({ kind: 'user', id: stranger })
  expect((await place({ kind: 'person', id: stranger })).code).toBe('CLEW_RETENTION_PERSON_NOT_FOUND')
  const span = { kind: 'span', from: '2026-01-01T00:00:00.000Z', to: null }
  expect((await place(span)).subject).toEqual(span)
  expect((await place({ ...span, to: '2025-01-01T00:00:00.000Z' })).code).toBe('CLEW_RETENTION_SPAN')
  expect((await place(span)).code).toBe('CLEW_RETENTION_TOO_MANY')
})

test('what is no hold is refused', async ({ open }) => {
  const { call } = await open('owner')
  for (const wrong of [
    { ...session, reason: ' ' },
    { ...session, reason: 'a'.repeat(2001) },
    { ...session, subject: { kind: 'session', id: '' } },
    { ...session, subject: { kind: 'person', id: 'ada' } },
    { ...session, subject: { kind: 'everything' } },
    { ...session, until: 'tomorrow' },
  ])
    expect([wrong, (await call('POST', '/retention/holds', wrong)).status]).toEqual([wrong, 400])
  expect((await call('POST', '/retention/holds', { ...session, until: now.toISOString() })).body.code).toBe(
    'CLEW_RETENTION_SPAN',
  )
  const end = await call('POST', `/retention/holds/${stranger}/end`, { reason: 'x' })
  expect(end.body.code).toBe('CLEW_RETENTION_HOLD_NOT_FOUND')
})

test('all but viewers see holds, and only owners place and end them', async ({ open }) => {
  const owner = await open('owner')
  const { id } = (await owner.call('POST', '/retention/holds', session)).body
  for (const [role, sees] of [
    ['developer', 200],
    ['analyst', 200],
    ['viewer', 403],
  ] as const) {
    const { call, log } = await open(role)
    expect([role, (await call('GET', '/retention')).status]).toEqual([role, sees])
    expect([role, (await call('POST', '/retention/holds', session)).status]).toEqual([role, 403])
    expect([role, (await call('POST', `/retention/holds/${id}/end`, { reason: 'x' })).status]).toEqual([role, 403])
    expect(log).toEqual([])
  }
})
