import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { request, requestSeries } from '../../../test/answers/requests.ts'
import { renderView } from '../../../test/render.tsx'
import type { RequestSummary } from '../../lib/api/schemas.ts'
import { RequestsView } from './requests-view.tsx'

const requestOf = (number: number): RequestSummary => ({ ...request, id: `r${number}` })

const list = (count: number) => ({ items: Array.from({ length: count }, (_, number) => requestOf(number)), next: null })

function show(facts: Partial<Parameters<typeof RequestsView>[0]> = {}) {
  const calls = {
    ...{
      onFilter: vi.fn(),
      onFilterOpen: vi.fn(),
      onChart: vi.fn(),
      onRange: vi.fn(),
      onOpen: vi.fn(),
      onEnd: vi.fn(),
    },
  }
  const props = {
    ...{ list: list(3), series: requestSeries, chart: 'chart' as const, tables: [], filter: {} },
    ...{ instance: undefined, openId: undefined, ...calls, ...facts },
  }
  renderView(<RequestsView {...props} />)
  return calls
}

test('ten thousand requests draw only the rows in sight', () => {
  show({ list: list(10_000) })
  expect(screen.getByRole('table', { name: 'Requests' }).getAttribute('aria-rowcount')).toBe('10001')
  const drawn = screen.getAllByRole('row').length
  expect(drawn).toBeGreaterThan(10)
  expect(drawn).toBeLessThan(80)
})

test('a click on a row opens it, a click on its session leads there instead', async () => {
  const { onOpen } = show()
  await userEvent.click(screen.getAllByRole('cell', { name: '201' })[1] ?? document.body)
  expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ id: 'r1' }))
  onOpen.mockClear()
  const session = screen.getAllByRole('link', { name: 'Open the session' })[0]
  expect(session?.getAttribute('href')).toBe(`/sessions/${request.sessionId}`)
})

test('j and k move, Enter opens', async () => {
  const { onOpen } = show()
  await userEvent.keyboard('jjk{Enter}')
  expect(onOpen).toHaveBeenCalledTimes(1)
  expect(onOpen).toHaveBeenCalledWith(expect.objectContaining({ id: 'r0' }))
})

test('keys belong to the text while a filter is typed', async () => {
  const { onOpen, onFilter } = show()
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Filter by path, person or id' }))
  await userEvent.keyboard('j')
  expect(onFilter).toHaveBeenCalledWith({ q: 'j' })
  expect(onOpen).not.toHaveBeenCalled()
})

test('a status chip is put on and taken off', async () => {
  const { onFilter } = show({ filter: { status: '5xx', method: 'GET' } })
  const chip = screen.getByRole('button', { name: '5xx' })
  expect(chip.getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(chip)
  expect(onFilter).toHaveBeenCalledWith({ method: 'GET' })
})

test('nothing that fits offers the way back, nothing at all says what will appear', async () => {
  const { onFilter } = show({ list: list(0), filter: { q: 'nowhere' } })
  await userEvent.click(screen.getByRole('button', { name: 'Show all requests' }))
  expect(onFilter).toHaveBeenCalledWith({})
})

test('the numbers stand over the list, and a time of the table narrows both', async () => {
  const { onRange } = show({ chart: 'table' })
  const numbers = within(screen.getByRole('region', { name: 'Requests over time' }))
  expect(numbers.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '2',
    '50%',
    '12 ms',
    '18 ms',
  ])
  const rows = within(numbers.getByRole('table', { name: 'Requests by time' })).getAllByRole('row')
  expect(
    rows.slice(1).map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([['0', '1', '0', '1', '18 ms']])
  await userEvent.click(within(rows[1] ?? document.body).getByRole('button'))
  expect(onRange).toHaveBeenCalledWith('2026-01-02T03:04:00.000Z', '2026-01-02T03:05:00.000Z')
})

test('each part of the filter has a chip that takes it off; a time takes the place of another', async () => {
  const filter = { route: '/rest/v1/orders', shape: '', table: 'public.orders', from: '2026-01-02T03:04:00.000Z' }
  const { onFilter } = show({ filter })
  const chips = screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect(chips).toEqual([
    expect.stringMatching(/^since .+×$/),
    'changed public.orders×',
    'route /rest/v1/orders×',
    'without parameters×',
  ])
  await userEvent.click(screen.getByRole('button', { name: /^changed/ }))
  expect(onFilter).toHaveBeenLastCalledWith({ route: filter.route, shape: '', from: filter.from })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Time' }), '1h')
  expect(onFilter).toHaveBeenLastCalledWith({ route: filter.route, shape: '', table: filter.table, last: '1h' })
})

test('the filter dialog keeps what it does not ask for, and what was not touched', async () => {
  const filter = { q: 'orders', from: '2026-01-02T03:04:05.678Z' }
  const { onFilter, onFilterOpen } = show({ filter })
  await userEvent.click(screen.getByRole('button', { name: 'Filter…' }))
  expect(onFilterOpen).toHaveBeenCalled()
  const dialog = within(await screen.findByRole('dialog', { name: 'Filter requests' }))
  await userEvent.type(dialog.getByLabelText('Took at least (ms)'), '250')
  await userEvent.type(dialog.getByLabelText('Status'), '5xx')
  await userEvent.click(dialog.getByRole('button', { name: 'Filter' }))
  expect(onFilter).toHaveBeenCalledWith({ ...filter, requestMs: 250, status: '5xx' })
})
