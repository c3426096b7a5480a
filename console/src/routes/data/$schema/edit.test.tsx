import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, orders, plainColumn, signedIn } from '../../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../../test/console.tsx'

const text = { ...plainColumn, name: 'note', type: 'text', baseType: 'text', nullable: true }
const mood = { ...plainColumn, name: 'mood', type: 'mood', baseType: 'public.mood', labels: ['calm', 'glad'] }
const counter = { ...plainColumn, isKey: true, identity: 'by default' as const }
const total = { ...plainColumn, name: 'total', type: 'numeric', baseType: 'numeric', default: '0' }
const seller = { schema: 'public', table: 'sellers', column: 'id' }
const table = {
  ...orders,
  columns: [counter, total, text, mood, { ...plainColumn, name: 'seller', nullable: true, references: seller }],
}
const first = { id: '1', total: '10.00', note: null, mood: 'calm', seller: null }
const rows = [
  { key: { id: '1' }, values: first },
  { key: { id: '2' }, values: { ...first, id: '2', total: '7.00', note: 'x' } },
]

/** Opens the table; `saved` has the bodies that were sent to be saved. */
function open(answer: object, more: Answers = {}) {
  const saved: unknown[] = []
  const opened = openConsole('/data/public/orders', {
    ...signedIn,
    '/console/api/data/tables': { get: { tables: [table] } },
    '/console/api/data/{schema}/{table}/rows': { get: { rows, total: 2, totalIsEstimate: false } },
    '/console/api/data/row-changes': {
      post: async (request) => {
        saved.push(await request.json())
        return Response.json(answer)
      },
    },
    '/console/api/data/row-changes/preview': { post: { statements: ['update "orders" set "total" = \'12\';'] } },
    ...more,
  })
  return { ...opened, saved }
}

const done = {
  kind: 'saved',
  changes: [{ schema: 'public', table: 'orders', operation: 'update', key: {}, old: {}, new: {} }],
}
const cell = (name: string) => screen.findByRole('cell', { name })
const bar = () => within(screen.getByRole('region', { name: 'Unsaved changes' }))
const place = { schema: 'public', table: 'orders' }

test('a cell is edited by a double click, staged, reviewed as SQL and saved with what was seen', async () => {
  const { saved } = open(done)
  await userEvent.dblClick(await cell('10.00'))
  const editor = screen.getByRole('textbox', { name: 'New value of total' })
  await userEvent.clear(editor)
  await userEvent.type(editor, 'twelve{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('A number, such as 4.20.')
  await userEvent.clear(editor)
  await userEvent.type(editor, '12{Enter}')
  await cell('12')
  expect(bar().getByText('1 change')).toBeTruthy()
  await userEvent.click(bar().getByRole('button', { name: 'Review SQL' }))
  await screen.findByText(/update "orders"/, { selector: 'code' }).catch(() => screen.findByText(/update/))
  await userEvent.keyboard('{Escape}')
  await userEvent.click(bar().getByRole('button', { name: 'Save' }))
  await screen.findByText('One row saved.')
  const change = { ...place, kind: 'update', key: { id: '1' }, old: { total: '10.00' }, values: { total: '12' } }
  expect(saved).toEqual([{ changes: [{ ...change, defaults: [] }] }])
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).toBeNull()
})

test('keys move, edit and set to null; an enum is chosen; Esc leaves a cell as it was', async () => {
  const { saved } = open(done)
  await userEvent.click(await cell('7.00'))
  await userEvent.keyboard('{ArrowRight}{Delete}{ArrowUp}{F2}hello{Tab}')
  await cell('hello')
  await userEvent.keyboard('{Enter}')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'New value of mood' }), 'glad')
  await userEvent.click(await cell('10.00'))
  await userEvent.keyboard('{Enter}99{Escape}')
  await userEvent.keyboard('{Control>}s{/Control}')
  await screen.findByText(/rows? saved/)
  const update = { ...place, kind: 'update', defaults: [] }
  expect(saved).toEqual([
    {
      changes: [
        { ...update, key: { id: '2' }, old: { note: 'x' }, values: { note: null } },
        { ...update, key: { id: '1' }, old: { note: null, mood: 'calm' }, values: { note: 'hello', mood: 'glad' } },
      ],
    },
  ])
})

test('a new row is made in a form, with a reference that is searched for', async () => {
  const { saved } = open(done, {
    '/console/api/data/{schema}/{table}/rows': {
      get: (request) => {
        const url = new URL(request.url)
        if (!url.pathname.includes('sellers')) return Response.json({ rows, total: 2, totalIsEstimate: false })
        const found =
          url.searchParams.get('search') === 'bea' ? [{ key: { id: '8' }, values: { id: '8', name: 'Bea' } }] : []
        return Response.json({ rows: found, total: found.length, totalIsEstimate: false })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Insert row' }))
  const form = within(await screen.findByRole('dialog', { name: 'New row of orders' }))
  await userEvent.type(form.getByRole('textbox', { name: 'total' }), '5')
  await userEvent.click(form.getByRole('button', { name: 'Choose…' }))
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Search in sellers' }), 'bea')
  await userEvent.click(await screen.findByRole('button', { name: /Bea/ }))
  await userEvent.click(form.getByRole('button', { name: 'Stage the row' }))
  await userEvent.click(bar().getByRole('button', { name: 'Save' }))
  await screen.findByText('One row saved.')
  expect(saved).toEqual([{ changes: [{ ...place, kind: 'insert', values: { total: '5', seller: '8' } }] }])
})

test('what PostgreSQL refuses stands under its cell', async () => {
  const refusal = {
    ...{ index: 0, columns: ['total'], code: '23514', message: 'total must be positive', detail: null, hint: null },
    constraint: 'orders_total_check',
  }
  open({ kind: 'refused', refusal })
  await userEvent.dblClick(await cell('10.00'))
  await userEvent.clear(screen.getByRole('textbox', { name: 'New value of total' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'New value of total' }), '-1{Enter}')
  await userEvent.click(bar().getByRole('button', { name: 'Save' }))
  const wrong = await screen.findByRole('cell', { name: /total must be positive/ })
  expect(wrong.textContent).toContain('-1')
  expect(bar().getByRole('alert').textContent).toBe('total must be positive')
})

test('a row that was changed meanwhile is overwritten or left, as is chosen', async () => {
  const current = { ...first, total: '11.00' }
  const { saved } = open({ kind: 'conflict', conflicts: [{ index: 0, columns: ['total'], current }] })
  await userEvent.dblClick(await cell('10.00'))
  await userEvent.clear(screen.getByRole('textbox', { name: 'New value of total' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'New value of total' }), '12{Enter}')
  await userEvent.click(bar().getByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'A row was changed meanwhile' }))
  expect(dialog.getByRole('row', { name: /^total/ }).textContent).toBe('total10.0011.0012')
  await userEvent.click(dialog.getByRole('button', { name: 'Overwrite with mine' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(bar().getByRole('button', { name: 'Save' }))
  await expect.poll(() => saved.length).toBe(2)
  expect(saved[1]).toMatchObject({ changes: [{ old: { total: '11.00' }, values: { total: '12' } }] })
})

test('before rows are deleted it is said what goes along', async () => {
  const dependent = { ...place, table: 'items', constraint: 'items_fkey', action: 'cascade' as const, via: [], rows: 3 }
  const { saved } = open(done, {
    '/console/api/data/{schema}/{table}/dependents': {
      post: () => Response.json({ dependents: [dependent], isWhole: true }),
    },
  })
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Pick row 2' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete row' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete a row of orders?' }))
  expect((await dialog.findByRole('listitem')).textContent).toBe('3 rows of items deleted along')
  await userEvent.click(dialog.getByRole('button', { name: 'Stage the deletion' }))
  await userEvent.click(bar().getByRole('button', { name: 'Save' }))
  await screen.findByText('One row saved.')
  expect(saved).toEqual([{ changes: [{ ...place, kind: 'delete', key: { id: '2' }, old: rows[1]?.values }] }])
})

test('what was saved is undone from its toast, and not where a row changed since', async () => {
  const undone = {
    ...place,
    kind: 'update' as const,
    key: { id: '2' },
    old: { note: null },
    values: { note: 'x' },
    defaults: [],
  }
  let isChanged = false
  const { saved } = open(done, {
    '/console/api/data/row-changes/undo': {
      post: () =>
        Response.json({
          ...{ changes: [undone], statements: ['…'], refusal: null, problems: [] },
          conflicts: isChanged ? [{ index: 0, columns: ['note'], current: {} }] : [],
        }),
    },
  })
  const setNullAndSave = async () => {
    await userEvent.click(await cell('7.00'))
    await userEvent.keyboard('{ArrowRight}{Delete}{Control>}s{/Control}')
    await userEvent.click((await screen.findAllByRole('button', { name: 'Undo' }))[0] as HTMLElement)
  }
  await setNullAndSave()
  await screen.findByText('Undone.')
  expect(saved[1]).toEqual({ changes: [undone], isUndo: true })
  isChanged = true
  await setNullAndSave()
  await screen.findByText('Not undone: a row was changed since.')
})

test('leaving with unsaved changes is asked about', async () => {
  const { at } = open(done)
  await userEvent.click(await cell('7.00'))
  await userEvent.keyboard('{ArrowRight}{Delete}')
  await userEvent.click(screen.getByRole('link', { name: 'Requests' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Stay' }))
  expect(at()).toBe('/data/public/orders')
  expect(bar().getByText('1 change')).toBeTruthy()
})

test('an analyst is shown no rows, and nobody is offered what the table does not allow', async () => {
  const analyst = open(done, {
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
    '/console/api/data/{schema}/{table}/rows': {
      get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role may not do this.'),
    },
  })
  await screen.findByText('Your role may not do this.')
  expect(screen.queryByRole('button', { name: 'Insert row' })).toBeNull()
  analyst.close()
  open(done, {
    '/console/api/data/tables': {
      get: { tables: [{ ...table, insertable: false, updatable: false, deletable: false }] },
    },
  })
  await userEvent.dblClick(await cell('10.00'))
  expect(screen.queryByRole('textbox', { name: /New value/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Insert row' })).toBeNull()
})
