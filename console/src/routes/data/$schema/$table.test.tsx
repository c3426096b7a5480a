import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { request } from '../../../../test/answers/requests.ts'
import { maria, operator, orders, plainColumn, session, signedIn } from '../../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/data/{schema}/{table}/rows': {
    get: {
      rows: [
        { key: { id: '1' }, values: { id: '1', total: '10.00' } },
        { key: { id: '2' }, values: { id: '2', total: null } },
      ],
      total: 2,
      totalIsEstimate: false,
    },
  },
  '/console/api/data/{schema}/{table}/history': {
    get: {
      entries: [
        {
          change: {
            id: '0/1:0',
            at: request.at,
            schema: 'public',
            table: 'orders',
            operation: 'insert',
            key: { id: '1' },
            old: null,
            new: { id: '1', total: '10.00' },
            columns: [],
          },
          cause: {
            kind: 'session',
            requestId: request.id,
            method: 'POST',
            path: '/rest/v1/orders',
            sessionId: session.id,
            atMs: 40_800,
            hasRecording: false,
            exact: true,
            why: null,
            person: maria,
            personWhy: null,
            role: 'authenticated',
          },
        },
      ],
      gaps: [{ newerEntries: 1, from: null, until: '2026-01-01T00:00:00.000Z', reason: 'Clew was not running.' }],
      notRecorded: null,
    },
  },
}

beforeEach(() => localStorage.clear())

test('shows the rows and how many there are; a heading sorts, and the address says how', async () => {
  const { at, asked } = openConsole('/data/public/orders', answers)
  await screen.findByRole('cell', { name: '10.00' })
  expect(screen.getByText(/rows$/).textContent).toBe('2 rows')
  await userEvent.click(screen.getByRole('button', { name: /^total/ }))
  await expect.poll(() => decodeURIComponent(at())).toBe('/data/public/orders?sort=["total.asc"]')
  await expect.poll(() => asked.some((one) => one.includes('sort=total.asc'))).toBe(true)
  expect(screen.getByRole('columnheader', { name: /^total/ }).getAttribute('aria-sort')).toBe('ascending')
})

test('the head says whether policies decide who sees rows, and leads to them', async () => {
  const first = openConsole('/data/public/orders', answers)
  const link = await screen.findByRole('link', { name: 'row security on, one policy (select)' })
  expect(link.getAttribute('href')).toBe('/console/schema/public/orders?tab=policies')
  first.close()
  openConsole('/data/public/orders', {
    ...answers,
    '/console/api/data/tables': { get: { tables: [{ ...orders, rowSecurity: false }] } },
  })
  await screen.findByRole('link', { name: 'row security off' })
})

test('filters are typed with completion, stand as chips, and are edited and taken off', async () => {
  const { at, asked } = openConsole('/data/public/orders', answers)
  const field = await screen.findByRole('combobox', { name: 'Filter' })
  await userEvent.type(field, 'tot{ArrowDown}{Enter}gt{Tab}5{Enter}')
  await screen.findByRole('button', { name: 'Edit the filter total > 5' })
  expect(decodeURIComponent(at())).toBe('/data/public/orders?filter=["total.gt.5"]')
  await expect.poll(() => asked.some((one) => one.includes('filter=total.gt.5'))).toBe(true)
  await userEvent.type(field, 'id=in.(1,2)&total=lt.9{Enter}')
  await screen.findByRole('button', { name: 'Edit the filter id in (1,2)' })
  await userEvent.click(screen.getByRole('button', { name: 'Edit the filter total > 5' }))
  await userEvent.keyboard('{Backspace}7{Enter}')
  await screen.findByRole('button', { name: 'Edit the filter total > 7' })
  await userEvent.click(screen.getByRole('button', { name: 'Remove the filter total < 9' }))
  await expect.poll(() => decodeURIComponent(at())).toBe('/data/public/orders?filter=["total.gt.7","id.in.(1,2)"]')
  await userEvent.click(screen.getByRole('button', { name: 'Edit as text' }))
  expect(field).toHaveProperty('value', 'total=gt.7&id=in.(1,2)')
  await userEvent.clear(field)
  await userEvent.type(field, 'total=is.null{Enter}')
  await expect.poll(() => decodeURIComponent(at())).toBe('/data/public/orders?filter=["total.is.null"]')
})

test('a filter that is wrong stays in its field, which says what is wrong; a text is looked for in all columns', async () => {
  const { at, asked } = openConsole('/data/public/orders', answers)
  const field = await screen.findByRole('combobox', { name: 'Filter' })
  await userEvent.type(field, 'totl=gt.5{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('did you mean “total”')
  expect([field.getAttribute('aria-invalid'), at()]).toEqual(['true', '/data/public/orders'])
  await userEvent.clear(field)
  await userEvent.type(field, 'croissant{Enter}')
  await screen.findByRole('button', { name: 'Edit the filter any column holds croissant' })
  await expect.poll(() => asked.some((one) => one.includes('search=croissant'))).toBe(true)
})

test('columns are hidden, moved, frozen and widened by keys, and are so the next time', async () => {
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent)
  const first = openConsole('/data/public/orders', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Columns' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Columns of orders' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Move total up' }))
  const width = dialog.getByRole('spinbutton', { name: 'Width of total in pixels' })
  await userEvent.clear(width)
  await userEvent.type(width, '300')
  await userEvent.click(dialog.getByRole('button', { name: 'Freeze total' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Show id' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
  expect(heads()).toEqual(['Row', 'totalnumeric'])
  first.close()
  openConsole('/data/public/orders', answers)
  await screen.findByRole('cell', { name: '10.00' })
  expect(heads()).toEqual(['Row', 'totalnumeric'])
  await userEvent.click(screen.getByRole('button', { name: 'Columns, one hidden' }))
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  expect(screen.getAllByRole('columnheader', { hidden: true }).map((head) => head.textContent)).toEqual([
    'Row',
    'idbigint',
    'totalnumeric',
  ])
})

test('a row opens beside the list, with its values and its history with the person and the gaps', async () => {
  const { at } = openConsole('/data/public/orders', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Open row 1' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'orders #1' }))
  await userEvent.click(drawer.getByRole('tab', { name: /^History/ }))
  expect((await drawer.findByText('Maria Silva')).closest('li')?.textContent).toContain('POST /rest/v1/orders')
  expect(drawer.getByText(/^Changes may be missing/).closest('li')?.textContent).toContain('Clew was not running.')
  expect(at()).toContain('tab=history')
  await userEvent.click(drawer.getByRole('button', { name: 'Close' }))
  await expect.poll(at).toBe('/data/public/orders')
})

test('a value that names an object of storage leads to it, by its key and by its id', async () => {
  const photo = { ...plainColumn, name: 'photo', type: 'text', baseType: 'text', nullable: true }
  const file = {
    ...photo,
    name: 'file',
    type: 'uuid',
    references: { schema: 'storage', table: 'objects', column: 'id' },
  }
  const values = { id: '1', photo: 'photos/cakes/tart.png', file: 'o1' }
  const { at } = openConsole('/data/public/orders', {
    ...answers,
    '/console/api/data/tables': { get: { tables: [{ ...orders, columns: [...orders.columns, photo, file] }] } },
    '/console/api/data/{schema}/{table}/rows': {
      get: { rows: [{ key: { id: '1' }, values }], total: 1, totalIsEstimate: false },
    },
    '/console/api/storage/bucket-names': { get: { names: ['photos'] } },
    '/console/api/storage/objects/{id}': { get: { bucketId: 'photos', key: 'cakes/tart.png' } },
  })
  const byKey = await screen.findByRole('link', { name: 'Open the object photos/cakes/tart.png' })
  const there = '/storage/photos?object=cakes%2Ftart.png&folder=cakes%2F'
  expect(byKey.getAttribute('href')).toBe(`/console${there}`)
  await userEvent.click(await screen.findByRole('link', { name: 'Open the object o1' }))
  await expect.poll(at).toBe(there)
})

test('a table that does not exist is shown as missing', async () => {
  openConsole('/data/public/nothing', answers)
  await screen.findByText('There is nothing at this address.')
})

test('rows that may not be read say why', async () => {
  openConsole('/data/public/orders', {
    ...answers,
    '/console/api/data/{schema}/{table}/rows': {
      get: refuse(400, 'CLEW_DATA_FILTER', 'The filter could not be read.', 'Check its value.'),
    },
  })
  const problem = await screen.findByRole('alert')
  expect(problem.textContent).toContain('The filter could not be read.Check its value.')
  expect(problem.textContent).toContain('CLEW_DATA_FILTER')
})

test('an owner has the masked values of the open row shown; others read that they are masked', async () => {
  const email = { ...plainColumn, name: 'email', masked: true, secret: true }
  const masked: Answers = {
    ...answers,
    '/console/api/data/tables': { get: { tables: [{ ...orders, columns: [...orders.columns, email] }] } },
    '/console/api/data/{schema}/{table}/reveal': {
      post: async (request) => {
        const { keys } = await request.json()
        return Response.json({ rows: [{ key: keys[0], values: { email: `of ${keys[0].id}@x.test` } }] })
      },
    },
  }
  const first = openConsole('/data/public/orders?row=%7B%22id%22%3A%221%22%7D', masked)
  const drawer = within(await screen.findByRole('dialog', { name: /orders/ }))
  await userEvent.click(await drawer.findByRole('button', { name: /Show email/ }))
  await drawer.findByText('of 1@x.test')
  expect(first.asked).toContain('POST /data/public/orders/reveal')
  first.close()
  const developer = { session: { get: { operator: { ...operator, role: 'developer' as const } } } }
  openConsole('/data/public/orders?row=%7B%22id%22%3A%221%22%7D', {
    ...masked,
    '/console/api/session': developer.session,
  })
  const others = within(await screen.findByRole('dialog', { name: /orders/ }))
  await others.findByText('[masked]')
  expect(others.queryByRole('button', { name: /Show email/ })).toBeNull()
})
