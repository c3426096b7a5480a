import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { HeatmapPage } from '../../lib/api/schemas.ts'

// jsdom has no canvas to draw on.
HTMLCanvasElement.prototype.getContext = () => null

const menu: HeatmapPage = {
  ...{ page: 'https://shop.test/menu', clicks: 1200, rageClicks: 3, deadClicks: 2, moves: 90, views: 40 },
  device: 'phone',
}
const answers: Answers = {
  ...signedIn,
  '/console/api/heatmap-pages': { get: { pages: [menu] } },
  '/console/api/heatmap': {
    get: {
      ...{ points: 10, fixedPoints: 1, visitors: 3, sessions: 4, width: 390, height: 700, gridColumns: 160, rowPx: 10 },
      cells: { columns: [48, 120], rows: [22, 100], points: [7, 2] },
      fixedCells: { columns: [2], rows: [2], points: [1] },
      isCut: false,
      elements: [{ label: 'Order now', path: 'main > button', clicks: 9, visitors: 3 }],
    },
  },
  '/console/api/scroll-map': { get: { views: 8, reached: [8, 2], height: 2000, fold: 700 } },
  '/console/api/heatmap-picture': { get: { picture: null } },
  '/console/api/heatmap-area': {
    get: {
      ...{ points: 7, visitors: 2, sessions: 3 },
      newest: [
        {
          ...{ sessionId: 's1', distinctId: 'd1', points: 5, at: '2026-01-02T03:04:05.000Z' },
          person: { id: 'p1', email: null, name: 'Maria Silva' },
        },
      ],
    },
  },
}
const map = `/heatmaps?page=${encodeURIComponent(menu.page)}`
const openMenu = async (title: string, item: string): Promise<void> => {
  await userEvent.click(await screen.findByRole('button', { name: `Chart menu: ${title}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}

test('pages are listed, filtered by a pattern, and opened at the widths that they are seen in most', async () => {
  const { at, asked } = openConsole('/heatmaps?range=7d', answers)
  const table = within(await screen.findByRole('table', { name: 'Pages' }))
  expect(table.getByText('1,200')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox', { name: /Filter the pages/ }), 'menu')
  await expect.poll(() => asked.some((one) => one.includes(`pattern=${encodeURIComponent('*menu*')}`))).toBe(true)
  await userEvent.click(await screen.findByRole('link', { name: 'shop.test/menu' }))
  await expect.poll(at).toContain('device=phone')
  expect(at()).toContain('range=7d')
})

test('a map says how many, names its elements, and that no recording shows the page', async () => {
  const { asked } = openConsole(map, answers)
  await screen.findByText('10 clicks of 3 visitors, in 4 sessions')
  expect(await screen.findByText(/No recording shows this page at these widths/)).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'Elements' })).getByText('Order now')).toBeTruthy()
  // The link did not say the widths: those that the page is seen in most.
  expect(asked.some((one) => one.startsWith('GET /heatmap?') && one.includes('device=phone'))).toBe(true)
})

test('a row of the table chooses its place, whose sessions lead to the moment', async () => {
  const { at } = openConsole(`${map}&device=phone`, answers)
  await openMenu('Clicks on shop.test/menu', 'Show as table')
  const table = within(await screen.findByRole('table', { name: 'Clicks on shop.test/menu' }))
  await userEvent.click(table.getByText('30–30.6 % across, 220–230 px down'))
  const chosen = within(await screen.findByRole('region', { name: 'Chosen area' }))
  await chosen.findByText('7 clicks of 2 visitors, in 3 sessions')
  expect(chosen.getByRole('link', { name: 'Maria Silva' }).getAttribute('href')).toBe(
    `/console/sessions/s1?at=${encodeURIComponent('2026-01-02T03:04:05.000Z')}`,
  )
  expect(at()).toContain(`area=${encodeURIComponent('30-30.63,220-230')}`)
  await userEvent.click(chosen.getByRole('button', { name: 'Choose no area' }))
  await expect.poll(at).not.toContain('area')
})

test('kind, widths, time and page stand in the address; another drawing keeps no chosen place', async () => {
  const { at } = openConsole(`${map}&device=phone&area=10-20,30-40`, answers)
  await screen.findByRole('region', { name: 'Chosen area' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Width of the viewport' }), 'tablet')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'What is drawn' }), 'scroll')
  await screen.findByText('8 views; the page is 2000 px high, of which 700 px are seen without scrolling.')
  const { searchParams } = new URL(at(), 'http://console')
  expect(Object.fromEntries(searchParams)).toEqual({ page: menu.page, device: 'tablet', kind: 'scroll' })
  const field = screen.getByRole('textbox', { name: 'Page' })
  await userEvent.clear(field)
  await userEvent.type(field, '*/items/*{Enter}')
  await expect.poll(at).toContain(`page=${encodeURIComponent('*/items/*')}`)
})

test('without anything it says what to switch on; a filter that nothing fits, how it is written', async () => {
  const none: Answers = { ...answers, '/console/api/heatmap-pages': { get: { pages: [] } } }
  const first = openConsole('/heatmaps', none)
  await screen.findByRole('heading', { name: 'No heat maps in this time.' })
  expect(screen.getByRole('link', { name: 'Capture settings' }).getAttribute('href')).toBe(
    '/console/events/settings?open=capture_heatmaps',
  )
  first.close()
  openConsole('/heatmaps?q=nothing', none)
  await screen.findByRole('heading', { name: 'No page fits this filter.' })
})

test('what fails is said, on the list and on a map', async () => {
  const failing = refuse(500, 'INTERNAL', 'The engine does not answer.')
  const first = openConsole('/heatmaps', { ...answers, '/console/api/heatmap-pages': { get: failing } })
  expect((await screen.findByRole('alert')).textContent).toContain('The engine does not answer.')
  first.close()
  openConsole(`${map}&device=phone`, { ...answers, '/console/api/heatmap': { get: failing } })
  expect((await screen.findByRole('alert')).textContent).toContain('The engine does not answer.')
})
