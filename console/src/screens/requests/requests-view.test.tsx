import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { request } from '../../../test/answers.ts'
import { renderView } from '../../../test/render.tsx'
import type { RequestSummary } from '../../lib/api/schemas.ts'
import { RequestsView } from './requests-view.tsx'

const requestOf = (number: number): RequestSummary => ({ ...request, id: `r${number}` })

const list = (count: number) => ({ items: Array.from({ length: count }, (_, number) => requestOf(number)), next: null })

function show(facts: Partial<Parameters<typeof RequestsView>[0]> = {}) {
  const calls = { onFilter: vi.fn(), onOpen: vi.fn(), onEnd: vi.fn() }
  const props = { list: list(3), filter: {}, instance: undefined, openId: undefined, ...calls, ...facts }
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
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Filter by path or query' }))
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
