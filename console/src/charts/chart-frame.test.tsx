import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { requestSeries } from '../../test/answers/requests.ts'
import { ToastProvider } from '../ui/toast.tsx'
import type { ChartLook } from './chart-data.ts'
import { MinuteBars } from './minute-bars.tsx'
import { RequestHistogram } from './request-histogram.tsx'

const minutes = [
  { minute: '2026-01-02T03:00:00Z', requests: 4, errors: 1, p95Ms: 18 },
  { minute: '2026-01-02T03:01:00Z', requests: 0, errors: 0, p95Ms: 0 },
]

function Minutes({ of = minutes }: { readonly of?: typeof minutes }) {
  const [look, setLook] = useState<ChartLook>('chart')
  return <MinuteBars minutes={of} look={look} onLook={setLook} />
}

const show = (of?: typeof minutes) =>
  render(
    <ToastProvider>
      <Minutes {...(of && { of })} />
    </ToastProvider>,
  )

const menu = () => within(screen.getByRole('figure', { name: 'Requests a minute' })).getByRole('button')
const cellsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

test('a chart becomes a table and a chart again; its menu, opened by the keyboard, gets the focus back', async () => {
  show()
  await userEvent.tab()
  expect(document.activeElement).toBe(menu())
  await userEvent.keyboard('{Enter}')
  const item = await screen.findByRole('menuitem', { name: 'Show as table' })
  await expect.poll(() => document.activeElement).toBe(item)
  await userEvent.click(item)
  const table = await screen.findByRole('table', { name: 'Requests a minute' })
  expect(screen.queryByRole('img')).toBeNull()
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Minute', 'Requests', 'Failed', 'p95'])
  expect(cellsOf(table)).toEqual([
    ['0', '0', '–'],
    ['4', '1', '18 ms'],
  ])
  await expect.poll(() => document.activeElement).toBe(menu())
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show as chart' }))
  await screen.findByRole('img', { name: /^Requests a minute/ })
  expect(screen.queryByRole('table')).toBeNull()
})

test('the lines behind counts stand at whole numbers', () => {
  const three = show(minutes.map((minute) => ({ ...minute, requests: 3 })))
  expect(screen.getByText('3')).toBeTruthy()
  expect(screen.queryByText('1.5')).toBeNull()
  three.unmount()
  show()
  for (const value of ['4', '2']) expect(screen.getByText(value)).toBeTruthy()
})

test('the numbers are copied as CSV, and a toast says so', async () => {
  const user = userEvent.setup()
  show()
  await user.click(menu())
  await user.click(await screen.findByRole('menuitem', { name: 'Copy as CSV' }))
  await screen.findByText('Copied as CSV.')
  expect(await navigator.clipboard.readText()).toBe(
    'Minute,Requests,Failed,p95 (ms)\r\n2026-01-02T03:00:00.000Z,4,1,18\r\n2026-01-02T03:01:00.000Z,0,0,\r\n',
  )
})

test('a copy that the browser refuses is told', async () => {
  const user = userEvent.setup()
  show()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('Not allowed.'))
  await user.click(menu())
  await user.click(await screen.findByRole('menuitem', { name: 'Copy as CSV' }))
  await screen.findByText('The numbers were not copied.')
  await screen.findByText('Not allowed.')
})

test('a table without a number says so', () => {
  const parts = requestSeries.parts.map((part) => ({ ...part, answered: 0, refused: 0 }))
  render(
    <ToastProvider>
      <RequestHistogram series={{ ...requestSeries, parts }} look="table" onLook={vi.fn()} onRange={vi.fn()} />
    </ToastProvider>,
  )
  expect(screen.getByText('Nothing in this time.')).toBeTruthy()
})
