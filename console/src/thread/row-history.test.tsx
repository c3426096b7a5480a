import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { change } from '../../test/answers/requests.ts'
import { renderView } from '../../test/render.tsx'
import type { Cause, Change, HistoryEntry, RowPast } from '../lib/api/schemas.ts'
import { RowHistory } from './row-history.tsx'

const ana = { distinctId: 'd1', personId: 'p1', userId: 'u1', email: 'ana@example.test', name: 'Ana' }

const entry = (cause: Cause, facts: Partial<Change> = {}): HistoryEntry => ({ change: { ...change, ...facts }, cause })

const past = (entries: HistoryEntry[], facts: Partial<RowPast> = {}): RowPast => ({
  entries,
  gaps: [],
  notRecorded: null,
  ...facts,
})

const inSession: Cause = {
  kind: 'session',
  requestId: 'r1',
  method: 'POST',
  path: '/rest/v1/orders',
  sessionId: 's1',
  atMs: 41_230,
  hasRecording: true,
  exact: true,
  why: null,
  person: ana,
  personWhy: null,
  role: 'authenticated',
}

test('a change made in a session names the person and leads to the moment', () => {
  renderView(<RowHistory past={past([entry(inSession)])} />)
  const item = screen.getByRole('listitem')
  expect(item.textContent).toContain('stock12 → 11')
  expect(item.textContent).toContain('Ana in this session at')
  const moment = within(item).getByRole('link', { name: 'Watch the session at 0:41' })
  expect(moment.getAttribute('href')).toBe('/sessions/s1?t=41.2&moment=r1')
  expect(within(item).getByRole('link', { name: 'POST /rest/v1/orders' }).getAttribute('href')).toBe('/requests/r1')
})

test('a link that was concluded is marked probable, an exact one is not', () => {
  const view = renderView(
    <RowHistory past={past([entry({ ...inSession, exact: false, why: 'seen elsewhere too' })])} />,
  )
  expect(screen.getByText('probable')).toBeTruthy()
  view.rerender(<RowHistory past={past([entry(inSession)])} />)
  expect(screen.queryByText('probable')).toBeNull()
})

test('a change that an operator made names them, and leads to the entry of the audit log', () => {
  const cause: Cause = {
    ...{ kind: 'operator', requestId: 'r5', operator: 'olga@example.test' },
    ...{ action: 'object.delete', actionId: 'a1' },
  }
  renderView(<RowHistory past={past([entry(cause)])} />)
  expect(screen.getByRole('listitem').textContent).toContain('olga@example.test in the console')
  const link = screen.getByRole('link', { name: 'object.delete in the audit log' })
  expect(link.getAttribute('href')).toBe('/audit?operator=olga%40example.test&action=object.delete&open=a1')
})

test('a change whose request is not known points to the audit log', () => {
  const cause: Cause = {
    ...{ kind: 'request', requestId: 'r4', method: '', path: '', role: '' },
    ...{ person: null, personWhy: null, foreign: false, why: null },
  }
  renderView(<RowHistory past={past([entry(cause)])} />)
  expect(screen.getByRole('listitem').textContent).toContain('an operator did it in the console')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/audit'])
})

test('a request with the id of another session says so and leads to no recording', () => {
  const cause: Cause = {
    ...{ kind: 'request', requestId: 'r3', method: 'POST', path: '/rest/v1/orders', role: 'authenticated' },
    ...{ person: ana, personWhy: null, foreign: true, why: 'The call is of another browser.' },
  }
  renderView(<RowHistory past={past([entry(cause)])} />)
  expect(screen.getByRole('listitem').textContent).toContain('Anasent with the id of another session')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/requests/r3'])
})

test('direct SQL says so and names no session', () => {
  renderView(<RowHistory past={past([entry({ kind: 'sql' })])} />)
  expect(screen.getByText('Direct SQL: no session')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

test('a request without a session leads to the request only', () => {
  const cause: Cause = {
    kind: 'request',
    requestId: 'r2',
    method: 'PATCH',
    path: '/rest/v1/products',
    role: 'service_role',
    person: null,
    personWhy: null,
    foreign: false,
    why: null,
  }
  renderView(<RowHistory past={past([entry(cause)])} />)
  expect(screen.getByRole('listitem').textContent).toContain('A request as service_role, no session')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/requests/r2'])
})

test('a value that PostgreSQL did not send is told from null', () => {
  const facts = { old: null, new: { stock: null }, columns: ['stock'] }
  renderView(<RowHistory past={past([entry({ kind: 'sql' }, facts)])} />)
  expect(screen.getByRole('listitem').textContent).toContain('not known → null')
})

test('a row without a past says why', () => {
  renderView(<RowHistory past={past([])} />)
  expect(screen.getByText(/No history yet/)).toBeTruthy()
})

test('changes that were never read are a line in their place, with times and reason', () => {
  const gap = {
    newerEntries: 1,
    from: '2026-01-02T03:00:00.000Z',
    until: null,
    reason: 'The replication slot was dropped.',
  }
  const entries = [entry(inSession), entry({ kind: 'sql' }, { id: '0/1:1' })]
  renderView(<RowHistory past={past(entries, { gaps: [gap] })} />)
  const items = screen.getAllByRole('listitem')
  expect(items).toHaveLength(3)
  expect(items[1]?.textContent).toMatch(/Changes may be missing between .* and nowThe replication slot was dropped\./)
})

test('where row changes are not recorded, a row without a past says why', () => {
  const notRecorded = 'Row changes are not recorded: set wal_level=logical.'
  renderView(<RowHistory past={past([], { notRecorded })} />)
  expect(screen.getByText(notRecorded)).toBeTruthy()
})
