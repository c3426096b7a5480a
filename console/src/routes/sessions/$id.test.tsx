import { focusManager } from '@tanstack/react-query'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { momentOf, request, requestMoment } from '../../../test/answers/requests.ts'
import { maria, session, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const moment = {
  windowId: null,
  untilMs: null,
  level: null,
  properties: null,
  requests: [],
  frame: null,
}
const answers = {
  ...signedIn,
  '/console/api/notes': { get: { notes: [] } },
  '/console/api/sessions': { get: { sessions: [], next: null, ranked: null } },
  '/console/api/sessions/{id}/outline': { get: { session, recording: null } },
  '/console/api/sessions/{id}': {
    get: {
      session,
      windows: [],
      clock: { offsetMs: 3, spreadMs: 0, samples: 4 },
      oldClient: null,
      truncated: false,
      earlier: 0,
      moments: [
        { ...moment, id: 'm1', kind: 'page', atMs: 0, at: session.startedAt, label: '/basket' },
        { ...moment, id: 'm2', kind: 'click', atMs: 40_800, at: request.at, label: 'Place order' },
        { ...moment, id: 'm3', kind: 'console', atMs: 43_000, at: request.at, level: 'warn', label: 'receipt is late' },
      ],
    },
  },
} satisfies Answers
const address = `/sessions/${session.id}`

test('a link that names an instant leads to the moment of the session then', async () => {
  openConsole(`${address}?at=${request.at}`, answers)
  await screen.findByRole('heading', { name: 'Maria Silva', level: 1 })
  expect(screen.getByRole('button', { name: 'Click Place order' }).getAttribute('aria-current')).toBe('true')
})

test('a link to a request opens at the click that it belongs to, whatever came between the two', async () => {
  const detail = answers['/console/api/sessions/{id}']
  const click = momentOf('click', 40_800, 'Place order', { requests: [requestMoment] })
  const { at } = openConsole(`${address}?t=43.5&moment=${requestMoment.id}`, {
    ...answers,
    '/console/api/sessions/{id}': {
      get: { ...detail.get, moments: [click, momentOf('page', 41_000, '/thanks')] },
    },
  })
  const opened = await screen.findByRole('button', { name: 'Click Place order' })
  expect(opened.getAttribute('aria-current')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Page /thanks' }))
  await expect.poll(at).toBe(`${address}?t=41`)
})

test('a link leads to its moment', async () => {
  openConsole(`${address}?t=40.8`, answers)
  await screen.findByRole('heading', { name: 'Maria Silva', level: 1 })
  expect(screen.getByRole('button', { name: 'Click Place order' }).getAttribute('aria-current')).toBe('true')
})

test('choosing a moment writes it into the address, once the playback has come to rest', async () => {
  const { at } = openConsole(address, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Click Place order' }))
  await expect.poll(at).toBe(`${address}?t=40.8`)
})

test('tab, filter and chips stand in the address', async () => {
  const { at } = openConsole(address, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'console', pressed: false }))
  await screen.findByText('receipt is late')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter this session' }), 'place')
  await expect.poll(() => within(screen.getByRole('list', { name: 'Thread' })).getAllByRole('listitem').length).toBe(1)
  await userEvent.click(screen.getByRole('tab', { name: 'Person' }))
  await screen.findByText(maria.email)
  const { searchParams } = new URL(at(), 'http://console')
  const lane = 'clicks,api,rows,live,server,console'
  expect(Object.fromEntries(searchParams)).toEqual({ lane, q: 'place', tab: 'person' })
})

test('the person leads to all of their sessions', async () => {
  const { at } = openConsole(`${address}?tab=person`, answers)
  await userEvent.click(await screen.findByRole('link', { name: 'All sessions of this person' }))
  await expect.poll(at).toBe(`/sessions?q=${encodeURIComponent(maria.email)}`)
})

test('a session past its retention says so', async () => {
  openConsole(address, {
    ...answers,
    '/console/api/sessions/{id}/outline': { get: refuse(404, 'CLEW_THREAD_NO_SESSION', 'There is no such session.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such session.')
})

test('a session stays on the screen when a later look at it fails', async () => {
  let looks = 0
  const detail = answers['/console/api/sessions/{id}'].get
  const failed = refuse(500, 'CLEW_INTERNAL', 'Something went wrong.')
  const get = () => {
    looks += 1
    return looks === 1 ? Response.json(detail) : failed()
  }
  openConsole(address, { ...answers, '/console/api/sessions/{id}': { get } })
  await screen.findByRole('button', { name: 'Click Place order' })
  onTestFinished(() => {
    vi.useRealTimers()
    focusManager.setFocused(undefined)
  })
  vi.useFakeTimers({ toFake: ['Date'] })
  // A further look is made when the one that fails is over.
  const lookAgain = () => {
    vi.setSystemTime(Date.now() + 60_000)
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    return looks
  }
  await expect.poll(lookAgain).toBeGreaterThan(2)
  expect(screen.getByRole('button', { name: 'Click Place order' })).toBeTruthy()
})

const listed = {
  ...answers,
  '/console/api/sessions': {
    get: { sessions: ['newer', session.id, 'older'].map((id) => ({ ...session, id })), next: null, ranked: null },
  },
}

test('n and p step through the filtered list that the session was opened from', async () => {
  const list = { errors: true, q: 'ma' }
  const { at, asked } = openConsole(
    `${address}?list=${encodeURIComponent(JSON.stringify(list))}&tab=network&t=40`,
    listed,
  )
  await screen.findByRole('heading', { name: 'Maria Silva', level: 1 })
  await expect.poll(() => screen.getByRole('button', { name: 'Next session' }).matches(':enabled')).toBe(true)
  expect(
    asked.some((one) => one.startsWith('GET /sessions?') && one.includes('errors=true') && one.includes('q=ma')),
  ).toBe(true)
  await userEvent.keyboard('n')
  await expect.poll(at).toContain('/sessions/older?')
  const { searchParams } = new URL(at(), 'http://console')
  expect(Object.fromEntries(searchParams)).toEqual({ list: JSON.stringify(list), tab: 'network' })
  await expect.poll(() => screen.getByRole('button', { name: 'Next session' }).matches(':disabled')).toBe(true)
  await userEvent.keyboard('pp')
  await expect.poll(at).toContain('/sessions/newer?')
})

test('the list’s link to a session carries its filter', async () => {
  openConsole('/sessions?q=ma', listed)
  const [link] = await screen.findAllByRole('link', { name: 'Maria Silva' })
  expect(new URL(link?.getAttribute('href') ?? '', 'http://console').searchParams.get('list')).toBe('{"q":"ma"}')
})
