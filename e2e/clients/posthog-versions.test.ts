import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PersonDetail, RequestDetail, SessionDetail } from '../../console/src/lib/api/schemas.ts'
import { openVisitor } from '../support/browser.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { serveVersions, type Version, versions } from '../support/posthog-versions.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

/** Where browsers send events. */
const events = /\/e\/(?:\?|$)/

let product: SharedProduct
let browser: Browser
let api: ConsoleApi
let site: Awaited<ReturnType<typeof serveVersions>>

beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  await api.post('/flags', {
    ...{ key: 'e2e-versions', description: '', active: true, keepsBucket: false, bucketing: 'distinct_id' },
    ...{
      filters: { groups: [{}], payloads: { true: '{"beans":7}' } },
      runtime: 'all',
      contexts: [],
      earlyAccess: null,
    },
  })
  const { id } = await api.post<{ id: string }>('/surveys', {
    ...{ name: 'Versions', description: '', type: 'popover', linkedFlagKey: null, schedule: 'once' },
    ...{ partialResponses: true, appearance: {}, conditions: { url: 'ask=versions', urlMatchType: 'icontains' } },
    questions: [{ type: 'rating', id: 'version', question: 'Which version is this?', display: 'number', scale: 10 }],
  })
  await api.put(`/surveys/${id}/running`, { running: true })
  site = await serveVersions(product)
  browser = await openSharedBrowser()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
})

interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  readonly answers: readonly Response[]
  readonly complaints: readonly string[]
  readonly sessionId: string
}

/** Opens the page of a version in a profile of its own, and waits for what is loaded after it. */
async function visit({ name, scripts }: Version): Promise<Visit> {
  const context = await openVisitor(browser)
  const page = await context.newPage()
  const answers: Response[] = []
  const complaints: string[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(`${product.apiUrl}/ingest/`)) answers.push(response)
  })
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  await page.goto(`${site.url}/${name}?ask=versions`)
  await until(() => scripts.every((path) => answers.some((one) => one.url().endsWith(path))), 30_000)
  await until(async () => Boolean(await page.evaluate('posthog.sessionRecordingStarted()')))
  return { context, page, answers, complaints, sessionId: String(await page.evaluate('posthog.get_session_id()')) }
}

type Properties = Readonly<Record<string, unknown>>
interface StoredEvent {
  readonly event: string
  readonly properties: Properties
}

/** The events of a session, once all that are waited for are among them. */
async function eventsOf(sessionId: string, names: readonly string[]): Promise<readonly StoredEvent[]> {
  let events: readonly StoredEvent[] = []
  let missing = names
  await until(async () => {
    const path = `/events?session=${sessionId}&limit=100`
    const { events: found } = await api.get<{ events: readonly { id: string; event: string }[] }>(path)
    missing = names.filter((name) => !found.some(({ event }) => event === name))
    if (missing.length > 0) return false
    const read = await Promise.all(found.map(readEvent))
    events = read.flatMap((event) => event ?? [])
    return events.length === found.length
  }, 60_000).catch((cause: unknown) => {
    throw new Error(`Session ${sessionId} has no ${missing.join(', ')}.`, { cause })
  })
  return events
}

/** An event of a list; null where it was sent again meanwhile, which corrects its time and with it its id. */
const readEvent = ({ id, event }: { readonly id: string; readonly event: string }): Promise<StoredEvent | null> =>
  api.get<{ properties: Properties }>(`/events/${id}`).then(
    ({ properties }) => ({ event, properties }),
    (error: unknown) => {
      if (String(error).includes('CLEW_EVENTS_NOT_FOUND')) return null
      throw error
    },
  )

/** Captures an event whose answers are lost until it is stored, and waits until every batch was sent again. */
async function captureTwice(page: Page, sessionId: string): Promise<void> {
  const lost: string[] = []
  const again: number[] = []
  let isLosing = true
  await page.route(events, async (route) => {
    const url = route.request().url()
    const response = await route.fetch()
    if (isLosing && !url.includes('retry_count')) {
      lost.push(url)
      await route.abort('connectionreset')
      return
    }
    if (url.includes('retry_count')) again.push(response.status())
    await route.fulfill({ response })
  })
  await page.evaluate("posthog.capture('sent twice')")
  await eventsOf(sessionId, ['sent twice'])
  isLosing = false
  await until(() => lost.length > 0 && again.length === lost.length, 60_000)
  await page.unroute(events)
  expect(new Set(again)).toEqual(new Set([200]))
}

async function callOfPage(page: Page): Promise<RequestDetail> {
  const { apiUrl, publishableKey } = product
  const id = await page.evaluate(
    async ([url, apikey]) => (await fetch(url, { headers: { apikey } })).headers.get('x-request-id'),
    [`${apiUrl}/rest/v1/products?select=name&id=eq.1`, publishableKey] as const,
  )
  let detail: RequestDetail | undefined
  await until(async () => {
    detail = await api.get<RequestDetail>(`/requests/${id}`).catch(() => undefined)
    return detail !== undefined
  })
  if (detail === undefined) throw new Error(`No request ${id}.`)
  return detail
}

const encodingOf = (request: Request): string | null => new URL(request.url()).searchParams.get('compression')

test.concurrent.each(versions)('$name finds all that it asks for, from the first page to the last', async (version) => {
  const { context, page, answers, complaints, sessionId } = await visit(version)
  await until(async () => Boolean(await page.evaluate("posthog.getFeatureFlag('e2e-versions')")), 30_000)
  expect(await page.evaluate("posthog.getFeatureFlagPayload('e2e-versions')")).toEqual({ beans: 7 })
  expect((await callOfPage(page)).session).toMatchObject({ id: sessionId, link: { channel: 'header', exact: true } })

  await page.getByRole('heading', { name: 'Versions' }).click()
  await captureTwice(page, sessionId)
  await eventsOf(sessionId, ['$dead_click'])
  await page.getByRole('button', { name: 'Rate 9', exact: true }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Break' }).click()
  await page.evaluate(`
    console.log('hello recorder')
    posthog.identify('${version.name} ' + posthog.get_distinct_id(), { email: 'ada@example.test' }, { first: 'page' })
    posthog.alias(posthog.get_distinct_id() + ' too')
    posthog.setPersonProperties({ size: 'large' })
    posthog.group('company', '${version.name}', { plan: 'pro' })`)
  const named = ['$pageview', '$autocapture', '$exception', '$identify', '$create_alias', '$set', '$groupidentify']
  await eventsOf(sessionId, [...named, 'survey sent'])
  await page.evaluate(`
    posthog.opt_out_capturing()
    posthog.capture('meanwhile')
    posthog.opt_in_capturing()
    posthog.capture('after')`)
  await eventsOf(sessionId, ['$opt_in', 'after'])
  const distinctId = String(await page.evaluate('posthog.get_distinct_id()'))
  await page.goto('about:blank')

  const captured = await eventsOf(sessionId, ['$pageleave', '$web_vitals'])
  const one = (name: string): Properties | undefined => captured.find(({ event }) => event === name)?.properties
  expect(captured.filter(({ event }) => event === 'sent twice')).toHaveLength(1)
  expect(captured.map(({ event }) => event)).not.toContain('meanwhile')
  expect(one('survey shown')?.$survey_name).toBe('Versions')
  expect(one('survey sent')?.$survey_response_version).toBe(9)
  expect(one('$exception')?.$exception_list).toMatchObject([{ type: 'TypeError', value: 'no beans left' }])
  expect(one('$groupidentify')).toMatchObject({ $group_key: version.name, $group_set: { plan: 'pro' } })
  expect(one('after')?.$groups).toEqual({ company: version.name })

  const { session } = await api.get<SessionDetail>(`/sessions/${sessionId}`)
  const { ids, properties } = await api.get<PersonDetail>(`/people/${session.person.personId}`)
  expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining([distinctId, `${distinctId} too`]))
  const known = Object.fromEntries(properties.map(({ name, value }) => [name, value]))
  expect(known).toMatchObject({ email: 'ada@example.test', first: 'page', size: 'large' })
  await expectRecorded(sessionId)

  const asked = answers.find((answer) => answer.url().includes(`/ingest${version.flags}`))
  const sent = answers.find((answer) => events.test(answer.url()))
  expect([asked, sent].map((answer) => answer && encodingOf(answer.request()))).toEqual([
    version.encodings.flags,
    version.encodings.events,
  ])
  for (const answer of answers) expect([answer.url(), answer.status()]).toEqual([answer.url(), 200])
  expect(complaints.filter((line) => !/no beans left|ERR_CONNECTION_RESET/.test(line))).toEqual([])
  await context.close()
})

/** That a page, what was done in it, and its console lines can be played. */
async function expectRecorded(sessionId: string): Promise<void> {
  const played = async () => {
    const text = await api.getText(`/sessions/${sessionId}/recording`).catch(() => '')
    return (
      text
        .split('\n')
        .filter((line) => line !== '')
        // rrweb's own events, as `RecordingLine` says.
        .flatMap((line) => (JSON.parse(line) as { events: { type: number; data: Properties }[] }).events)
    )
  }
  await until(async () => JSON.stringify(await played()).includes('hello recorder'), 30_000)
  const recorded = await played()
  expect(recorded.slice(0, 2).map(({ type }) => type)).toEqual([4, 2])
  expect(recorded[0]?.data.href).toContain('?ask=versions')
  expect(JSON.stringify(recorded[1]?.data.node)).toContain('Versions')
  expect(recorded).toContainEqual(expect.objectContaining({ type: 3, data: expect.objectContaining({ source: 2 }) }))
}
