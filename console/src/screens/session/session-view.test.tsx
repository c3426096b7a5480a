import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { change, momentOf, requestMoment, statement } from '../../../test/answers/requests.ts'
import { session } from '../../../test/answers.ts'
import { renderView } from '../../../test/render.tsx'
import type { Change, Moment, RequestMoment, SessionDetail } from '../../lib/api/schemas.ts'
import { createPlayback } from '../../player/playback.ts'
import { layOut } from '../../player/timeline.ts'
import { type SessionSearch, shownOf } from './search.ts'
import { SessionView } from './session-view.tsx'

// jsdom draws no canvas and measures no line.
HTMLCanvasElement.prototype.getContext = () => null
Object.defineProperty(HTMLLIElement.prototype, 'offsetHeight', { configurable: true, value: 28 })

const { startedAt } = session

const order: RequestMoment = {
  ...requestMoment,
  link: { channel: 'learnt', exact: false, foreign: false, why: 'seen elsewhere too' },
  statements: [statement],
  changes: [
    {
      ...change,
      table: 'orders',
      operation: 'insert',
      key: { id: '812' },
      old: null,
      new: { id: '812', total: '10.00' },
      columns: [],
    },
  ],
}

const moment = (number: number, facts: Partial<Moment>): Moment =>
  momentOf('click', number * 1000, `Button ${number}`, { id: `m${number}`, ...facts })

const moments = [
  moment(0, { kind: 'page', label: '/basket' }),
  moment(40, { atMs: 40_800, label: 'Place order', requests: [order] }),
  moment(43, { kind: 'console', level: 'warn', label: 'receipt is late' }),
  moment(47, { kind: 'page', label: '/orders/812' }),
]

const detail = (facts: Partial<SessionDetail> = {}): SessionDetail => ({
  session,
  windows: [],
  clock: { offsetMs: 3, spreadMs: 12, samples: 4 },
  moments,
  oldClient: null,
  truncated: false,
  earlier: 0,
  ...facts,
})

function show(facts: Partial<Parameters<typeof SessionView>[0]> = {}) {
  const playback = createPlayback(0)
  playback.load(layOut({ windows: [], damaged: 0 }, Date.parse(startedAt), 252_000))
  const calls = {
    onTab: vi.fn(),
    onFilter: vi.fn(),
    onChips: vi.fn(),
    onLevels: vi.fn(),
    onNetwork: vi.fn(),
    onSelect: vi.fn((chosen: Moment) => playback.seek(chosen.atMs)),
    onRequest: vi.fn(),
    onRow: vi.fn(),
  }
  const { unmount } = renderView(
    <SessionView
      detail={detail()}
      player={{ playback, recording: { kind: 'none' }, picked: undefined }}
      shown={shownOf({})}
      {...calls}
      {...facts}
    />,
  )
  return { playback, unmount, ...calls }
}

test('a click, its request with status and time, its SQL and its row stand in this order', () => {
  show()
  const text = screen.getByRole('list', { name: 'Thread' }).textContent ?? ''
  const parts = ['Click Place order', 'POST', '/rest/v1/orders', '201', '18 ms', 'insert into orders', '1 row', '+']
  const places = [...parts, 'orders #812', 'total 10.00', 'created', 'Page /orders/812'].map((part) =>
    text.indexOf(part),
  )
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('choosing a moment seeks there, and it becomes the current one', async () => {
  const { onSelect, playback } = show()
  await userEvent.click(screen.getByRole('button', { name: 'Click Place order' }))
  expect(onSelect).toHaveBeenCalledTimes(1)
  expect(playback.state().nowMs).toBe(40_800)
  expect(screen.getByRole('button', { name: 'Click Place order' }).getAttribute('aria-current')).toBe('true')
})

test('the tracks are a slider that says where it stands', async () => {
  const { playback } = show()
  const slider = screen.getByRole('slider', { name: 'Moment of the session' })
  act(() => playback.seek(41_000))
  expect(slider.getAttribute('aria-valuetext')).toBe('0:41 click Place order')
  slider.focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(playback.state().nowMs).toBe(46_000)
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{End}')
  expect(playback.state().nowMs).toBe(252_000)
  await userEvent.keyboard('{Home}')
  expect(playback.state().nowMs).toBe(0)
})

test('a request opens, a row opens, and a link that is only probable says so', async () => {
  const { onRequest, onRow } = show()
  await userEvent.click(screen.getByRole('button', { name: /POST \/rest\/v1\/orders/ }))
  expect(onRequest).toHaveBeenCalledWith(order)
  await userEvent.click(screen.getByRole('button', { name: 'orders #812' }))
  expect(onRow).toHaveBeenCalledWith(order.changes[0])
  expect(screen.getByRole('img', { name: 'probable: seen elsewhere too' })).toBeTruthy()
})

test('what auth does is one line that opens, and rows that a trigger changed say so', async () => {
  const invoice = { ...order.changes[0], id: 'invoice', table: 'invoices' } as Change
  const insert = { ...statement, text: 'insert into "public"."orders" ("total") values ($1)' }
  const auth: RequestMoment = { ...order, id: 'r2', service: 'auth', path: '/auth/v1/verify', method: 'POST' }
  show({
    detail: detail({
      moments: [
        moment(1, { label: 'Sign in', requests: [auth] }),
        moment(2, { requests: [{ ...order, statements: [insert], changes: [...order.changes, invoice] }] }),
      ],
    }),
  })
  const [signIn, placed] = screen.getAllByRole('listitem')
  const fold = within(signIn as HTMLElement).getByText('code confirmed: 1 statement, 1 row')
  expect(fold.closest('details')?.open).toBe(false)
  expect(fold.closest('details')?.textContent).toContain('insert into orders')
  expect(placed?.textContent).toMatch(/orders #812total 10.00created.*invoices #812total 10.00by trigger/)
})

test('a change that met no row asks why', () => {
  const patch: RequestMoment = { ...order, method: 'PATCH', status: 204, rows: 0, changes: [] }
  show({ detail: detail({ moments: [moment(2, { requests: [patch] })] }) })
  expect(screen.getByRole('button', { name: /PATCH .*0 rows/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Why?' })).toBeTruthy()
})

test('without a recording the thread stands alone, and nothing offers to play', () => {
  show()
  expect(screen.getByRole('heading', { name: 'This session has no recording.' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Play' })).toBeNull()
  expect(within(screen.getByRole('list', { name: 'Thread' })).getAllByRole('listitem')).toHaveLength(3)
})

test('chips narrow the list', async () => {
  const { onChips } = show()
  await userEvent.click(screen.getByRole('button', { name: 'console', pressed: false }))
  expect(onChips).toHaveBeenCalledWith(['clicks', 'api', 'rows', 'live', 'server', 'console'])
})

test('the console and the network are filtered by text and by chips', () => {
  const lines = [
    moment(1, { kind: 'console', level: 'warn', label: 'low stock' }),
    moment(2, { kind: 'exception', label: 'TypeError: total' }),
    moment(3, { requests: [order, { ...order, id: 'r3', method: 'GET', status: 404 }] }),
  ]
  const texts = (search: SessionSearch) => {
    const { unmount } = show({ detail: detail({ moments: lines }), shown: shownOf(search) })
    const found = screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
    if (found.length === 0) expect(screen.getByText('No lines match this filter.')).toBeTruthy()
    unmount()
    return found
  }
  expect(texts({ tab: 'console', q: 'STOCK' })).toEqual([expect.stringContaining('low stock')])
  expect(texts({ tab: 'console', level: 'error' })).toEqual([expect.stringContaining('TypeError: total')])
  expect(texts({ tab: 'network', q: '404' })).toEqual([expect.stringContaining('GET')])
  expect(texts({ tab: 'network', status: '2xx' })).toEqual([expect.stringContaining('201')])
  expect(texts({ tab: 'network', kind: 'script' })).toEqual([])
  expect(texts({ tab: 'network', q: 'no such call' })).toEqual([])
})

test('levels are chips with their counts, and a level that is chosen is told', async () => {
  const lines = [
    ...[1, 2].map((number) => moment(number, { kind: 'console', level: 'warn', label: `low ${number}` })),
    moment(3, { kind: 'console', level: 'table', label: 'rows' }),
  ]
  const { onLevels } = show({ detail: detail({ moments: lines }), shown: shownOf({ tab: 'console' }) })
  expect(screen.getByRole('button', { name: 'log 1', pressed: false })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'warn 2', pressed: false }))
  expect(onLevels).toHaveBeenCalledWith(['warn'])
})

test('what a line’s objects hold opens in place, and the stack of an error', async () => {
  const line = moment(1, { kind: 'console', level: 'error', label: 'failed {"order":{"id":7}}', windowId: 'w1' })
  const payload = { level: 'error', payload: ['"failed"', '{"order":{"id":7}}'], trace: ['at pay (cart.js:3:1)'] }
  const startMs = Date.parse(startedAt)
  const timeline = layOut(
    {
      windows: [
        {
          windowId: 'w1',
          events: [
            { type: 2, data: {}, timestamp: startMs },
            { type: 6, data: { plugin: 'rrweb/console@1', payload }, timestamp: startMs + 1000 },
          ],
        },
      ],
      damaged: 0,
    },
    startMs,
    252_000,
  )
  // Its picture is no part of this.
  const player = { playback: createPlayback(0), picked: undefined }
  show({
    detail: detail({ moments: [line] }),
    player: { ...player, recording: { kind: 'ready', damaged: 0, timeline: { ...timeline, scenes: [] } } },
    shown: shownOf({ tab: 'console' }),
  })
  await userEvent.click(screen.getByText('{"order":{"id":7}}'))
  await userEvent.click(screen.getByText('{"id":7}'))
  expect(screen.getByText('7')).toBeTruthy()
  expect(screen.queryByText('at pay (cart.js:3:1)')).toBeNull()
  await userEvent.click(screen.getByText('Stack'))
  expect(screen.getByText('at pay (cart.js:3:1)')).toBeTruthy()
})

test('a console of which not all is here says so', () => {
  const missing = [{ fromMs: Date.parse(startedAt) + 60_000, toMs: Number.POSITIVE_INFINITY }]
  const recording = { damaged: 0, windows: [{ windowId: 'w', events: [], missing }] }
  const timeline = { ...layOut(recording, Date.parse(startedAt), 252_000), scenes: [] }
  const player = { playback: createPlayback(0), picked: undefined }
  const inPart = 'Not all of the recording is loaded: further lines may follow.'
  const { unmount } = show({
    player: { ...player, recording: { kind: 'ready', damaged: 0, timeline } },
    shown: shownOf({ tab: 'console' }),
  })
  expect(screen.getByText(inPart)).toBeTruthy()
  unmount()
  show({
    player: { ...player, recording: { kind: 'ready', damaged: 0, timeline: { ...timeline, windows: [] } } },
    shown: shownOf({ tab: 'console' }),
  })
  expect(screen.queryByText(inPart)).toBeNull()
})

test('while the timeline is still to come its place is held', () => {
  show({ detail: detail({ moments: [] }), isComing: true })
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
  expect(screen.queryByText(/Nothing has happened/)).toBeNull()
})

test('a filter nothing fits says so', () => {
  show({ shown: shownOf({ q: 'no such thing' }) })
  expect(screen.getByText('No moments match this filter.')).toBeTruthy()
})

test('ten thousand moments draw only those in sight', () => {
  show({ detail: detail({ moments: Array.from({ length: 10_000 }, (_, number) => moment(number, {})) }) })
  const drawn = screen.getAllByRole('listitem').length
  expect(drawn).toBeGreaterThan(10)
  expect(drawn).toBeLessThan(80)
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('10000')
})

test('the server’s clock is honest about how far a time may be off', () => {
  show()
  expect(screen.getByText('± 12 ms').getAttribute('title')).toContain('up to 12 ms')
})

test('a posthog-js that is too old to tag requests is reported', () => {
  show({ detail: detail({ oldClient: '1.298.0' }) })
  expect(screen.getByText(/posthog-js 1\.298\.0 is too old/).textContent).toContain('1.380.0')
})
