import { gzipSync } from 'node:zlib'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { momentOf, requestMoment } from '../../test/answers/requests.ts'
import { session, signedIn } from '../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../test/console.tsx'

const nobody = { distinctId: '', personId: null, userId: null, email: null, name: null }
const head = {
  ...{ clewRecording: 1, sessionId: session.id, exportedAt: '2026-01-03T00:00:00.000Z', values: false },
  detail: {
    session: { ...session, person: nobody },
    ...{ windows: [], clock: { offsetMs: 3, spreadMs: 0, samples: 4 }, oldClient: null, truncated: false, earlier: 0 },
  },
}
const moment = momentOf('click', 40_800, 'Place order', { requests: [requestMoment] })
const lines = [head, { moment }, { end: { moments: 1, messages: 0 } }]
const file = new Uint8Array(gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
// jsdom's files have no stream.
Object.defineProperty(File.prototype, 'stream', { value: () => new Response(file).body })

const outside: Answers = {
  '/console/api/session': { get: refuse(401, 'CLEW_OPERATORS_NOT_SIGNED_IN', 'Sign in.') },
}

test('a link that has lost its token is not asked for', async () => {
  const { asked } = openConsole('/shared', outside)
  await screen.findByRole('heading', { name: 'This link shows nothing', level: 1 })
  expect(screen.getByRole('alert').textContent).toContain('A part of it is missing.')
  expect(asked.filter((one) => one.includes('shared'))).toEqual([])
})

test('a link opens the session without an account; its token is sent in a body, and its lines lead nowhere', async () => {
  const sent: string[] = []
  const { at, asked } = openConsole('/shared#the-token', {
    ...outside,
    '/console/api/shared': {
      post: async (request: Request) => {
        sent.push(await request.text())
        return new Response(file)
      },
    },
  })
  await screen.findByRole('heading', { name: 'A recorded session', level: 1 })
  expect(sent).toEqual(['{"token":"the-token"}'])
  // Whose it is, the link does not say: neither that they were signed in, nor that they were not.
  expect(screen.queryByText('not signed in')).toBeNull()
  expect(asked.every((one) => !one.includes('the-token'))).toBe(true)
  const thread = within(screen.getByRole('list', { name: 'Thread' }))
  expect(thread.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Click Place order'])
  expect(screen.queryByRole('navigation', { name: 'Screens' })).toBeNull()
  await userEvent.click(screen.getByRole('tab', { name: 'Network' }))
  await expect.poll(at).toBe('/shared?tab=network#the-token')
  expect(sent).toHaveLength(1)
})

test('a link that is over says so', async () => {
  openConsole('/shared#old', {
    ...outside,
    '/console/api/shared': { post: refuse(404, 'CLEW_SHARES_NOT_FOUND', 'This link shows nothing.') },
  })
  await screen.findByRole('heading', { name: 'This link shows nothing' })
  expect(screen.getByRole('alert').textContent).toContain('expired or was revoked')
})

const share = {
  ...{ id: '0b5f1c1e-0000-4000-8000-0000000000f1', sessionId: session.id, lanes: ['clicks' as const] },
  ...{ showsValues: false, showsPerson: false, createdBy: 'olga@example.test', opened: 2, lastOpenedAt: null },
  ...{ createdAt: '2026-01-02T03:04:05.000Z', expiresAt: '2126-01-02T03:04:05.000Z', revokedAt: null },
}

test('a link is made with what it may show, told once, and revoked', async () => {
  const made: unknown[] = []
  const { asked } = openConsole(`/sessions/${session.id}`, {
    ...signedIn,
    '/console/api/sessions': { get: { sessions: [], next: null, ranked: null } },
    '/console/api/sessions/{id}/outline': { get: { session, recording: null } },
    '/console/api/sessions/{id}': { get: { ...head.detail, session, moments: [moment] } },
    '/console/api/shares': {
      get: { shares: [share] },
      post: async (request: Request) => {
        made.push(await request.json())
        return Response.json({ share, token: 'told-once' }, { status: 201 })
      },
    },
    '/console/api/shares/{id}': { delete: null },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Share by a link…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Share this session' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'changed rows' }))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Valid' }), 'for a day')
  await userEvent.click(dialog.getByRole('button', { name: 'Make a link' }))
  expect(await dialog.findByText(/\/console\/shared#told-once$/)).toBeTruthy()
  expect(made).toEqual([
    { sessionId: session.id, lanes: ['clicks', 'api', 'rows'], showsValues: false, showsPerson: false, hours: 24 },
  ])
  expect(dialog.getByText(/opened 2 times/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke' }))
  await expect.poll(() => asked.includes(`DELETE /shares/${share.id}`)).toBe(true)
})
