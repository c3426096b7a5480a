import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { session, signedIn } from '../../../test/answers.ts'
import { openConsole } from '../../../test/console.tsx'

const view = {
  ...{
    id: 'v1',
    name: 'Failing',
    search: { errors: true },
    isShared: true,
    createdBy: 'ann@example.test',
    isMine: false,
  },
}
const answers = {
  ...signedIn,
  '/console/api/sessions': { get: { sessions: [session], next: null, ranked: null } },
  '/console/api/session-views': { get: { views: [view] } },
}

test('lists visits; filters stand in the address and are asked for', async () => {
  const { at, asked } = openConsole('/sessions', answers)
  await screen.findByRole('link', { name: 'Maria Silva' })
  await userEvent.click(screen.getByRole('button', { name: 'with errors', pressed: false }))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by person or path' }), 'ma')
  await expect.poll(at).toBe('/sessions?errors=true&q=ma')
  await expect.poll(() => asked.some((one) => one.includes('errors=true') && one.includes('q=ma'))).toBe(true)
})

test('a list without sessions shows what makes one appear', async () => {
  openConsole('/sessions', {
    ...answers,
    '/console/api/sessions': { get: { sessions: [], next: null, ranked: null } },
  })
  await screen.findByText('No sessions yet.')
  expect(screen.getByText(/posthog.init/)).toBeTruthy()
})

test('a link with a filter asks for it: days of the viewer as instants', async () => {
  const { asked } = openConsole('/sessions?from=2026-01-02&to=2026-01-02&status=404&requestMs=500&country=xx', answers)
  await screen.findByRole('button', { name: /since 2026-01-02/ })
  const { searchParams } = new URL(asked.find((one) => one.startsWith('GET /sessions'))?.slice(4) ?? '', 'http://x')
  const [from, to] = ['2026-01-02T00:00:00', '2026-01-03T00:00:00'].map((day) => new Date(day).toISOString())
  expect(Object.fromEntries(searchParams)).toEqual({ limit: '50', status: '404', requestMs: '500', from, to })
})

test('a view is opened from the menu: its filter stands in the address, and its name on the menu', async () => {
  const { at } = openConsole('/sessions', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Failing/ }))
  await expect.poll(at).toBe('/sessions?errors=true')
  await screen.findByRole('button', { name: 'Failing' })
})

test('the present filter is saved under a name, for the team', async () => {
  const created: unknown[] = []
  openConsole('/sessions?status=404&sort=longest', {
    ...answers,
    '/console/api/session-views': {
      get: { views: [] },
      post: async (request) => {
        created.push(await request.json())
        return Response.json({ id: 'v2' }, { status: 201 })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Save this view…' }))
  await userEvent.type(await screen.findByLabelText('Name'), 'Missing pages')
  await userEvent.click(screen.getByLabelText(/For the team/))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => created)
    .toEqual([{ name: 'Missing pages', search: { status: '404', sort: 'longest' }, isShared: true }])
})

test('a view is changed and deleted by those who may; of others there is its name', async () => {
  const { asked } = openConsole('/sessions', {
    ...answers,
    '/console/api/session-views': {
      get: { views: [view, { ...view, id: 'v2', name: 'Mine', isShared: false, isMine: true }] },
    },
    '/console/api/session-views/{id}': { delete: null },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'All views…' }))
  await screen.findByText('of the team, by ann@example.test')
  expect(screen.queryByRole('button', { name: 'Delete Failing' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Delete Mine' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await expect.poll(() => asked).toContain('DELETE /session-views/v2')
})

test('a picture of a session is asked for when its link is pointed at, and not before', async () => {
  const { asked } = openConsole('/sessions', {
    ...answers,
    '/console/api/sessions': { get: { sessions: [{ ...session, hasRecording: true }], next: null, ranked: null } },
  })
  const link = await screen.findByRole('link', { name: 'Maria Silva' })
  expect(asked.filter((one) => one.includes('/picture'))).toEqual([])
  await userEvent.hover(link)
  await expect.poll(() => asked).toContain(`GET /sessions/${session.id}/picture`)
})
