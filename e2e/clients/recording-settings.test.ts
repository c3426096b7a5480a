import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SessionDetail } from '../../console/src/lib/api/schemas.ts'
import { openVisitor } from '../support/browser.ts'
import { type ConsoleApi, claimOwner, signInOwner } from '../support/console-api.ts'
import type { Site } from '../support/page.ts'
import { type Product, startProduct, until } from '../support/product.ts'
import { isRecorded, metaOf, sendRecording } from '../support/recorded.ts'
import { said, serveShop } from '../support/recorded-shop.ts'
import { openSharedBrowser } from '../support/shared.ts'

let browser: Browser
let product: Product
let api: ConsoleApi
let site: Site | undefined
let project: string
let dataDir: string | undefined

/** Starts the product with settings of `[analytics]`, which a start reads, on the data of the one before. */
async function start(settings: Readonly<Record<string, string | number | boolean | readonly string[]>>): Promise<void> {
  // A text, a number, true and a list of texts are in TOML what they are in JSON.
  const lines = Object.entries(settings).map(([name, value]) => `record_${name} = ${JSON.stringify(value)}`)
  await writeFile(join(project, 'clew.toml'), ['[analytics]', ...lines, ''].join('\n'))
  const isFirst = dataDir === undefined
  if (!isFirst) await product.stop()
  product = await startProduct({ project, ...(dataDir === undefined ? {} : { dataDir }) })
  dataDir = product.dataDir
  api = isFirst ? await claimOwner(product) : await signInOwner(product)
  if (isFirst) await defineFlag()
  site = await serveShop(product)
}

async function defineFlag(): Promise<void> {
  const filters = { groups: [{ properties: [{ key: 'plan', value: 'beta' }] }] }
  await api.post('/flags', {
    ...{ key: 'beta', description: '', active: true, filters, keepsBucket: false, bucketing: 'distinct_id' },
    ...{ runtime: 'all', contexts: [], earlyAccess: null },
  })
}

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'clew-recorded-'))
  browser = await openSharedBrowser()
})
afterEach(() => site?.close())
afterAll(async () => {
  await browser?.close()
  await product?.close()
  await rm(project, { recursive: true })
})

/** What the page’s posthog-js says of its recorder. */
const statusOf = (page: Page): Promise<string> =>
  page.evaluate('window.posthog.sessionRecording?.status ?? "loading"') as Promise<string>
const undecided = ['loading', 'lazy_loading', 'awaiting_config', 'missing_config']

/** Opens a page of the shop and waits until its recorder has decided what to do. */
async function arrive(visitor: BrowserContext, path: string): Promise<Page> {
  const page = await visitor.newPage()
  await page.goto(new URL(path, site?.url).href)
  await until(async () => !undecided.includes(await statusOf(page)), 30_000)
  return page
}

const sessionOf = (page: Page): Promise<string> => page.evaluate('window.posthog.get_session_id()') as Promise<string>
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

const hasLeft = async (sessionId: string): Promise<boolean> => {
  const detail = await api.get<SessionDetail>(`/sessions/${sessionId}`).catch(() => null)
  return detail?.moments.some(({ label }) => label === 'page left') ?? false
}

/** Leaves a page, which sends what is left to send; a profile that closes before it is there takes it along. */
async function leave(page: Page): Promise<void> {
  const sessionId = await sessionOf(page)
  await press(page, 'Leave')
  await page.waitForURL('about:blank')
  await until(() => hasLeft(sessionId), 30_000)
}

/** The sessions of which something is stored, once all that was sent until now is. */
async function recordedOf(sessionIds: readonly string[]): Promise<readonly string[]> {
  // Recordings are stored in their order.
  const last = await sendRecording(product, [metaOf('http://shop.test/')])
  await until(() => isRecorded(api, last), 30_000)
  const recorded = await Promise.all(sessionIds.map((id) => isRecorded(api, id)))
  return sessionIds.filter((_, index) => recorded[index])
}

/** The events of a recording, as rrweb numbers them. */
async function eventsOf(sessionId: string): Promise<readonly { type: number; data: { source?: number } }[]> {
  const lines = (await api.getText(`/sessions/${sessionId}/recording`)).split('\n').filter((line) => line !== '')
  return lines.flatMap((line) => JSON.parse(line).events)
}

/**
 * Looks around until the recording has a text of the call that the page makes: the recorder hears of a call some moments later,
 * and waits half a second for its bodies, which is little on a busy machine.
 */
async function lookUntil(page: Page, sessionId: string, text: string): Promise<void> {
  await until(async () => {
    await press(page, 'Look around')
    return (await isRecorded(api, sessionId)) && JSON.stringify(await eventsOf(sessionId)).includes(text)
  }, 60_000)
}

/** A visit, and whether it is recorded. */
type Row = readonly [isRecorded: boolean, path: string, ...buttons: readonly string[]]

/** A visit of a profile of its own, from a page on and by the buttons that are pressed there; answers its session. */
async function visit([hasRecording, path, ...buttons]: Row, text: string): Promise<string> {
  const visitor = await openVisitor(browser)
  const page = await arrive(visitor, path)
  await page.getByLabel('Note').fill(said.typed)
  await page.getByLabel('Password').fill(said.password)
  for (const button of buttons) await press(page, button)
  if (buttons.includes('Test it')) {
    await until(() => page.evaluate('window.posthog.isFeatureEnabled("beta") === true') as Promise<boolean>, 30_000)
  }
  await press(page, 'Look around')
  await page.locator('output').getByText('looked').waitFor()
  const sessionId = await sessionOf(page)
  if (hasRecording) await lookUntil(page, sessionId, text)
  await leave(page)
  await visitor.close()
  return sessionId
}

/**
 * Makes visits at once and holds what was recorded against what was to be.
 *
 * @param text of the page's call, which each recording is to have before the page is left
 * @returns the sessions, in their order
 */
async function expectRecorded(rows: readonly Row[], text = '/stock'): Promise<readonly string[]> {
  const sessions = await Promise.all(rows.map((row) => visit(row, text)))
  const recorded = await recordedOf(sessions)
  const seen = rows.map(([, ...did], index) => [recorded.includes(sessions[index] ?? ''), ...did])
  expect(seen).toEqual(rows)
  return sessions
}

/** Which of the shop’s texts stand in a recording. */
async function textsIn(sessionId: string): Promise<readonly string[]> {
  const text = JSON.stringify(await eventsOf(sessionId))
  return Object.entries(said).flatMap(([name, each]) => (text.includes(each) ? name : []))
}

const isCanvas = ({ type, data }: { type: number; data: { source?: number } }) => type === 3 && data.source === 9

test('where one trigger is enough, an address, an event or a flag begins a recording that sampling left out', async () => {
  await start({
    ...{ sample_rate: 0, trigger_match: 'any', url_triggers: ['/checkout'], event_triggers: ['ordered'] },
    ...{ linked_flag: 'beta', console: false, network_headers: false },
  })
  const [, sessionId = ''] = await expectRecorded([
    [false, '/'],
    [true, '/checkout'],
    [true, '/', 'Order'],
    [true, '/', 'Test it'],
  ])
  expect(await textsIn(sessionId)).toEqual(['name', 'card'])
  expect((await eventsOf(sessionId)).some(isCanvas)).toBe(false)
})

test('where each trigger must have fired, none of them begins a recording alone; what is masked and blocked is not in it', async () => {
  await start({
    ...{ url_triggers: ['/checkout'], event_triggers: ['ordered'], linked_flag: 'beta', network_bodies: true },
    ...{ mask_inputs: false, mask_text_selector: '.name', block_selector: '#card' },
  })
  const sessions = await expectRecorded(
    [
      [false, '/checkout'],
      [false, '/', 'Order'],
      [false, '/', 'Test it'],
      [false, '/checkout', 'Order'],
      [false, '/', 'Order', 'Test it'],
      [true, '/checkout', 'Order', 'Test it'],
    ],
    said.answered,
  )
  const sessionId = sessions.at(-1) ?? ''
  expect(await textsIn(sessionId)).toEqual(['typed', 'console', 'header', 'sent', 'answered'])
})

test('without a trigger all is recorded: a canvas where it is told to be, and no page that is on the list', async () => {
  await start({ canvas: true, canvas_fps: 12, url_blocklist: ['/account'], sample_rate: 1 })
  const visitor = await openVisitor(browser)
  onTestFinished(() => visitor.close())
  const page = await arrive(visitor, '/')
  const sessionId = await sessionOf(page)
  await lookUntil(page, sessionId, said.header)
  await until(async () => (await eventsOf(sessionId)).some(isCanvas), 30_000)
  await press(page, 'Account')
  await until(async () => (await statusOf(page)) === 'paused')
  await press(page, 'Back')
  await until(async () => (await statusOf(page)) !== 'paused')
  await page.getByLabel('Note').fill(said.typed)
  await leave(page)
  expect(await recordedOf([sessionId])).toEqual([sessionId])
  expect(await textsIn(sessionId)).toEqual(['name', 'card', 'console', 'header'])
})

test('a part of the sessions is recorded, each of them in all of its pages or in none', async () => {
  await start({ sample_rate: 0.5 })
  const seen = new Map<string, string>()
  // Until there was one of each kind: of 30 sessions all are alike once in 500,000,000 times.
  while (new Set(seen.values()).size < 2 && seen.size < 30) {
    const visitor = await openVisitor(browser)
    const page = await arrive(visitor, '/')
    const [sessionId, status] = [await sessionOf(page), await statusOf(page)]
    await press(page, 'Look around')
    await page.reload()
    await until(async () => !undecided.includes(await statusOf(page)), 30_000)
    const tab = await arrive(visitor, '/checkout')
    for (const each of [page, tab]) expect([await sessionOf(each), await statusOf(each)]).toEqual([sessionId, status])
    await press(tab, 'Look around')
    for (const each of [page, tab]) await leave(each)
    seen.set(sessionId, status)
    await visitor.close()
  }
  expect([...new Set(seen.values())].toSorted()).toEqual(['disabled', 'sampled'])
  const sampled = [...seen].flatMap(([id, status]) => (status === 'sampled' ? id : []))
  expect(await recordedOf([...seen.keys()])).toEqual(sampled)
})

test('no session is recorded where none is to be', async () => {
  await start({ sample_rate: 0 })
  await expectRecorded([
    [false, '/'],
    [false, '/checkout', 'Order'],
  ])
})

test('a session that is shorter than the least duration is not recorded; a longer one is, from its beginning', async () => {
  await start({ minimum_ms: 8000 })
  const visitor = await openVisitor(browser)
  onTestFinished(() => visitor.close())
  const page = await arrive(visitor, '/')
  await page.getByLabel('Note').fill(said.typed)
  const [sessionId, short] = await Promise.all([sessionOf(page), visit([false, '/'], '')])
  await until(async () => {
    await press(page, 'Look around')
    return isRecorded(api, sessionId)
  }, 60_000)
  await leave(page)
  expect(await recordedOf([sessionId, short])).toEqual([sessionId])
  expect((await eventsOf(sessionId)).some(({ type }) => type === 2)).toBe(true)
})
