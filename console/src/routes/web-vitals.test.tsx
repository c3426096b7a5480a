import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../test/console.tsx'
import type { VitalPath, VitalSummary, VitalVisit, WebVitals } from '../lib/api/schemas.ts'

const percentiles: VitalSummary['percentiles'] = {
  p50: { value: 1200, rating: 'good' },
  p75: { value: 2900, rating: 'needs improvement' },
  p90: { value: 5100, rating: 'poor' },
}
const none = { p50: null, p75: null, p90: null }
const summary = (vital: VitalSummary['vital'], changes: Partial<VitalSummary> = {}): VitalSummary => ({
  ...{ vital, views: 0, good: 0, needsImprovement: 0, poor: 0, leftOut: 0, percentiles: none },
  ...changes,
})
const cls = { value: 0.05, rating: 'good' } as const
const measured: WebVitals = {
  vitals: [
    summary('LCP', { views: 10, good: 5, needsImprovement: 3, poor: 2, leftOut: 3, percentiles }),
    summary('INP'),
    summary('CLS', { views: 4, good: 4, percentiles: { p50: cls, p75: cls, p90: cls } }),
    summary('FCP'),
  ],
  course: [
    {
      at: '2026-01-02T03:00:00.000Z',
      vitals: [
        { vital: 'LCP', views: 10, percentiles },
        { vital: 'INP', views: 0, percentiles: none },
        { vital: 'CLS', views: 4, percentiles: { p50: cls, p75: cls, p90: cls } },
        { vital: 'FCP', views: 0, percentiles: none },
      ],
    },
  ],
  choices: { devices: ['Desktop', 'Mobile'], browsers: ['Chrome'], countries: ['PT'] },
}
const menu: VitalPath = {
  ...{ path: '/menu', views: 10, INP: null, FCP: null },
  LCP: percentiles.p75,
  CLS: cls,
}
const visit: VitalVisit = {
  ...{ id: '1.a', at: '2026-01-02T03:04:05.000Z', sessionId: 's-7', distinctId: 'visitor-1', person: null },
  momentAt: '2026-01-02T03:03:05.000Z',
  ...{ path: '/menu', browser: 'Chrome', os: 'macOS', device: 'Desktop', country: 'PT', measure: percentiles.p90 },
  ...{ element: 'main > img.hero', resource: 'https://shop.test/hero.avif' },
  parts: [{ name: 'while it loads', ms: 3100 }],
}
// No canvas draws here: the course is a table.
const address = '/web-vitals?look=table'
const answers: Answers = {
  ...signedIn,
  '/console/api/web-vitals': { get: measured },
  '/console/api/web-vitals/paths': { get: { paths: [menu], hasMore: true } },
  '/console/api/web-vitals/visits': { get: { visits: [visit] } },
}

test('each vital is a number with its rating in words, the parts of its views, and what was left out', async () => {
  openConsole(address, answers)
  const lcp = within(await screen.findByRole('button', { name: /^LCP/ }))
  expect(lcp.getByText('2.9 s')).toBeTruthy()
  expect(lcp.getByText('needs improvement')).toBeTruthy()
  for (const part of ['50% good', '30% need improvement', '20% poor']) expect(lcp.getByText(part)).toBeTruthy()
  expect(lcp.getByText(/left out/).textContent).toContain('10 views, 3 left out')
  const ofInp = within(screen.getByRole('button', { name: /^INP/ }))
  expect(ofInp.getByText('Not measured')).toBeTruthy()
  expect(within(screen.getByRole('button', { name: /^CLS/ })).getByText('0.05')).toBeTruthy()
})

test('the course of the chosen vital is a table too, with the views', async () => {
  const { at } = openConsole(address, answers)
  await screen.findByRole('table', { name: 'LCP over time' })
  await userEvent.click(screen.getByRole('button', { name: /^CLS/ }))
  expect(at()).toBe('/web-vitals?vital=CLS&look=table')
  const table = within(await screen.findByRole('table', { name: 'CLS over time' }))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['Time', 'p50', 'p75', 'p90', 'views'],
  ])
  expect(table.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['0.05', '0.05', '0.05', '4'])
})

test('filters, percentile and order stand in the address, and go to the server', async () => {
  const { at, asked } = openConsole(address, answers)
  await screen.findByRole('button', { name: /^LCP/ })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Device' }), 'Mobile')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'Portugal')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Percentile' }), 'p90')
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Order' }), 'Worst LCP first')
  await userEvent.type(screen.getByRole('textbox', { name: 'Path' }), '/product/*{enter}')
  expect(at()).toBe('/web-vitals?device=Mobile&country=PT&path=%2Fproduct%2F*&percentile=p90&order=worst&look=table')
  await expect
    .poll(() => asked.at(-1))
    .toBe('GET /web-vitals/paths?range=7d&device=Mobile&country=PT&path=%2Fproduct%2F*&percentile=p90&order=LCP')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(at()).toBe('/web-vitals?percentile=p90&order=worst&look=table')
})

test('a path that is opened shows its worst visits, what they are attributed to, and their sessions', async () => {
  const { at } = openConsole(address, answers)
  const table = await screen.findByRole('table', { name: 'Web vitals by path' })
  expect(screen.getByText(/There are more paths/)).toBeTruthy()
  await userEvent.click(within(table).getByText('/menu'))
  expect(at()).toBe('/web-vitals?open=%2Fmenu&look=table')
  const visits = within(await screen.findByRole('list', { name: 'Worst visits by Largest contentful paint' }))
  expect(visits.getByText('5.1 s')).toBeTruthy()
  expect(visits.getByText('main > img.hero')).toBeTruthy()
  expect(visits.getByText('3.1 s')).toBeTruthy()
  const link = visits.getByRole('link', { name: 'The session at that moment, of Visitor visitor-' })
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(`/sessions/s-7?at=${visit.momentAt}`)
})

test('without a measurement it says what to switch on; under a filter, how to see all', async () => {
  const nothing = { ...measured, vitals: measured.vitals.map(({ vital }) => summary(vital)) }
  const empty: Answers = {
    ...answers,
    '/console/api/web-vitals': { get: nothing },
    '/console/api/web-vitals/paths': { get: { paths: [], hasMore: false } },
  }
  const first = openConsole('/web-vitals', empty)
  await screen.findByText('No web vitals in the last 7 days.')
  const link = screen.getByRole('link', { name: 'capture settings' })
  expect(link.getAttribute('href')).toBe('/console/events/settings')
  first.close()
  const { at } = openConsole('/web-vitals?range=30d&device=Mobile', empty)
  await screen.findByText('No web vitals of the last 30 days match this filter.')
  await userEvent.click(screen.getByRole('button', { name: 'Show all web vitals' }))
  expect(at()).toBe('/web-vitals?range=30d')
})

test('who may not look is told so', async () => {
  openConsole('/web-vitals', {
    ...answers,
    '/console/api/web-vitals': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  await screen.findByText('Your role does not allow this.')
})
