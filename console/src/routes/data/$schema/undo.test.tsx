import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { change, momentOf, request, requestDetail, requestMoment } from '../../../../test/answers/requests.ts'
import { operator, orders, session, signedIn } from '../../../../test/answers.ts'
import { type Answers, openConsole } from '../../../../test/console.tsx'
import type { Change, HistoryEntry, RowChange, UndoPreview } from '../../../lib/api/schemas.ts'

const place = { schema: 'public', table: 'orders' }
const raised: Change = {
  ...{ ...change, ...place, id: '0/1:0', key: { id: '7' }, columns: ['total'] },
  ...{ old: { id: '7', total: '10.00' }, new: { id: '7', total: '12.00' } },
}
const raisedAgain: Change = { ...raised, id: '0/10:0', old: raised.new, new: { id: '7', total: '13.00' } }
const signIn: Change = { ...raised, id: '0/2:0', schema: 'auth', table: 'sessions', operation: 'insert', old: null }

const back = (id: string): RowChange => ({
  ...{ ...place, kind: 'update', key: { id }, defaults: [] },
  ...{ old: { total: '12.00' }, values: { total: '10.00' } },
})
const nothing: UndoPreview = { changes: [], statements: [], conflicts: [], refusal: null, problems: [] }
const saved = {
  kind: 'saved' as const,
  changes: [{ ...place, operation: 'update' as const, key: {}, old: {}, new: {} }],
}

/** Opens a screen; `sent` has the bodies that asked for a preview, and those that were saved. */
function open(address: string, preview: UndoPreview, more: Answers = {}) {
  const sent: { readonly preview: unknown[]; readonly save: unknown[] } = { preview: [], save: [] }
  const cause: HistoryEntry['cause'] = {
    ...{ kind: 'operator', requestId: 'r5', operator: 'olga@example.test' },
    ...{ action: 'rows.change', actionId: 'a1' },
  }
  const opened = openConsole(address, {
    ...signedIn,
    '/console/api/data/tables': { get: { tables: [orders] } },
    '/console/api/data/{schema}/{table}/rows': {
      get: { rows: [{ key: { id: '7' }, values: { id: '7', total: '13.00' } }], total: 1, totalIsEstimate: false },
    },
    '/console/api/data/{schema}/{table}/history': {
      get: {
        entries: [
          { change: raisedAgain, cause },
          { change: raised, cause },
        ],
        gaps: [],
        notRecorded: null,
      },
    },
    '/console/api/data/row-changes/undo': {
      post: async (asked) => {
        sent.preview.push(await asked.json())
        return Response.json(preview)
      },
    },
    '/console/api/data/row-changes': {
      post: async (asked) => {
        sent.save.push(await asked.json())
        return Response.json(saved)
      },
    },
    ...more,
  })
  return { ...opened, sent }
}

const history = '/data/public/orders?row=%7B%22id%22%3A%227%22%7D&tab=history'
const past = ({ schema, table, operation, key, old, new: next, columns }: Change) => ({
  ...{ schema, table, operation, key, old, new: next, columns },
})
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('a change in a row’s history is undone after its preview: rows that changed since are left', async () => {
  const preview: UndoPreview = {
    ...nothing,
    changes: [back('7'), back('8')],
    statements: ['update orders …;', 'update orders …;'],
    conflicts: [{ index: 1, columns: ['total'], current: { id: '8', total: '99.00' } }],
    problems: [{ ...place, key: { id: '9' }, reason: 'values not known' }],
  }
  const { sent } = open(history, preview)
  await userEvent.click((await screen.findAllByRole('button', { name: 'Undo…' }))[1] as HTMLElement)
  const dialog = await dialogOf('Undo a change of orders #7')
  expect((await dialog.findByText('goes back')).closest('li')?.textContent).toContain('orders #7total12.00 → 10.00')
  expect(dialog.getByText('orders #8').closest('li')?.textContent).toBe('orders #8total 99.00 now, was 12.00')
  expect(dialog.getByText('orders #9').closest('li')?.textContent).toContain('Not all values before are recorded')
  await userEvent.click(dialog.getByRole('button', { name: 'Undo one row' }))
  await screen.findByText('One row undone.')
  expect(sent).toEqual({ preview: [{ changes: [past(raised)] }], save: [{ changes: [back('7')], isUndo: true }] })
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

test('a change is undone with those after it, in the order in which they were made', async () => {
  const { sent } = open(history, { ...nothing, changes: [back('7')] })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Undo…' }))[1] as HTMLElement)
  const dialog = await dialogOf('Undo a change of orders #7')
  await userEvent.click(dialog.getByRole('radio', { name: /the later one/ }))
  await dialog.findByText('goes back')
  expect(sent.preview.at(-1)).toEqual({ changes: [past(raised), past(raisedAgain)] })
})

test('what PostgreSQL would refuse is said and not tried', async () => {
  const refusal = {
    ...{ index: 0, columns: [], code: '23503', constraint: null, hint: null },
    ...{ message: 'it violates a foreign key', detail: 'Key (id)=(7) is still referenced.' },
  }
  open(history, { ...nothing, changes: [back('7')], refusal })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Undo…' }))[0] as HTMLElement)
  const dialog = await dialogOf('Undo a change of orders #7')
  expect((await dialog.findByRole('alert')).textContent).toContain('it violates a foreign key')
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Undo one row' }).disabled).toBe(true)
})

test('what a request changed is undone from its page', async () => {
  const { sent } = open(
    `/requests/${request.id}`,
    { ...nothing, changes: [back('7')] },
    {
      '/console/api/requests/{id}': { get: { ...requestDetail, changes: [raised, raisedAgain] } },
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Undo…' }))
  const dialog = await dialogOf('Undo what this request changed')
  await dialog.findByText('goes back')
  expect(sent.preview).toEqual([{ changes: [past(raised), past(raisedAgain)] }])
})

test('what a session changed is undone in the order of its commits, without its sign-ins unless they are chosen', async () => {
  // Its requests ended in another order than they were committed in.
  const moments = [
    { ...requestMoment, changes: [raisedAgain] },
    { ...requestMoment, id: 'r2', changes: [raised, signIn] },
  ]
  const foreign = { ...requestMoment.link, foreign: true }
  const { sent } = open(
    `/sessions/${session.id}`,
    { ...nothing, changes: [back('7')] },
    {
      '/console/api/sessions/{id}/outline': { get: { session, recording: null } },
      '/console/api/sessions/{id}': {
        get: {
          ...{ session, windows: [], clock: { offsetMs: 0, spreadMs: 0, samples: 0 }, earlier: 0 },
          ...{ oldClient: null, truncated: false },
          moments: [
            momentOf('click', 40_800, 'Place order', { requests: moments }),
            momentOf('request', 41_000, '', {
              requests: [{ ...requestMoment, id: 'r3', link: foreign, changes: [{ ...raised, id: '0/3:0' }] }],
            }),
          ],
        },
      },
    },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Undo what it changed…' }))
  const dialog = await dialogOf('Undo what this session changed')
  await dialog.findByText('goes back')
  expect(sent.preview).toEqual([{ changes: [past(raised), past(raisedAgain)] }])
  await userEvent.click(dialog.getByRole('checkbox', { name: /auth\.sessions/ }))
  await expect.poll(() => sent.preview.length).toBe(2)
  expect(sent.preview[1]).toEqual({ changes: [past(raised), past(signIn), past(raisedAgain)] })
})

test('an analyst is offered no undo', async () => {
  open(`/requests/${request.id}`, nothing, {
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
    '/console/api/requests/{id}': { get: { ...requestDetail, changes: [raised] } },
  })
  await screen.findByRole('heading', { name: /Rows changed/ })
  expect(screen.queryByRole('button', { name: 'Undo…' })).toBeNull()
})
