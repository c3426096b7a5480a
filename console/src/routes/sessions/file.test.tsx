import { gzipSync } from 'node:zlib'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { change, momentOf, requestMoment } from '../../../test/answers/requests.ts'
import { operator, session, signedIn } from '../../../test/answers.ts'
import { openConsole } from '../../../test/console.tsx'

const moment = momentOf('click', 40_800, 'Place order', {
  requests: [{ ...requestMoment, changes: [change] }],
})
const head = {
  clewRecording: 1,
  sessionId: session.id,
  exportedAt: '2026-01-03T00:00:00.000Z',
  values: true,
  detail: {
    session: { ...session, hasRecording: true },
    windows: [],
    clock: { offsetMs: 3, spreadMs: 0, samples: 4 },
    oldClient: null,
    truncated: false,
    earlier: 0,
  },
}
const startMs = Date.parse(session.startedAt)
const message = {
  message: '01998a5e-7b7c-7e3f-8a4e-3f6f0a1b2c30',
  ...{ distinctId: 'd', sentAtMs: null, userAgent: '', windowId: 'w', tail: 'a', receivedMs: 1, offsetMs: 0 },
  // What cannot be played without a snapshot: jsdom plays nothing.
  events: [{ type: 3, timestamp: startMs, data: { source: 2, type: 2, id: 7 } }],
}
const end = { end: { moments: 1, messages: 1 } }
/** jsdom's files have no stream. */
const withStream = (bytes: Uint8Array<ArrayBuffer>): File =>
  Object.assign(new File([bytes], 'visit.clew.gz'), { stream: () => new Response(bytes).body })
const fileOf = (...lines: readonly (object | string)[]): File => {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  return withStream(new Uint8Array(gzipSync(text)))
}

async function openFile(file: File, answers = {}) {
  const opened = openConsole('/sessions/file', { ...signedIn, ...answers })
  await screen.findByRole('button', { name: 'Choose a file…' })
  await userEvent.upload(screen.getByLabelText('Recording file'), file)
  return opened
}

test('a file is played with its thread, says that it is one, and its lines lead nowhere', async () => {
  const { asked } = await openFile(fileOf(head, { moment }, message, end))
  await screen.findByRole('heading', { name: 'Maria Silva', level: 1 })
  expect(screen.getByText('from a file')).toBeTruthy()
  expect(screen.getByText('visit.clew.gz')).toBeTruthy()
  const thread = within(screen.getByRole('list', { name: 'Thread' }))
  expect(thread.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Click Place order'])
  expect(thread.queryByRole('link')).toBeNull()
  expect(thread.getByText('/rest/v1/orders', { exact: false })).toBeTruthy()
  expect(thread.getByText('products', { exact: false })).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Person' }))
  expect(screen.queryByRole('link', { name: 'All sessions of this person' })).toBeNull()
  // Nothing of the file has left the browser.
  expect(asked.filter((one) => !one.startsWith('GET /') || one.includes(session.id))).toEqual([])
})

test('what a file says that this console does not know is left out, and counted', async () => {
  const odd = { ...moment, requests: [{ method: { toString: 1 } }] }
  await openFile(fileOf(head, { moment }, { moment: odd }, '{"moment":<script>}', message, end))
  expect(await screen.findByText(/^2 moments have a form/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Click Place order' })).toBeTruthy()
})

test.for<[string, File, RegExp]>([
  ['no gzip', withStream(new TextEncoder().encode('hello')), /damaged, or no recording/],
  ['another file', fileOf('hello'), /no recording of Clew/],
  ['a later form', fileOf({ ...head, clewRecording: 2 }), /another form/],
  ['a head that is none', fileOf({ ...head, detail: { session: 1 } }), /does not say of which session/],
  ['a torn file', fileOf(head, message), /not whole/],
])('%s is refused with words', async ([, file, words]) => {
  await openFile(file)
  expect((await screen.findByRole('alert')).textContent).toMatch(words)
  expect(screen.getByRole('button', { name: 'Choose a file…' })).toBeTruthy()
})

test('a file is imported by those who may change things, and its session is opened', async () => {
  let sent = ''
  const { at } = await openFile(fileOf(head, { moment }, message, end), {
    '/console/api/recordings': {
      post: async (request: Request) => {
        sent = `${request.headers.get('content-type')} ${(await request.arrayBuffer()).byteLength > 0}`
        const counts = { messages: 1, stored: 1, already: 0, expired: 0, withheld: 0, retentionDays: 30 }
        return Response.json({ sessionId: session.id, ...counts })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Import into this instance' }))
  expect(await screen.findByText('1 of 1 messages stored')).toBeTruthy()
  await expect.poll(at).toBe(`/sessions/${session.id}`)
  expect(sent).toBe('application/gzip true')
})

test('an analyst opens a file, and imports none', async () => {
  await openFile(fileOf(head, message, end), {
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByText('from a file')
  expect(screen.queryByRole('button', { name: 'Import into this instance' })).toBeNull()
})
