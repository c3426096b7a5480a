import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { IssueDetail, IssueSummary, StackFrame } from '../../console/src/lib/api/schemas.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { run, until } from '../support/product.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'

const limitMs = 60_000

/** An application as a team deploys it: posthog-js and its own code in one minified file. */
const sourceOf = ({ apiUrl, ingestToken }: SharedProduct, release: string): string => `
import posthog from 'posthog-js'

posthog.init('${ingestToken}', {
  api_host: '${apiUrl}/ingest',
  defaults: '2025-05-24',
  request_queue_config: { flush_interval_ms: 250 },
})
posthog.register({ $release: '${release}' })

export function totalOfCart(cart) {
  return cart.items.reduce((sum, item) => sum + item.price, 0)
}

function checkOut() {
  document.title = 'paid ' + totalOfCart({ of: '${release}' })
}

document.querySelector('#pay').addEventListener('click', () => checkOut())
`

/** Serves the application on an origin of its own: a page, and its script by any other name. */
async function serveApplication(script: Buffer, name: string): Promise<Server> {
  const html =
    '<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Shop</title></head><body>' +
    `<button id="pay">Pay</button><script src="/${name}"></script></body></html>`
  const server = createServer((request, answer) => {
    const isScript = request.url === `/${name}`
    answer.setHeader('content-type', isScript ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8')
    answer.end(isScript ? script : html)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

interface Errors {
  readonly issues: readonly IssueSummary[]
}

describe('errors of an application, from its minified bundle to the line of its source', () => {
  let product: SharedProduct
  let application: Server
  let api: ConsoleApi
  let browser: Browser
  let operator: Page
  let folder: string
  const release = `r${Date.now()}`

  const issueOf = async (text: string): Promise<IssueSummary | undefined> =>
    (await api.get<Errors>(`/errors?q=${encodeURIComponent(text)}&release=${release}`)).issues[0]

  beforeAll(async () => {
    product = await sharedCafe()
    api = await signInOwner(product)
    browser = await openSharedBrowser()
    folder = await mkdtemp(join(tmpdir(), 'clew-errors-'))
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src', 'cart.js'), sourceOf(product, release))
    await build({
      entryPoints: [join(folder, 'src', 'cart.js')],
      outfile: join(folder, 'dist', `shop-${release}.js`),
      nodePaths: [join(import.meta.dirname, '..', '..', 'node_modules')],
      ...{ bundle: true, minify: true, sourcemap: true, format: 'iife', logLevel: 'error' },
    })
    const uploaded = await run([
      'sourcemaps',
      'upload',
      join(folder, 'dist'),
      '--release',
      release,
      '--data',
      product.dataDir,
    ])
    expect(uploaded).toMatchObject({ code: 0 })
    application = await serveApplication(
      await readFile(join(folder, 'dist', `shop-${release}.js`)),
      `shop-${release}.js`,
    )
    operator = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    operator.setDefaultTimeout(limitMs)
    await openSignedIn(operator, product.consoleUrl)
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, operator, await outputOf('cafe'))
  })
  afterAll(async () => {
    await browser?.close()
    application?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const visit = async (): Promise<Page> => {
    const page = await (await openVisitor(browser)).newPage()
    await page.goto(`http://127.0.0.1:${(application.address() as AddressInfo).port}/`)
    // Exceptions are captured once the configuration and its script have come.
    await page.waitForFunction(() => 'posthogErrorWrappingFunctions' in window)
    return page
  }

  test('what a minified bundle throws is shown in its source, with the session that met it', async () => {
    const page = await visit()
    await page.getByRole('button', { name: 'Pay' }).click()
    await until(async () => (await issueOf('TypeError')) !== undefined, limitMs)
    await page.context().close()
    const issue = await issueOf('TypeError')
    expect(issue).toMatchObject({
      source: 'browser',
      state: 'open',
      firstRelease: release,
      events: 1,
      people: 1,
      sessions: 1,
    })
    expect(issue?.culprit).toBe('totalOfCart in src/cart.js')
    const { chain } = await api.get<{ chain: readonly { frames: readonly StackFrame[] }[] }>(
      `/errors/${issue?.id}/exceptions/latest`,
    )
    const [innermost, caller] = chain[0]?.frames ?? []
    expect(innermost).toMatchObject({
      function: 'totalOfCart',
      line: 12,
      context: { line: expect.stringContaining('cart.items.reduce') },
    })
    expect(caller).toMatchObject({ function: 'checkOut', line: 16, built: { file: expect.stringContaining(release) } })

    await operator.goto(`${product.consoleUrl}/errors/${issue?.id}`)
    const stack = operator.getByRole('region', { name: 'Stack' })
    await stack.getByText('cart.items.reduce', { exact: false }).first().waitFor()
    const around = operator.getByRole('region', { name: 'The session at that moment' })
    await around.getByText('Pay', { exact: false }).first().waitFor()
    await operator.getByRole('button', { name: 'Resolve' }).click()
    await operator.getByRole('button', { name: 'Open again' }).waitFor()
    const { history } = await api.get<IssueDetail>(`/errors/${issue?.id}`)
    expect(history.map(({ kind }) => kind)).toEqual(['resolved', 'created'])
  }, 120_000)
})

describe('errors of a function', () => {
  test('what it throws is an error, with the request that it ran for', async () => {
    const product = await sharedCafe()
    const api = await signInOwner(product)
    const before = Date.now()
    // The café's function reads the order of its body, and there is none.
    const answer = await fetch(`${product.apiUrl}/functions/v1/receipt`, {
      method: 'POST',
      headers: {
        apikey: product.publishableKey,
        authorization: `Bearer ${product.anonKey}`,
        'content-type': 'application/json',
      },
      body: 'no JSON',
    })
    expect(answer.status).toBe(500)
    const requestId = answer.headers.get('x-request-id')
    await until(async () => {
      const { issues } = await api.get<Errors>('/errors?source=function')
      return issues.some(({ lastSeenAt }) => Date.parse(lastSeenAt) >= before - 1000)
    }, limitMs)
    const [issue] = (await api.get<Errors>('/errors?source=function')).issues
    expect(issue?.culprit).toContain('receipt/index.ts')
    const { exceptions } = await api.get<{ exceptions: readonly { requestId: string | null }[] }>(
      `/errors/${issue?.id}/exceptions`,
    )
    expect(exceptions.map((each) => each.requestId)).toContain(requestId)
  }, 120_000)
})
