import { expect, test } from 'vitest'
import { requestMoment } from '../../../test/answers/requests.ts'
import { session } from '../../../test/answers.ts'
import type { Moment } from '../../lib/api/schemas.ts'
import { renderPlaywrightTest } from './playwright-test.ts'

const moment = (kind: Moment['kind'], label: string, facts: Partial<Moment> = {}): Moment => ({
  ...{ id: `${kind} ${label}`, kind, atMs: 0, untilMs: null, at: session.startedAt, windowId: null, label },
  ...{ level: null, properties: null, requests: [], frame: null, ...facts },
})
const page = (path: string) => moment('page', path, { properties: { href: `http://127.0.0.1:54321${path}` } })

/** Runs the file as Playwright would, with a page that notes what is done to it. */
async function run(text: string): Promise<{ names: string[]; done: string[] }> {
  const done: string[] = []
  const names: string[] = []
  const locator = (name: string): object => ({
    or: () => locator(name),
    first: () => ({
      click: async () => done.push(`click ${name}`),
      fill: async (value: string) => done.push(`fill ${name} with ${value}`),
    }),
  })
  const named = (_role: string, { name }: { name: string }) => locator(name)
  const statuses: Record<string, number> = { 'POST /rest/v1/orders': 201 }
  const fakePage = {
    ...{ getByRole: named, getByLabel: locator, getByText: locator, getByPlaceholder: locator },
    goto: async (href: string) => done.push(`go to ${href}`),
    waitForURL: async (fits: (url: URL) => boolean) =>
      done.push(`at /orders: ${fits(new URL('http://127.0.0.1:54321/orders?a=1'))}`),
    waitForResponse: async (fits: (response: object) => boolean) => {
      const [key = '', status] = Object.entries(statuses)[0] ?? []
      const [method, path] = key.split(' ')
      const response = {
        ...{ request: () => ({ method: () => method }), url: () => `http://127.0.0.1:54321${path}` },
        status: () => status,
      }
      expect(fits(response)).toBe(true)
      done.push(`wait for ${key}`)
      return response
    },
  }
  const tests: Promise<void>[] = []
  const body = text.replace(/^import .*$/m, '')
  new Function('test', 'expect', body)((name: string, steps: (given: object) => Promise<void>) => {
    names.push(name)
    tests.push(steps({ page: fakePage }))
  }, expect)
  await Promise.all(tests)
  return { names, done }
}

test('a session is a test: pages, clicks with what they were answered, and fields to fill in', async () => {
  const text = renderPlaywrightTest({
    session,
    moments: [
      page('/'),
      moment('input', 'Email'),
      moment('click', "Place Ana's order", {
        requests: [
          { ...requestMoment, place: { exact: true, why: null, repeatsMs: null } },
          { ...requestMoment, path: '/rest/v1/guessed', place: { exact: false, why: 'By time.', repeatsMs: null } },
        ],
      }),
      moment('console', 'hello'),
      page('/orders'),
      page('/menu'),
      moment('click', 'Click'),
    ],
  })
  const { names, done } = await run(text)
  expect(names).toEqual(['Maria Silva, 2026-01-02'])
  expect(done).toEqual([
    'go to http://127.0.0.1:54321/',
    'fill Email with maria@example.test',
    'wait for POST /rest/v1/orders',
    "click Place Ana's order",
    'at /orders: true',
    'go to http://127.0.0.1:54321/menu',
  ])
})

test('a session without anything to do is a test that does nothing', async () => {
  expect(await run(renderPlaywrightTest({ session, moments: [] }))).toEqual({ names: [expect.any(String)], done: [] })
})
