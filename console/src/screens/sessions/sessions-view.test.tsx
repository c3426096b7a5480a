import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { snippets } from '../../../test/answers.ts'
import { renderView } from '../../../test/render.tsx'
import type { Instance, SessionSummary } from '../../lib/api/schemas.ts'
import { SessionsView } from './sessions-view.tsx'

const session = (number: number, facts: Partial<SessionSummary> = {}): SessionSummary => ({
  id: `s${number}`,
  startedAt: '2026-01-02T03:04:05.000Z',
  endedAt: '2026-01-02T03:08:17.000Z',
  durationMs: 252_000,
  activeMs: 126_000,
  live: false,
  quietMs: 120_000,
  hasRecording: true,
  person: {
    distinctId: `0197aaaa-0000-7000-8000-00000000000${number}`,
    personId: null,
    userId: null,
    email: null,
    name: null,
  },
  people: [],
  browser: 'Chrome',
  os: 'macOS',
  device: null,
  entryPath: '/menu',
  pages: 3,
  clicks: 8,
  events: 4,
  requests: 5,
  changes: 2,
  errors: 0,
  ...facts,
})

const instance: Instance = {
  project: 'Café',
  mode: 'local',
  version: '0.1.0',
  apiUrl: 'http://localhost:54321',
  inboxUrl: null,
  dbUrl: null,
  exampleUrl: null,
  publishableKey: 'sb_publishable_x',
  anonKey: 'a',
  ingestToken: 'phc_x',
  readiness: { sendsMail: false, hasDomain: false, ownKeys: false, asksConsent: false },
  snippets,
  services: ['rest', 'auth'],
  engines: [],
}

function show(facts: Partial<Parameters<typeof SessionsView>[0]> = {}) {
  const calls = { onFilter: vi.fn(), onFilterOpen: vi.fn(), onOpen: vi.fn(), onEnd: vi.fn() }
  const list = { items: [session(1)], next: null, ranked: null }
  renderView(<SessionsView list={list} filter={{}} instance={instance} tables={[]} {...calls} {...facts} />)
  return calls
}

test('a person goes by name and e-mail, an unknown one as a visitor; live visits say so', () => {
  const maria = { distinctId: 'd', personId: null, userId: 'u', email: 'maria@example.test', name: 'Maria' }
  const sentence = 'Added orders #825, then found no invoices'
  const marias = session(1, { person: maria, live: true, quietMs: 0, errors: 2, sentence })
  show({ list: { items: [marias, session(2)], next: null, ranked: null } })
  const [, first, second] = screen.getAllByRole('row')
  const cells = within(first ?? document.body)
  expect(cells.getByRole('link', { name: 'Maria' }).getAttribute('href')).toBe('/sessions/s1')
  expect(cells.getByText('maria@example.test')).toBeTruthy()
  expect(cells.getByText(sentence)).toBeTruthy()
  expect(cells.getByText('live')).toBeTruthy()
  expect(cells.getByText('4 m 12 s')).toBeTruthy()
  expect(within(second ?? document.body).getByRole('link', { name: 'Visitor 00000002' })).toBeTruthy()
})

test('a visit of two people has both names', () => {
  const named = (name: string) => ({
    distinctId: 'd',
    personId: null,
    userId: name,
    email: `${name}@example.test`,
    name,
  })
  const part = (name: string | null, fromMs: number) => ({
    person: name === null ? null : named(name),
    ...{ fromMs, toMs: fromMs + 1000, windowIds: [], exact: true, why: null },
  })
  const people = [part('Ana', 0), part(null, 1000), part('Ben', 2000), part('Ana', 3000)]
  show({ list: { items: [session(1, { person: named('Ana'), people })], next: null, ranked: null } })
  expect(screen.getByRole('link', { name: 'Ana, Ben' })).toBeTruthy()
  expect(screen.getByText('Ana@example.test, Ben@example.test')).toBeTruthy()
})

test('filters are told, and leave the others alone', async () => {
  const { onFilter } = show({ filter: { q: 'maria' } })
  await userEvent.click(screen.getByRole('button', { name: 'with errors' }))
  expect(onFilter).toHaveBeenCalledWith({ q: 'maria', errors: true })
  await userEvent.click(screen.getByRole('button', { name: 'Clear the filter' }))
  expect(onFilter).toHaveBeenCalledWith({})
})

test('an empty list shows the lines that fill it; a filter too narrow is another thing', async () => {
  show({ list: { items: [], next: null, ranked: null } })
  expect(screen.getByRole('heading', { name: 'No sessions yet.' })).toBeTruthy()
  expect(screen.getByText(/posthog\.init\('phc_test'/)).toBeTruthy()
})

test('a filter nothing fits can be dropped', async () => {
  const { onFilter } = show({ list: { items: [], next: null, ranked: null }, filter: { live: true } })
  await userEvent.click(screen.getByRole('button', { name: 'Show all sessions' }))
  expect(onFilter).toHaveBeenCalledWith({})
})

test('a filter is typed in a form, stands as chips, and each part is taken off by itself', async () => {
  const { onFilter } = show({ filter: { q: 'maria', status: '5xx', seconds: 60 } })
  await userEvent.click(screen.getByRole('button', { name: /longer than 60 s/ }))
  expect(onFilter).toHaveBeenLastCalledWith({ q: 'maria', status: '5xx' })
  await userEvent.click(screen.getByRole('button', { name: 'Filter…' }))
  const form = within(await screen.findByRole('dialog', { name: 'Filter sessions' }))
  await userEvent.type(form.getByLabelText('Country'), 'pt')
  await userEvent.type(form.getByLabelText('Changed rows of'), 'public.orders')
  await userEvent.clear(form.getByLabelText('A request was answered'))
  await userEvent.click(form.getByRole('button', { name: 'Filter' }))
  expect(onFilter).toHaveBeenLastCalledWith({ q: 'maria', country: 'PT', table: 'public.orders', seconds: 60 })
})

test('where a page has none that fit, older ones are looked for', async () => {
  const { onEnd } = show({
    list: { items: [], next: '2026-01-01T00:00:00.000Z', ranked: null },
    filter: { country: 'PT' },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Look further back' }))
  expect(onEnd).toHaveBeenCalled()
})

test('another order is one of the newest sessions, and says of which; the column has a mark', async () => {
  const ranked = { sessions: 1000, since: '2026-01-01T00:00:00.000Z' }
  const list = { items: [session(1, { slowestMs: 1250 })], next: null, ranked }
  const { onFilter } = show({ list, filter: { q: 'maria', sort: 'statement' } })
  expect(screen.getByText(/slowest statements of the newest 1,000 sessions/)).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: 'Statement' }).getAttribute('aria-sort')).toBe('descending')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Longest first')
  expect(onFilter).toHaveBeenLastCalledWith({ q: 'maria', sort: 'longest' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'Newest first')
  expect(onFilter).toHaveBeenLastCalledWith({ q: 'maria' })
})

test('an order alone is no filter', () => {
  show({ list: { items: [], next: null, ranked: { sessions: 0, since: null } }, filter: { sort: 'errors' } })
  expect(screen.getByRole('heading', { name: 'No sessions yet.' })).toBeTruthy()
})
