import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { SqlAnswer, SqlQuery, SqlResult } from '../../lib/api/schemas.ts'

const query: SqlQuery = {
  ...{ id: 'q1', name: 'Open orders', engine: 'postgres', text: 'select id from orders' },
  ...{ createdBy: operator.email, updatedBy: operator.email, updatedAt: '2026-01-02T03:04:05.000Z' },
}

const result: SqlResult = {
  ...{ from: 0, to: 21, command: 'SELECT', rowCount: 2, more: false, notices: [], durationMs: 3 },
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'note', type: 'text' },
  ],
  rows: [
    ['1', null],
    ['2', 'a long note'],
  ],
}

const answer: SqlAnswer = {
  ...{ id: 'r1', state: 'done', results: [result], failure: null, changes: null, expiresAt: null, alone: false },
}

const answers: Answers = {
  ...signedIn,
  '/console/api/sql/catalogue': {
    get: {
      tables: [{ schema: 'public', name: 'orders', columns: [{ name: 'id', type: 'integer' }] }],
      functions: [],
      roles: ['postgres', 'anon', 'authenticated'],
    },
  },
  '/console/api/sql/runs': { get: { runs: [], next: null }, post: answer },
  '/console/api/sql/queries': { get: { queries: [query] }, post: () => Response.json({ id: 'q2' }, { status: 201 }) },
  '/console/api/sql/queries/{id}': { delete: null },
}

beforeEach(() => localStorage.clear())

const run = async () => userEvent.click(await screen.findByRole('button', { name: 'Run' }))

test('a statement’s rows are shown; one opened has its values whole', async () => {
  openConsole('/sql', answers)
  await run()
  const rows = within(await screen.findByRole('table', { name: 'Rows of the result' }))
  await userEvent.click(rows.getByText('a long note'))
  const drawer = within(await screen.findByRole('dialog', { name: 'Row 2' }))
  drawer.getByRole('button', { name: 'Copy note' })
  screen.getByText('2 rows')
})

test('a change waits until it is committed, and nothing else runs meanwhile', async () => {
  const changes = {
    schema: false,
    tables: [{ schema: 'public', table: 'orders', inserted: 0, updated: 3, deleted: 1 }],
  }
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const { asked } = openConsole('/sql', {
    ...answers,
    '/console/api/sql/runs': {
      get: { runs: [], next: null },
      post: { ...answer, state: 'pending', changes, expiresAt },
    },
    '/console/api/sql/runs/{id}/commit': { post: { failure: null } },
  })
  await run()
  const bar = within(await screen.findByRole('region', { name: 'Changes that wait' }))
  expect(bar.getByRole('listitem').textContent).toBe('orders 3 updated, 1 deleted')
  expect(screen.getByRole('button', { name: 'Run' }).hasAttribute('disabled')).toBe(true)
  await userEvent.click(bar.getByRole('button', { name: 'Commit' }))
  await screen.findByText('Committed.')
  expect(asked).toContain('POST /sql/runs/r1/commit')
  expect(screen.queryByRole('region', { name: 'Changes that wait' })).toBeNull()
})

test('why a statement failed is said in the database’s words', async () => {
  openConsole('/sql', {
    ...answers,
    '/console/api/sql/runs': {
      get: { runs: [], next: null },
      post: {
        ...{ ...answer, state: 'failed', results: [] },
        failure: {
          ...{ statement: 0, message: 'column "nope" does not exist', code: '42703', detail: null },
          ...{ hint: 'Perhaps you meant "note".', where: null, position: 7 },
        },
      },
    },
  })
  await run()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('column "nope" does not exist')
  expect(alert.textContent).toContain('Perhaps you meant "note".')
})

test('a statement runs as a role with claims', async () => {
  const bodies: unknown[] = []
  openConsole('/sql', {
    ...answers,
    '/console/api/sql/runs': {
      get: { runs: [], next: null },
      post: async (request) => {
        bodies.push(await request.json())
        return Response.json(answer)
      },
    },
  })
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Run as' }), 'authenticated')
  await userEvent.click(screen.getByRole('button', { name: 'Claims…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Claims of the caller' }))
  await userEvent.clear(dialog.getByLabelText('Claims, as JSON'))
  await userEvent.click(dialog.getByLabelText('Claims, as JSON'))
  await userEvent.paste('{"sub":"u1"}')
  await userEvent.click(dialog.getByRole('button', { name: 'Use these claims' }))
  await run()
  await expect.poll(() => bodies).toMatchObject([{ role: 'authenticated', claims: { sub: 'u1' }, readOnly: false }])
})

test('the claims are those of a user who is chosen', async () => {
  const bodies: unknown[] = []
  const user = { id: 'u1', email: 'ana@example.test', phone: null, name: 'Ana', state: 'confirmed' as const }
  openConsole('/sql', {
    ...answers,
    '/console/api/users': {
      get: { users: [{ ...user, providers: [], createdAt: null, lastSignInAt: null }], next: null },
    },
    '/console/api/sql/runs': {
      get: { runs: [], next: null },
      post: async (request) => {
        bodies.push(await request.json())
        return Response.json(answer)
      },
    },
  })
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Run as' }), 'authenticated')
  await userEvent.click(screen.getByRole('button', { name: 'Claims…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Claims of the caller' }))
  await userEvent.type(dialog.getByLabelText('Act as a user'), 'ana')
  await userEvent.click(await dialog.findByRole('button', { name: /^ana@example.test/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Use these claims' }))
  await run()
  await expect
    .poll(() => bodies)
    .toMatchObject([{ claims: { sub: 'u1', role: 'authenticated', email: 'ana@example.test' } }])
})

test('a plan is drawn, its worst step named', async () => {
  const scan = { 'Node Type': 'Seq Scan', 'Relation Name': 'orders', 'Plan Rows': 5, 'Total Cost': 90 }
  const plan = JSON.stringify([{ Plan: { 'Node Type': 'Sort', 'Plan Rows': 5, 'Total Cost': 100, Plans: [scan] } }])
  openConsole('/sql', {
    ...answers,
    '/console/api/sql/runs': {
      get: { runs: [], next: null },
      post: { ...answer, results: [{ ...result, columns: [{ name: 'QUERY PLAN', type: 'json' }], rows: [[plan]] }] },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Explain' }))
  const table = within(await screen.findByRole('table', { name: 'Plan' }))
  expect(table.getByRole('rowheader', { name: /^Seq Scan/ }).textContent).toContain('takes most')
})

test('a query of the team is opened by its link, and deleted when that is confirmed', async () => {
  const { asked, at } = openConsole('/sql?query=q1', answers)
  await screen.findByRole('heading', { name: 'Open orders' })
  await userEvent.click(screen.getByRole('button', { name: 'Delete Open orders' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete the query?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await expect.poll(() => asked).toContain('DELETE /sql/queries/q1')
  await expect.poll(at).toBe('/sql')
})

test('what is written is saved for the team under a name', async () => {
  const { asked, at } = openConsole('/sql', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save the query' }))
  await userEvent.type(dialog.getByLabelText('Name'), 'Now{Enter}')
  await expect.poll(() => asked).toContain('POST /sql/queries')
  await expect.poll(at).toBe('/sql?query=q2')
})

test('analysts are told whom SQL is for; a run that was refused says why', async () => {
  const analyst = openConsole('/sql', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('heading', { name: 'SQL is for owners and developers.' })
  expect(analyst.asked.filter((each) => each.includes('/sql'))).toEqual([])
  analyst.close()
  openConsole('/sql', {
    ...answers,
    '/console/api/sql/runs': {
      get: { runs: [], next: null },
      post: refuse(429, 'CLEW_SQL_BUSY', 'Four runs are under way.', 'Try again in a moment.'),
    },
  })
  await run()
  expect((await screen.findByRole('alert')).textContent).toBe('Four runs are under way. Try again in a moment.')
})
