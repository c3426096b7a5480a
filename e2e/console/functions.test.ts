import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import type { RequestDetail, RequestSummary, SessionDetail } from '../../console/src/lib/api/schemas.ts'
import { axeProblems } from '../support/axe.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { killNow, type Product, startProduct, until } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

const source = fileURLToPath(new URL('../projects/calls-of-functions/', import.meta.url))
const limitMs = 60_000
const sessionId = '0199a1b2-0000-7000-8000-000000000001'

describe('what calls a function, and the function in the console', () => {
  let project: string
  let product: Product
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  let client: SupabaseClient

  const start = () => startProduct({ project, ...(product && { dataDir: product.dataDir }) })
  const sql = async <Row>(text: string): Promise<readonly Row[]> => {
    const connection = new pg.Client(product.dbUrl)
    await connection.connect()
    try {
      return (await connection.query(text)).rows
    } finally {
      await connection.end()
    }
  }
  const isNoted = (from: string, about: string) => async () =>
    (await sql(`select from notes where source = '${from}' and about = '${about}' and step = 'done'`)).length > 0
  /** The calls of the function that were made for a cause. */
  const calledFor = async (cause: string): Promise<readonly RequestSummary[]> =>
    (await api.get<{ caused: RequestSummary[] }>(`/changes?cause=${encodeURIComponent(cause)}`)).caused
  const connect = () =>
    createClient(product.apiUrl, product.secretKey, { auth: { persistSession: false }, realtime: { transport: ws } })

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'clew-functions-'))
    await cp(source, project, { recursive: true })
    product = await start()
    api = await claimOwner(product)
    client = connect()
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser, { width: 1280, height: 800 })).newPage()
    page.setDefaultTimeout(limitMs)
    await openSignedIn(page, product.consoleUrl)
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, product.output())
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
    await rm(project, { recursive: true, force: true })
  })

  const open = async (address: string): Promise<void> => {
    await page.goto(`${product.consoleUrl}${address}`)
  }

  test('a job calls a function; the run lists the call', async () => {
    await api.post('/jobs/1/runs')
    await until(isNoted('job', ''), limitMs)
    const { runs } = await api.get<{ runs: { runId: string }[] }>('/jobs/1/runs')
    const { causeId } = await api.get<{ causeId: string }>(`/jobs/1/runs/${runs[0]?.runId}`)
    await expect.poll(() => calledFor(causeId)).toMatchObject([{ path: '/functions/v1/note', status: 200 }])
    await open(`/jobs/1?run=${runs[0]?.runId}`)
    const run = page.getByRole('dialog', { name: /^Run/ })
    await run.getByRole('link', { name: /POST\s*\/functions\/v1\/note/ }).click()
    await page.getByText(/run \d+ of job 1/).waitFor()
  })

  test('a webhook calls a function, which stands under the request that changed the row', async () => {
    const answer = await fetch(`${product.apiUrl}/rest/v1/orders`, {
      method: 'POST',
      headers: {
        ...{ apikey: product.secretKey, 'content-type': 'application/json' },
        ...{ 'x-posthog-session-id': sessionId, 'x-posthog-distinct-id': 'browser-1' },
      },
      body: '{"id":"a"}',
    })
    await until(isNoted('webhook', 'a'), limitMs)
    const id = answer.headers.get('x-request-id') ?? ''
    const detail = () => api.get<RequestDetail>(`/requests/${id}`)
    await expect.poll(async () => (await detail()).caused).toMatchObject([{ path: '/functions/v1/note', status: 200 }])
    const [call] = (await detail()).caused
    const inner = await api.get<RequestDetail>(`/requests/${call?.id}`)
    expect(inner.causeId).toBe(id)
    expect(inner.caused.map(({ path }) => path)).toEqual(['/rest/v1/notes', '/rest/v1/notes'])
    expect(inner.logs.map(({ text }) => text)).toContain('called by webhook')
    const { moments } = await api.get<SessionDetail>(`/sessions/${sessionId}`)
    expect(moments.map(({ requests }) => requests.map(({ path, causeId }) => [path, causeId]))).toEqual([
      [
        ['/rest/v1/orders', null],
        ['/functions/v1/note', id],
        ['/rest/v1/notes', call?.id],
        ['/rest/v1/notes', call?.id],
      ],
    ])
  })

  test('a stored file and a sign-up call functions', async () => {
    await client.storage.createBucket('papers')
    expect((await client.storage.from('papers').upload('one.txt', 'a text')).error).toBeNull()
    await until(isNoted('storage', 'one.txt'), limitMs)
    const guest = createClient(product.apiUrl, product.anonKey, {
      auth: { persistSession: false },
      realtime: { transport: ws },
    })
    expect((await guest.auth.signUp({ email: 'ann@example.test', password: 'three oat biscuits' })).error).toBeNull()
    await until(isNoted('send_email', 'ann@example.test signup'), limitMs)
  })

  test('a queue calls a function; what fails for good is sent back from the console once the code is mended', async () => {
    await sql(`select pgmq.send('orders', '{"order":"b"}'); select pgmq.send('orders', '{"order":"broken"}')`)
    await until(isNoted('orders', 'b'), limitMs)
    await until(async () => (await sql(`select from pgmq.meta where queue_name = 'orders_dead'`)).length === 1, limitMs)
    await open('/functions/note?tab=code')
    const code = page.getByRole('textbox', { name: 'supabase/functions/note/index.ts' })
    await code.getByText(`=== 'broken'`).waitFor()
    await code.press('Control+f')
    await page.getByLabel('Find', { exact: true }).fill(`=== 'broken'`)
    await page.getByLabel('Replace', { exact: true }).fill(`=== 'nothing'`)
    await page.getByRole('button', { name: 'replace all' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('index.ts is saved.').waitFor()
    expect(await readFile(join(project, 'supabase/functions/note/index.ts'), 'utf8')).toContain(`=== 'nothing'`)

    await open('/queues/orders_dead')
    await page.getByRole('cell', { name: /broken/ }).click()
    const letter = page.getByRole('dialog', { name: /^Message/ })
    await letter.getByText('Failed 2 times in orders: 500 Internal Server Error').waitFor()
    await letter.getByRole('button', { name: 'Send back to orders' }).click()
    await until(isNoted('orders', 'broken'), limitMs)
    await open('/queues/orders?state=archived')
    await page.getByRole('cell', { name: /broken/ }).click()
    await letter.getByRole('link', { name: /POST\s*\/functions\/v1\/note/ }).click()
    await page.getByRole('link', { name: /message \d+ of queue orders/ }).waitFor()
  })

  test('saved code that does not compile says so at its line, until it is mended', async () => {
    await open('/functions/note?tab=code')
    const code = page.getByRole('textbox', { name: 'supabase/functions/note/index.ts' })
    await code.getByText('=== ').first().waitFor()
    await page.getByText('Not saved').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).waitFor()
    const before = await readFile(join(project, 'supabase/functions/note/index.ts'), 'utf8')
    await code.press('Control+Home')
    await page.keyboard.type('const = 1\n')
    await page.keyboard.press('Control+s')
    const problem = page.getByRole('alert').filter({ hasText: 'It does not start' })
    await problem.getByText('line 1', { exact: true }).waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    await code.press('Control+Home')
    await page.keyboard.press('Control+Shift+k')
    await page.keyboard.press('Control+s')
    await problem.waitFor({ state: 'detached' })
    expect(await readFile(join(project, 'supabase/functions/note/index.ts'), 'utf8')).toBe(before)
  })

  test('the list has each function with its day, and leads to its figures, its call, its log and its versions', async () => {
    await open('')
    await page.getByRole('link', { name: 'Functions', exact: true }).click()
    const list = page.getByRole('table', { name: 'Functions' })
    await list.getByRole('img', { name: /calls of note in the last day/ }).waitFor()
    await list.getByRole('link', { name: 'note' }).click()
    await page.getByRole('img', { name: /^Calls a half hour over the last day/ }).waitFor()
    await page.getByRole('heading', { name: /^Last calls/ }).waitFor()

    await page.getByRole('tab', { name: 'Invoke' }).click()
    await page.getByLabel('Caller').selectOption({ label: 'a user' })
    await page.getByLabel(/^User/).fill('ann@example.test')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const answer = page.getByRole('region', { name: 'The function’s answer' })
    await answer.getByText('"a person"').waitFor()
    await answer.getByRole('link', { name: 'Open the thread' }).click()
    await page.getByRole('heading', { name: /POST\s*\/functions\/v1\/note/ }).waitFor()

    await open('/functions/note?tab=logs')
    const log = page.getByRole('list', { name: 'Log' })
    await log.getByText('called by a person').first().waitFor()
    await page.getByRole('button', { name: 'error', exact: true }).click()
    await log.getByText('The order has no total').first().waitFor()
    await until(async () => !(await log.textContent())?.includes('called by'))

    await page.getByRole('tab', { name: /^Versions/ }).click()
    await page.getByRole('button', { name: 'Roll back to version 1' }).click()
    await page.getByText('rolled back', { exact: true }).waitFor()

    await page.getByRole('tab', { name: 'Triggers' }).click()
    for (const name of ['report', 'order_placed', 'file_stored', 'orders'])
      await page.getByRole('link', { name, exact: true }).waitFor()
    await open('/functions/send-email?tab=triggers')
    await page.getByText('send_email', { exact: true }).waitFor()
  })

  test('a secret is set and found by the next call, and unset', async () => {
    await open('/functions?tab=secrets')
    await page.getByRole('button', { name: 'Set a secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a secret' })
    await dialog.getByLabel('Name').fill('SUPABASE_X')
    await dialog.getByLabel('Value').fill('x')
    await dialog.getByRole('button', { name: 'Set' }).click()
    await dialog.getByText(/SUPABASE_/).waitFor()
    await dialog.getByLabel('Name').fill('STRIPE_KEY')
    await dialog.getByRole('button', { name: 'Set' }).click()
    const secrets = page.getByRole('table', { name: 'Secrets' })
    await secrets.getByText('STRIPE_KEY').waitFor()
    await page.getByRole('button', { name: 'Unset STRIPE_KEY' }).click()
    await page.getByRole('heading', { name: 'No secrets yet.' }).waitFor()
  })

  test.runIf(isTrial)(
    'axe finds nothing on these screens',
    async () => {
      const found: string[] = []
      for (const tab of ['overview', 'code', 'invoke', 'logs', 'versions', 'triggers'])
        found.push(...(await axeProblems(page, `${product.consoleUrl}/functions/note?tab=${tab}`, [1280, 390])))
      for (const tab of ['functions', 'secrets'])
        found.push(...(await axeProblems(page, `${product.consoleUrl}/functions?tab=${tab}`, [1280, 390])))
      expect(found).toEqual([])
    },
    180_000,
  )

  test('killed while a queue’s message and a webhook are under way, both are delivered by the next start', async () => {
    await sql(`select pgmq.send('orders', '{"order":"slow q"}'); insert into orders values ('slow w')`)
    const begun = `select from notes where about like 'slow%' and step = 'begun'`
    await until(async () => (await sql(begun)).length === 2, limitMs)
    killNow(product, false)
    product = await start()
    await until(isNoted('orders', 'slow q'), limitMs)
    await until(isNoted('webhook', 'slow w'), limitMs)
    await until(async () => (await sql(`select from pgmq.q_orders`)).length === 0, limitMs)
  }, 180_000)
})
