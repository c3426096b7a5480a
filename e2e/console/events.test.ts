import { randomUUID } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { type ConsoleApi, joinTeam, signInOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'

let product: SharedProduct
let api: ConsoleApi
let browser: Browser
let operator: BrowserContext
let page: Page
beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  browser = await openSharedBrowser()
  operator = await openVisitor(browser, { width: 1440, height: 900 })
  await signInProfile(operator, product.consoleUrl)
  page = await operator.newPage()
}, 180_000)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepEvidence(task.name, page, await outputOf('cafe'))
})
afterAll(() => browser?.close())

/** The names of a test's own events: the café is shared. */
const nameFor = (test: string): ((part: string) => string) => {
  const id = randomUUID().slice(0, 8)
  return (part) => `${test} ${id} ${part}`
}

/** Sends an event of this moment; resolves when it is answered. */
async function send(event: string, properties: object = {}): Promise<void> {
  const answer = await fetch(`${product.apiUrl}/ingest/e/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      api_key: product.ingestToken,
      batch: [
        {
          uuid: randomUUID(),
          event,
          timestamp: new Date().toISOString(),
          properties: { distinct_id: `shelf ${randomUUID()}`, ...properties },
        },
      ],
    }),
  })
  expect(answer.status).toBe(200)
}

const rowOf = (at: Page, event: string) => at.getByRole('table', { name: 'Events' }).getByText(event, { exact: true })

/** Opens the screen, and waits until it is told of what is new. */
async function openEvents(at: Page, search = ''): Promise<void> {
  const connected = at.waitForEvent('websocket')
  await at.goto(`${product.consoleUrl}/events${search}`)
  await Promise.all([connected, at.getByRole('button', { name: 'Live', pressed: search !== '?live=off' }).waitFor()])
}

test('an event that arrives appears without a reload, and one behind it above it', async () => {
  const name = nameFor('arrives')
  await openEvents(page)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  for (const part of ['first', 'second']) {
    await send(name(part))
    await rowOf(page, name(part)).waitFor()
  }
  const rows = await page.getByRole('table', { name: 'Events' }).getByText(name('')).allTextContents()
  expect(rows).toEqual([name('second'), name('first')])
  expect(loads).toBe(0)
  page.removeAllListeners('load')
})

test('a list that stands still takes nothing in until it is live again', async () => {
  const name = nameFor('still')
  const other = await operator.newPage()
  await Promise.all([openEvents(page), openEvents(other)])
  await send(name('before'))
  await Promise.all([page, other].map((at) => rowOf(at, name('before')).waitFor()))
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByRole('button', { name: 'Live', pressed: false }).waitFor()
  expect(new URL(page.url()).searchParams.get('live')).toBe('off')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await send(name('meanwhile'))
  await rowOf(other, name('meanwhile')).waitFor()
  // The other tab was told of one more after that: this one had the time to take in the first.
  await send(name('after'))
  await rowOf(other, name('after')).waitFor()
  expect(await rowOf(page, name('meanwhile')).count()).toBe(0)
  expect(asked.filter((path) => path.endsWith('/api/events'))).toEqual([])
  await page.getByRole('button', { name: 'Live' }).click()
  for (const part of ['meanwhile', 'after']) await rowOf(page, name(part)).waitFor()
  page.removeAllListeners('request')
  await other.close()
})

test('a filtered list takes in what fits only', async () => {
  const name = nameFor('filtered')
  const shelf = randomUUID()
  await openEvents(page)
  await page.getByRole('combobox', { name: 'Property', exact: true }).fill('shelf')
  await page.getByRole('textbox', { name: 'Value' }).fill(shelf)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByText('No events of the last 7 days match this filter.').waitFor()
  await send(name('without'))
  await send(name('another'), { shelf: 'another' })
  await send(name('fits'), { shelf })
  await rowOf(page, name('fits')).waitFor()
  await send(name('fits as well'), { shelf })
  await rowOf(page, name('fits as well')).waitFor()
  for (const part of ['without', 'another']) expect(await rowOf(page, name(part)).count()).toBe(0)
})

test('a masked property arrives masked, in the list’s drawer and for a filter', async () => {
  const name = nameFor('masked')
  const [property, secret] = [`telephone_${randomUUID().slice(0, 8)}`, `+351 ${randomUUID()}`]
  await api.post('/privacy/masks', { kind: 'property', property })
  await openEvents(page)
  await send(name('call'), { [property]: secret, table: 'by the window' })
  await rowOf(page, name('call')).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('by the window').waitFor()
  await drawer.getByText('[masked]').waitFor()
  expect(await page.content()).not.toContain(secret)
  const values = new URLSearchParams({ filter: `${property}.exact.${secret}` })
  expect(await api.get(`/events?${values}`)).toMatchObject({ events: [] })
})

test.each([
  ['an analyst sees what arrives', 'analyst', true],
  ['a viewer is told nothing of it', 'viewer', false],
] as const)('%s', async (_, role, sees) => {
  const name = nameFor(role)
  const cookie = await joinTeam(product, api, { email: `${role}-${randomUUID()}@events.test`, role })
  const [cookieName = '', value = ''] = cookie.split(/=(.*)/s)
  const profile = await openVisitor(browser, { width: 1440, height: 900 })
  await profile.addCookies([{ name: cookieName, value, url: product.consoleUrl }])
  const theirs = await profile.newPage()
  const answers: (readonly [string, number])[] = []
  const told: string[] = []
  theirs.on('response', (response) => answers.push([new URL(response.url()).pathname, response.status()]))
  theirs.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(String(payload))))
  await theirs.goto(`${product.consoleUrl}/events`)
  await openEvents(page)
  await expect.poll(() => answers.find(([path]) => path.endsWith('/api/events'))?.[1]).toBe(sees ? 200 : 403)
  await send(name('arrived'))
  await rowOf(page, name('arrived')).waitFor()
  if (sees) await rowOf(theirs, name('arrived')).waitFor()
  else {
    expect(await theirs.getByText(name('arrived')).count()).toBe(0)
    expect(told.filter((text) => text.includes('events'))).toEqual([])
    await theirs.getByText('CLEW_OPERATORS_FORBIDDEN').waitFor()
  }
  await profile.close()
})
