import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { createLiveConnection, type LiveSocket } from './connection.ts'
import { refreshLiveQueries } from './refresh.ts'
import { live } from './topics.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server's end of the connections that a tab opens. */
function startServer() {
  const sockets: LiveSocket[] = []
  const sent: unknown[] = []
  const signedOut = vi.fn()
  const connection = createLiveConnection({
    signedOut,
    open() {
      const socket: LiveSocket = {
        readyState: 0,
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => void sent.push(JSON.parse(String(text))),
        close: () => undefined,
      }
      sockets.push(socket)
      return socket
    },
  })
  const latest = (): LiveSocket => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('No connection was opened.')
    return socket
  }
  // The handlers are typed with the whole WebSocket as `this`, which they do not use.
  const fire = (handler: unknown, event: object) => (handler as ((event: object) => void) | null)?.(event)
  return {
    ...{ connection, sockets, sent, signedOut },
    accept() {
      Object.assign(latest(), { readyState: 1 })
      fire(latest().onopen, {})
    },
    say: (message: object) => fire(latest().onmessage, { data: JSON.stringify(message) }),
    drop: (code = 1006) => fire(latest().onclose, { code }),
  }
}

test('one connection carries all that is watched, and closes when nothing is', async () => {
  const { connection, sockets, sent, accept, say } = startServer()
  const [requests, jobs] = [vi.fn(), vi.fn()]
  const end = connection.watch(['requests'], requests)
  connection.watch(['jobs', 'requests'], jobs)()
  const endJobs = connection.watch(['jobs'], jobs)
  await vi.advanceTimersByTimeAsync(300)
  accept()
  expect([sockets.length, sent]).toEqual([1, [{ watch: ['requests', 'jobs'] }]])
  say({ watching: ['requests', 'jobs'] })
  say({ changed: ['jobs'] })
  expect([requests.mock.calls.length, jobs.mock.calls.length]).toEqual([1, 2])
  end()
  await vi.advanceTimersByTimeAsync(300)
  expect(sent.at(-1)).toEqual({ watch: ['jobs'] })
  const close = vi.spyOn(sockets[0] as LiveSocket, 'close')
  endJobs()
  await vi.advanceTimersByTimeAsync(300)
  expect(close).toHaveBeenCalledOnce()
})

test('a tab that goes from screen to screen sends a few messages only', async () => {
  const { connection, sent, accept } = startServer()
  connection.watch(['requests'], () => undefined)
  await vi.advanceTimersByTimeAsync(20)
  accept()
  for (let screen = 0; screen < 100; screen += 1) {
    connection.watch([`session:${screen}`], () => undefined)
    await vi.advanceTimersByTimeAsync(20)
  }
  expect(sent.length).toBeLessThanOrEqual(10)
})

test('a connection that breaks is opened again, later each time, and is missed after some seconds', async () => {
  const { connection, sockets, accept, say, drop } = startServer()
  const changed = vi.fn()
  connection.watch(['requests'], changed)
  await vi.advanceTimersByTimeAsync(20)
  accept()
  say({ watching: ['requests'] })
  drop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([sockets.length, connection.isLost()]).toEqual([2, false])
  for (let second = 0; second < 120; second += 1) {
    if (sockets.at(-1)?.onclose) drop()
    Object.assign(sockets.at(-1) ?? {}, { onclose: null })
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(connection.isLost()).toBe(true)
  expect(sockets.length).toBeLessThan(20)
  accept()
  say({ watching: ['requests'] })
  expect([connection.isLost(), changed.mock.calls.length]).toEqual([false, 2])
})

test('a hidden tab watches nothing, and catches up when it is seen', async () => {
  const { connection, sockets, accept, say } = startServer()
  const changed = vi.fn()
  connection.watch(['requests'], changed)
  await vi.advanceTimersByTimeAsync(20)
  accept()
  say({ watching: ['requests'] })
  connection.setSeen(false)
  await vi.advanceTimersByTimeAsync(300)
  connection.setSeen(true)
  await vi.advanceTimersByTimeAsync(300)
  expect(sockets.length).toBe(2)
  accept()
  say({ watching: ['requests'] })
  expect(changed).toHaveBeenCalledTimes(2)
})

test('an end of the operator’s session is told', async () => {
  const { connection, signedOut, drop } = startServer()
  connection.watch(['requests'], () => undefined)
  await vi.advanceTimersByTimeAsync(20)
  drop(4401)
  expect(signedOut).toHaveBeenCalledOnce()
})

test('what is on the screen is asked again when something is new, at its own pace and one after another', async () => {
  const { connection, accept, say, drop, sent } = startServer()
  const queryClient = new QueryClient()
  refreshLiveQueries(queryClient, connection)
  let asked = 0
  let answer = (): void => undefined
  const queryFn = () =>
    new Promise<number>((resolve) => {
      asked += 1
      answer = () => resolve(asked)
    })
  const observer = new QueryObserver(queryClient, { queryKey: ['requests'], queryFn, meta: live('requests') })
  const leave = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(20)
  accept()
  answer()
  say({ watching: ['requests'] })
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toBe(2)
  for (let notice = 0; notice < 20; notice += 1) {
    say({ changed: ['requests'] })
    await vi.advanceTimersByTimeAsync(250)
  }
  // The second answer is late: nothing else is asked until it is there.
  expect(asked).toBe(2)
  answer()
  await vi.advanceTimersByTimeAsync(1)
  answer()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toBe(3)
  drop()
  await vi.advanceTimersByTimeAsync(1)
  answer()
  await vi.advanceTimersByTimeAsync(16_000)
  answer()
  expect(asked).toBeGreaterThan(4)
  leave()
  const before = asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect([asked, sent.length]).toEqual([before, 1])
})

test('what the operator’s role does not allow is not watched, until it is allowed', async () => {
  const { connection, sockets, accept, say, drop, sent } = startServer()
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  refreshLiveQueries(queryClient, connection)
  const refusal = { status: 403, code: 'CLEW_OPERATORS_FORBIDDEN', message: 'No.', hint: null, requestId: null }
  let isAllowed = false
  const queryFn = vi.fn(async () => {
    if (!isAllowed) throw new ApiError(refusal)
    return 'seen'
  })
  const options = { queryKey: ['requests'], queryFn, meta: live('requests') }
  new QueryObserver(queryClient, options).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([queryFn.mock.calls.length, sockets.length, connection.isLost()]).toEqual([1, 0, false])
  isAllowed = true
  await queryClient.refetchQueries(options)
  await vi.advanceTimersByTimeAsync(300)
  accept()
  say({ watching: ['requests'] })
  expect(sent).toEqual([{ watch: ['requests'] }])
  drop()
})
