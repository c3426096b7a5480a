import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { ExportRun, ScheduledExport } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const done: ExportRun = {
  ...{ id: '2', askedBy: null, until: at, state: 'done', writing: null, retryAt: null, startedAt: at, endedAt: at },
  kinds: [
    { kind: 'events', files: 2, rows: 600_000, bytes: 9_000_000 },
    { kind: 'requests', files: 0, rows: 0, bytes: 0 },
    { kind: 'recordings', files: 1, rows: 21_300, bytes: 1_000_000 },
  ],
  ...{ error: null, attemptsFailed: 2, lastFailure: 'The bucket was full.' },
}
const waiting: ExportRun = {
  ...{ ...done, id: '3', askedBy: 'ada@x.test', state: 'waiting', retryAt: at, endedAt: null, kinds: [] },
  ...{ error: 'The bucket is gone.', attemptsFailed: 1, lastFailure: 'The bucket is gone.' },
}
const lake: ScheduledExport = {
  ...{
    id: '00000000-0000-4000-8000-000000000001',
    name: 'To the lake',
    kinds: ['events', 'requests'],
    format: 'parquet',
  },
  ...{ schedule: '30 3 * * *', scheduleWords: 'at 03:30 every day', endpoint: 'https://s3.x.test', region: 'local' },
  ...{ bucket: 'lake', prefix: 'clew/shop', pathStyle: true, accessKeyId: 'key', paused: false, nextAt: at },
  ...{ createdAt: at, createdBy: 'ada@x.test', version: 3, updatedAt: at, updatedBy: 'bob@x.test' },
  lastRun: waiting,
}
const sent: unknown[] = []
const keep = async (request: Request) => {
  sent.push(await request.json())
  return Response.json(lake, { status: request.method === 'POST' ? 201 : 200 })
}
const answers: Answers = {
  ...signedIn,
  '/console/api/exports': { get: { exports: [lake] }, post: keep },
  '/console/api/exports/{id}': { put: keep, delete: null },
  '/console/api/exports/{id}/runs': { get: { runs: [waiting, done], next: null }, post: null },
  '/console/api/exports/{id}/pause': { post: null },
  '/console/api/exports/test': {
    post: async (request) => {
      sent.push(await request.json())
      return Response.json({ ok: false, detail: 'The bucket is gone.' })
    },
  },
}

test('an export opens beside the list with its runs: what they wrote, and why one is tried again', async () => {
  const { at: place } = openConsole('/settings/exports', answers)
  const list = within(await screen.findByRole('table', { name: 'Exports' }))
  await userEvent.click(list.getByText('To the lake'))
  await expect.poll(place).toBe(`/settings/exports?export=${lake.id}`)
  const drawer = within(await screen.findByRole('dialog', { name: 'To the lake' }))
  const runs = within(await drawer.findByRole('list', { name: 'Runs' }))
  expect(runs.getByText(/600,000/).closest('p')?.textContent).toBe(
    '600,000 events, 21,300 messages of recordings, 3 files, 10 MB',
  )
  expect(drawer.getByText('by bob@x.test')).toBeTruthy()
  expect(runs.getByText(/The bucket is gone\./)).toBeTruthy()
  expect(runs.getByText('After 2 failed attempts: The bucket was full.')).toBeTruthy()
  expect(drawer.getByText('lake/clew/shop')).toBeTruthy()
})

test('an export runs now, is paused, and is removed after a question', async () => {
  const { asked } = openConsole(`/settings/exports?export=${lake.id}`, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Run now' }))
  await expect.poll(() => asked).toContain(`POST /exports/${lake.id}/runs`)
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  await expect.poll(() => asked).toContain(`POST /exports/${lake.id}/pause`)
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  const question = within(await screen.findByRole('dialog', { name: 'Remove the export?' }))
  await userEvent.click(question.getByRole('button', { name: 'Remove' }))
  await expect.poll(() => asked).toContain(`DELETE /exports/${lake.id}`)
})

test('a new export is tested and made; an edited one keeps its secret', async () => {
  sent.length = 0
  openConsole('/settings/exports', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'New export' }))
  const form = within(await screen.findByRole('dialog', { name: 'New export' }))
  await userEvent.type(form.getByLabelText('Name'), 'Hourly')
  await userEvent.click(form.getByRole('button', { name: 'persons' }))
  await userEvent.selectOptions(form.getByRole('combobox', { name: 'When' }), 'Every hour')
  await userEvent.type(form.getByLabelText('Server'), 'https://s3.x.test')
  await userEvent.type(form.getByLabelText('Bucket'), 'lake')
  await userEvent.type(form.getByLabelText('Access key'), 'key')
  await userEvent.type(form.getByLabelText('Its secret'), 'hidden')
  await userEvent.click(form.getByRole('button', { name: 'Test the connection' }))
  await form.findByText('The bucket is gone.')
  await userEvent.click(form.getByRole('button', { name: 'Create the export' }))
  await expect.poll(() => screen.queryByRole('dialog', { name: 'New export' })).toBeNull()
  const place = {
    ...{ endpoint: 'https://s3.x.test', region: 'us-east-1', bucket: 'lake', prefix: '', pathStyle: true },
    ...{ accessKeyId: 'key', secretAccessKey: 'hidden' },
  }
  expect(sent).toEqual([
    place,
    { name: 'Hourly', kinds: ['events'], format: 'parquet', schedule: '0 * * * *', ...place },
  ])
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const edit = within(await screen.findByRole('dialog', { name: 'Edit To the lake' }))
  await userEvent.selectOptions(edit.getByRole('combobox', { name: 'When' }), 'As cron…')
  await userEvent.clear(edit.getByLabelText('Schedule'))
  await userEvent.type(edit.getByLabelText('Schedule'), '15 * * * *')
  await userEvent.click(edit.getByRole('button', { name: 'Save' }))
  await expect.poll(() => sent.length).toBe(3)
  expect(sent[2]).toMatchObject({ version: 3, export: { schedule: '15 * * * *', bucket: 'lake' } })
  expect(sent[2]).not.toHaveProperty('export.secretAccessKey')
})

test('a change of what another operator has changed is refused, says so, and is saved with theirs', async () => {
  let stored = lake
  const bodies: unknown[] = []
  openConsole(`/settings/exports?export=${lake.id}`, {
    ...answers,
    '/console/api/exports': { get: () => Response.json({ exports: [stored] }) },
    '/console/api/exports/{id}': {
      put: async (request) => {
        bodies.push(await request.json())
        if (stored.version === 4) return Response.json(stored)
        stored = { ...lake, version: 4, schedule: '0 * * * *', prefix: 'bob', updatedBy: 'bob@x.test' }
        return refuse(409, 'CLEW_EXPORTS_CHANGED', 'bob@x.test changed the export meanwhile.')()
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const edit = within(await screen.findByRole('dialog', { name: 'Edit To the lake' }))
  await userEvent.type(edit.getByLabelText('Its secret'), 'hidden')
  await userEvent.type(edit.getByLabelText('Folder in the bucket'), '/ann')
  await userEvent.click(edit.getByRole('button', { name: 'Save' }))
  expect((await edit.findByRole('alert')).textContent).toContain('bob@x.test changed the export meanwhile.')
  await edit.findByText(
    'bob@x.test has saved a change meanwhile. It is in your draft: schedule. Where you both changed something, yours ' +
      'stays, and saving replaces theirs: folder.',
  )
  await userEvent.click(edit.getByRole('button', { name: 'Save' }))
  await expect.poll(() => bodies.length).toBe(2)
  expect(bodies).toMatchObject([
    { version: 3, export: { schedule: '30 3 * * *', prefix: 'clew/shop/ann', secretAccessKey: 'hidden' } },
    { version: 4, export: { schedule: '0 * * * *', prefix: 'clew/shop/ann', secretAccessKey: 'hidden' } },
  ])
})

test('without exports the page says what they are; an analyst changes none, and a viewer is refused', async () => {
  const none: Answers = { ...answers, '/console/api/exports': { get: { exports: [] } } }
  const first = openConsole('/settings/exports', none)
  await screen.findByRole('heading', { name: 'No exports yet.' })
  first.close()
  const second = openConsole(`/settings/exports?export=${lake.id}`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('list', { name: 'Runs' })
  expect(screen.queryByRole('button', { name: /Run now|New export|Edit|Remove|Pause/ })).toBeNull()
  second.close()
  openConsole('/settings/exports', {
    ...answers,
    '/console/api/exports': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role may not do this.') },
  })
  await screen.findByText(/Your role may not/)
})
