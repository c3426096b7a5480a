import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Table, type TableColumn } from './table.tsx'

interface Cup {
  readonly id: string
  readonly name: string
}

const cups = (count: number, from = 0): readonly Cup[] =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index + from}`, name: `Cup ${index + from}` }))
const columns: readonly TableColumn<Cup>[] = [
  { id: 'name', title: 'Name', sorted: 'ascending', cell: ({ name }) => name },
  { id: 'act', title: 'Act', align: 'right', cell: ({ name }) => <button type="button">Wash {name}</button> },
]
const table = (rows: readonly Cup[], calls: Partial<Parameters<typeof Table<Cup>>[0]> = {}) => (
  <Table label="Cups" columns={columns} rows={rows} rowKey={({ id }) => id} {...calls} />
)

test('it is a table with its headings, its sorting and its whole length', () => {
  render(table(cups(3)))
  expect(screen.getByRole('table', { name: 'Cups' }).getAttribute('aria-rowcount')).toBe('4')
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
  expect(screen.getAllByRole('row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3', '4'])
})

test('ten thousand rows draw those in sight, and the end is not told before it is there', () => {
  const onEnd = vi.fn()
  render(table(cups(10_000), { onEnd }))
  const drawn = screen.getAllByRole('row').length
  expect(drawn).toBeGreaterThan(10)
  expect(drawn).toBeLessThan(80)
  expect(onEnd).not.toHaveBeenCalled()
})

test('a click on a row opens it, a click on its button does not', async () => {
  const onOpen = vi.fn()
  render(table(cups(3), { onOpen }))
  await userEvent.click(screen.getByRole('button', { name: 'Wash Cup 1' }))
  expect(onOpen).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('cell', { name: 'Cup 1' }))
  expect(onOpen).toHaveBeenCalledWith({ id: 'c1', name: 'Cup 1' })
})

test('j and k move, Enter opens; with something open, moving opens the next', async () => {
  const onOpen = vi.fn()
  const { rerender } = render(table(cups(3), { onOpen }))
  await userEvent.keyboard('jj')
  expect(screen.getByRole('row', { current: true }).textContent).toContain('Cup 1')
  expect(onOpen).not.toHaveBeenCalled()
  await userEvent.keyboard('{Enter}')
  expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'c1' }))
  rerender(table(cups(3), { onOpen, openKey: 'c1' }))
  await userEvent.keyboard('k')
  expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'c0' }))
})

test('new rows are drawn, and the selected one stays selected', async () => {
  const { rerender } = render(table(cups(3), { onOpen: vi.fn() }))
  await userEvent.keyboard('j')
  expect(screen.getByRole('row', { current: true }).textContent).toContain('Cup 0')
  rerender(table(cups(5, -2), { onOpen: vi.fn() }))
  expect(screen.getAllByRole('row')).toHaveLength(6)
  expect(screen.getByRole('row', { current: true }).textContent).toContain('Cup 0')
})

test('rows that arrive above do not move what is read', () => {
  const { rerender } = render(table(cups(100)))
  const box = screen.getByRole('table').parentElement
  if (box === null) throw new Error('The table scrolls in nothing.')
  box.scrollTop = 320
  rerender(table(cups(103, -3)))
  expect(box.scrollTop).toBe(320 + 3 * 32)
})
