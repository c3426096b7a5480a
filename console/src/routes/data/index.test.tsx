import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { orders, signedIn } from '../../../test/answers.ts'
import { openConsole } from '../../../test/console.tsx'

const products = { ...orders, name: 'products', estimatedRows: 11, history: false }
const answers = {
  ...signedIn,
  '/console/api/data/tables': { get: { tables: [orders, products] } },
  '/console/api/data/{schema}/{table}/rows': { get: { rows: [], total: 0, totalIsEstimate: false } },
}

test('lists the tables; typing narrows them, and the address keeps it', async () => {
  const { at } = openConsole('/data', answers)
  await screen.findByRole('table', { name: 'Tables' })
  expect(screen.getAllByRole('row')).toHaveLength(3)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter the tables' }), 'prod')
  await expect.poll(() => screen.getAllByRole('row').length).toBe(2)
  expect(at()).toBe('/data?q=prod')
  expect(screen.queryByRole('link', { name: 'public.orders' })).toBeNull()
})

test('a row opens its table', async () => {
  const { at } = openConsole('/data', answers)
  await userEvent.click(await screen.findByRole('cell', { name: '11' }))
  await expect.poll(at).toBe('/data/public/products')
})

test('an instance without tables shows how a first one is made', async () => {
  openConsole('/data', { ...answers, '/console/api/data/tables': { get: { tables: [] } } })
  await screen.findByText('No tables yet.')
  expect(screen.getByRole('button', { name: 'Copy a first table' })).toBeTruthy()
})
