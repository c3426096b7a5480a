import { EditorView } from '@codemirror/view'
import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { request } from '../../../test/answers/requests.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { FunctionInfo, FunctionLogEntry, FunctionVersion } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const path = 'supabase/functions/receipt/index.ts'
const version: FunctionVersion = {
  ...{ number: 2, madeAt: at, madeBy: null, entry: path, verifyJwt: true },
  ...{ hash: 'abc', sizeBytes: 1200, isActive: true },
}
const receipt: FunctionInfo = {
  ...{ name: 'receipt', entry: path, verifyJwt: true, isInFolder: true, isPinned: false, version },
}
const parts = [
  { at, calls: 2, errors: 0, p95Ms: 9 },
  { at: '2026-01-02T03:34:05.000Z', calls: 1, errors: 1, p95Ms: 21 },
]
const log: FunctionLogEntry = {
  id: 'l1',
  at,
  kind: 'log',
  level: 'info',
  text: 'hello',
  requestId: 'r1',
  version: 'abc',
}

const answers: Answers = {
  ...signedIn,
  '/console/api/functions': { get: { functions: [receipt] } },
  '/console/api/functions/{name}': { get: receipt },
  '/console/api/function-calls': {
    get: { partSeconds: 1800, functions: [{ name: 'receipt', calls: 3, errors: 1, p50Ms: 8, p95Ms: 21, parts }] },
  },
  '/console/api/functions/{name}/versions': {
    get: { versions: [version, { ...version, number: 1, madeBy: 'ann@example.test', isActive: false }] },
  },
  '/console/api/functions/{name}/rollback': { post: () => Response.json({ ...version, number: 1 }) },
  '/console/api/functions/{name}/files': { get: { files: [{ path, sizeBytes: 12 }] } },
  '/console/api/functions/{name}/file': { get: () => new Response('Deno.serve(one)') },
  '/console/api/functions/{name}/processes': {
    get: {
      memoryLimitBytes: 256 * 1024 ** 2,
      processes: [{ id: 'e-1', startedAt: at, calls: 2, memoryBytes: 43_000_000, cpuMs: 60, isRetired: false }],
    },
  },
  '/console/api/queues/{name}': {
    get: {
      ...{ name: 'orders_dead', unlogged: false, createdAt: at, oldestAt: at, newestAt: at },
      ...{ visible: 3, inFlight: 0, archived: 0, total: 3 },
    },
  },
  '/console/api/queues/{name}/replays': { post: { replayed: 3 } },
  '/console/api/functions/{name}/triggers': {
    get: {
      saves: true,
      queue: { name: 'orders', attempts: 5, backoffMs: 5000, concurrency: 1, timeoutSeconds: 60 },
      hooks: [],
    },
  },
  '/console/api/function-logs': { get: { logs: [log], next: null } },
  '/console/api/function-secrets': {
    get: { secrets: [{ name: 'STRIPE_KEY', digest: 'd'.repeat(64), updatedAt: at }] },
    delete: null,
  },
  '/console/api/requests': { get: { requests: [request], next: null } },
  '/console/api/jobs': { get: { installed: true, timeZone: 'GMT', jobs: [], next: null } },
  '/console/api/webhooks': { get: { installed: true, hooks: [] } },
}

test('lists functions with their day; one leads to its figures', async () => {
  const { at: place } = openConsole('/functions', answers)
  const table = within(await screen.findByRole('table', { name: 'Functions' }))
  await table.findByRole('img', { name: '3 calls of receipt in the last day' })
  await userEvent.click(table.getByRole('link', { name: 'receipt' }))
  await expect.poll(place).toBe('/functions/receipt')
  await screen.findByText('1, 33.3 %')
  await screen.findByRole('meter', { name: 'Memory of process e-1' })
  await screen.findByText('of 256 MiB')
  await userEvent.click(screen.getByRole('button', { name: 'Chart menu: Calls a half hour' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show as table' }))
  await screen.findByRole('table', { name: 'Calls a half hour' })
})

test('a call says how it was answered, and leads to its thread; a refusal says why', async () => {
  const bodies: unknown[] = []
  openConsole('/functions/receipt?tab=invoke', {
    ...answers,
    '/console/api/functions/{name}/invocations': {
      post: async (call) => {
        const body = await call.json()
        bodies.push(body)
        if (body.caller.user === 'bob') return refuse(404, 'CLEW_FUNCTIONS_USER_NOT_FOUND', 'There is no such user.')()
        const headers = [{ name: 'content-type', value: 'application/json' }]
        const facts = { headers, sizeBytes: 11, isCut: false, durationMs: 12, requestId: 'r9' }
        return Response.json({ status: 418, body: '{"tea":true}', ...facts })
      },
    },
  })
  await userEvent.type(await screen.findByLabelText('Path behind /receipt'), '/deeper?a=1')
  await userEvent.click(screen.getByRole('button', { name: 'Call' }))
  const answer = within(await screen.findByRole('region', { name: 'The function’s answer' }))
  answer.getByText('418')
  expect(answer.getByRole('link', { name: 'Open the thread' }).getAttribute('href')).toContain('/requests/r9')
  expect(bodies).toEqual([
    {
      ...{ method: 'POST', path: '/deeper?a=1', body: '{}', caller: { kind: 'anon' } },
      headers: [{ name: 'content-type', value: 'application/json' }],
    },
  ])
  await userEvent.selectOptions(screen.getByLabelText('Caller'), 'a user')
  await userEvent.type(screen.getByLabelText(/^User/), 'bob')
  await userEvent.click(screen.getByRole('button', { name: 'Call' }))
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such user.')
})

test('a file is changed and saved; one that cannot be saved says what to do', async () => {
  const { asked, close } = openConsole('/functions/receipt?tab=code', {
    ...answers,
    '/console/api/functions/{name}/file': {
      get: () => new Response('Deno.serve(one)'),
      put: null,
    },
  })
  const code = await screen.findByLabelText(path)
  const save = await screen.findByRole('button', { name: 'Save' })
  expect(save.hasAttribute('disabled')).toBe(true)
  act(() => EditorView.findFromDOM(code)?.dispatch({ changes: { from: 0, insert: '{}' } }))
  await userEvent.click(save)
  await screen.findByText(`${path} is saved.`)
  expect(asked).toContain('PUT /functions/receipt/file')
  close()
  openConsole('/functions/receipt?tab=code', {
    ...answers,
    '/console/api/functions/{name}/triggers': { get: { saves: false, queue: null, hooks: [] } },
  })
  await screen.findByText('To change it, deploy it: clew functions deploy')
  expect((await screen.findByLabelText(path)).getAttribute('aria-readonly')).toBe('true')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test('code that is not saved is asked about before another tab takes its place', async () => {
  const { at } = openConsole('/functions/receipt?tab=code', answers)
  const code = await screen.findByLabelText(path)
  const changed = '{}Deno.serve(one)'
  await screen.findByRole('button', { name: 'Save' })
  act(() => EditorView.findFromDOM(code)?.dispatch({ changes: { from: 0, insert: '{}' } }))
  await userEvent.click(screen.getByRole('tab', { name: 'Logs' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect([at(), code.textContent]).toEqual(['/functions/receipt?tab=code', changed])
  await userEvent.click(screen.getByRole('tab', { name: 'Logs' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Discard and leave' }))
  await expect.poll(at).toBe('/functions/receipt?tab=logs')
})

test('code that does not start says so at its line, or leads to the file, unless a version came after', async () => {
  const failing = (file: string, second: string): Answers => ({
    ...answers,
    '/console/api/function-logs': {
      get: {
        logs: [
          {
            ...{ ...log, at: `2026-01-02T03:04:${second}.000Z`, kind: 'boot_failure', level: 'error' },
            text: `Expression expected\n  at supabase/functions/${file}:1:7`,
          },
        ],
        next: null,
      },
    },
  })
  const own = openConsole('/functions/receipt?tab=code', failing('receipt/index.ts', '06'))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('It does not start: Expression expectedline 1')
  const code = await screen.findByLabelText(path)
  await expect.poll(() => code.querySelector('.cm-lintRange-error')?.textContent).toBe('erve(one)')
  own.close()
  const other = openConsole('/functions/receipt?tab=code', failing('_shared/money.ts', '06'))
  await screen.findByRole('button', { name: 'Open _shared/money.ts' })
  other.close()
  const { asked } = openConsole('/functions/receipt?tab=code', failing('receipt/index.ts', '04'))
  await screen.findByLabelText(path)
  await expect.poll(() => asked).toContain('GET /function-logs?name=receipt&level=error&limit=20')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the log is narrowed by level and text, and its lines lead to their threads', async () => {
  const { at: place, asked } = openConsole('/functions/receipt?tab=logs', answers)
  const list = within(await screen.findByRole('list', { name: 'Log' }))
  list.getByText('hello')
  expect(list.getByRole('link', { name: 'thread' }).getAttribute('href')).toContain('/requests/r1')
  await userEvent.click(screen.getByRole('button', { name: 'error' }))
  await expect.poll(place).toBe('/functions/receipt?tab=logs&level=error')
  await userEvent.type(screen.getByRole('searchbox'), 'x')
  await expect.poll(place).toBe('/functions/receipt?tab=logs&level=error&q=x')
  await expect.poll(() => asked).toContain('GET /function-logs?name=receipt&level=error&q=x&limit=100')
})

test('an earlier version is had to answer again; triggers say what calls, and how more would', async () => {
  const { asked } = openConsole('/functions/receipt?tab=versions', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Roll back to version 1' }))
  await screen.findByText('Version 1 answers.')
  expect(asked).toContain('POST /functions/receipt/rollback')
  await userEvent.click(screen.getByRole('tab', { name: 'Triggers' }))
  await screen.findByRole('link', { name: 'orders' })
  await screen.findByText(/5 attempts, with pauses of 5/)
  await screen.findByRole('link', { name: '3 dead letters' })
  await userEvent.click(screen.getByRole('button', { name: 'Send all back' }))
  await screen.findByText('3 sent once more.')
  screen.getByRole('button', { name: 'Copy the snippet for jobs' })
})

test('secrets have no values; an analyst sees neither them nor code', async () => {
  const { asked, close } = openConsole('/functions?tab=secrets', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Unset STRIPE_KEY' }))
  await screen.findByText('STRIPE_KEY is unset.')
  expect(asked).toContain('DELETE /function-secrets')
  close()
  const analyst: Answers = {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  }
  const secrets = openConsole('/functions?tab=secrets', analyst)
  await screen.findByRole('heading', { name: 'Secrets are for owners and developers.' })
  secrets.close()
  const code = openConsole('/functions/receipt?tab=code', analyst)
  await screen.findByRole('heading', { name: 'The code is for owners and developers.' })
  expect([...secrets.asked, ...code.asked].filter((each) => /function-secrets|\/file/.test(each))).toEqual([])
})
