import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { test as base } from '../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../test/operator-actions.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { notesService, notesTables } from './index.ts'

const at = '2026-03-04T05:06:07.890Z'
const later = '2026-03-04T05:06:09.000Z'
const wanted = { sessionId: 's1', at, text: 'The basket is empty here.' }
const unknown = '00000000-0000-7000-8000-000000000000'

const test = base.extend('world', async ({ db }) => {
  await db.migrate('notes', notesTables.postgres)
  const open = async (role: OperatorRole, email: string) => {
    const { actions, log } = recordedActions(role)
    const now = () => new Date('2026-03-05T00:00:00Z')
    const { console } = notesService({ sql: db.admin, actions, now, newId: uuidv7, settings: { perSession: 2 } })
    const call = await consoleApp(async (app) => {
      app.addHook('onRequest', async (request) => request.setDecorator('operator', { email }))
      for (const part of console) await app.register(part)
    })
    return { call, log }
  }
  return { open }
})

test('a note stands at its moment, says who wrote it and when, and is in the audit log without its text', async ({
  world,
}) => {
  const { call, log } = await world.open('analyst', 'ann@team.test')
  await call('POST', '/notes', { ...wanted, at: later, text: 'Second' })
  const { status, body } = await call('POST', '/notes', wanted)
  expect(status).toBe(201)
  const { notes } = (await call('GET', '/notes?session=s1')).body
  expect(notes[0]).toEqual({
    ...wanted,
    ...{ id: body.id, createdBy: 'ann@team.test', createdAt: '2026-03-05T00:00:00.000Z', editedAt: null },
    ...{ isMine: true, canDelete: true },
  })
  expect(notes[1]).toMatchObject({ at: later, text: 'Second' })
  expect((await call('GET', '/notes?session=s2')).body).toEqual({ notes: [] })
  expect(log.at(-1)).toEqual({ name: 'note.create', target: `session s1 at ${at}` })
  expect(JSON.stringify(log)).not.toContain('basket')
})

test('its author changes and deletes it', async ({ world }) => {
  const { call, log } = await world.open('analyst', 'ann@team.test')
  const { id } = (await call('POST', '/notes', wanted)).body
  const changed = await call('PUT', `/notes/${id}`, { text: 'It was emptied before.' })
  expect(changed.body).toMatchObject({ text: 'It was emptied before.', editedAt: '2026-03-05T00:00:00.000Z' })
  expect((await call('DELETE', `/notes/${id}`)).status).toBe(204)
  expect((await call('GET', '/notes?session=s1')).body).toEqual({ notes: [] })
  expect(log.slice(1)).toEqual(['note.change', 'note.delete'].map((name) => ({ name, target: `session s1 at ${at}` })))
  expect((await call('DELETE', `/notes/${id}`)).body.code).toBe('CLEW_NOTES_NOT_FOUND')
  expect((await call('PUT', `/notes/${unknown}`, { text: 'a' })).body.code).toBe('CLEW_NOTES_NOT_FOUND')
})

test('another operator reads it, and neither changes nor deletes it; an owner deletes it', async ({ world }) => {
  const ann = await world.open('developer', 'ann@team.test')
  const { id } = (await ann.call('POST', '/notes', wanted)).body
  const other = await world.open('developer', 'bea@team.test')
  expect((await other.call('GET', '/notes?session=s1')).body.notes).toMatchObject([
    { id, isMine: false, canDelete: false },
  ])
  expect((await other.call('PUT', `/notes/${id}`, { text: 'no' })).body.code).toBe('CLEW_NOTES_NOT_YOURS')
  expect((await other.call('DELETE', `/notes/${id}`)).body.code).toBe('CLEW_NOTES_NOT_YOURS')
  expect(other.log).toEqual([])
  const owner = await world.open('owner', 'own@team.test')
  expect((await owner.call('GET', '/notes?session=s1')).body.notes).toMatchObject([{ isMine: false, canDelete: true }])
  expect((await owner.call('PUT', `/notes/${id}`, { text: 'no' })).body.code).toBe('CLEW_NOTES_NOT_YOURS')
  expect((await owner.call('DELETE', `/notes/${id}`)).status).toBe(204)
})

test('a session has only so many notes, and a note has words', async ({ world }) => {
  const { call } = await world.open('analyst', 'ann@team.test')
  for (const text of ['', '  \n ', 'a'.repeat(4001)])
    expect((await call('POST', '/notes', { ...wanted, text })).status).toBe(400)
  await call('POST', '/notes', wanted)
  await call('POST', '/notes', wanted)
  expect((await call('POST', '/notes', wanted)).body.code).toBe('CLEW_NOTES_TOO_MANY')
  expect((await call('POST', '/notes', { ...wanted, sessionId: 's2' })).status).toBe(201)
})

test('viewers neither read nor write notes', async ({ world }) => {
  const { call } = await world.open('viewer', 'vic@team.test')
  expect((await call('GET', '/notes?session=s1')).status).toBe(403)
  expect((await call('POST', '/notes', wanted)).status).toBe(403)
  expect((await call('PUT', `/notes/${unknown}`, { text: 'a' })).status).toBe(403)
  expect((await call('DELETE', `/notes/${unknown}`)).status).toBe(403)
})
