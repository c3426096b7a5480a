import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionDetail } from '../../console/src/lib/api/schemas.ts'
import { openVisitor } from '../support/browser.ts'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { cafeFolder, freePort, type Product, run, startProduct, until } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'

const supabaseScript = fileURLToPath(
  new URL('../../node_modules/@supabase/supabase-js/dist/umd/supabase.js', import.meta.url),
)

/**
 * What lists of ad blockers know of addresses of analytics. What a page captures before it has its configuration goes to
 * `/e/`, without the parameters by which earlier clients are known.
 */
const known = /\/ingest\b|\/e\/\?(?:ip|compression|ver)=|\/(?:s|batch|capture|decide)\/?(?:\?|$)|posthog/i

let product: Product
let browser: Browser
let api: ConsoleApi

beforeAll(async () => {
  const env = {
    CLEW_ANALYTICS_PATH: '/kettle',
    CLEW_ANALYTICS_EVENTS_PATH: '/cup/',
    CLEW_ANALYTICS_RECORDINGS_PATH: '/pot/',
  }
  product = await startProduct({ project: cafeFolder, env })
  api = await claimOwner(product)
  browser = await openSharedBrowser()
})
afterAll(async () => {
  await browser?.close()
  await product?.close()
})

test('behind an ad blocker, a page that was written by `clew snippet` sends events and recordings', async () => {
  const env = { CLEW_ANALYTICS_PATH: '/kettle' }
  const npm = await run(['snippet', '--data', product.dataDir], undefined, env)
  expect(npm.stdout).toContain(`api_host: '${product.apiUrl}/kettle'`)
  expect(npm.stdout).toContain(product.publishableKey)
  const { stdout: html } = await run(['snippet', '--html', '--data', product.dataDir], undefined, env)
  const port = await freePort()
  const site = createServer((_request, answer) => {
    answer
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><link rel="icon" href="data:,">${html}<button onclick="posthog.capture('poured')">Pour</button>`,
      )
  })
  await new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve))
  try {
    const context = await openVisitor(browser)
    const blocked: string[] = []
    await context.route(known, (route) => {
      blocked.push(route.request().url())
      return route.abort('blockedbyclient')
    })
    const script = await readFile(supabaseScript)
    await context.route('https://cdn.jsdelivr.net/**', (route) =>
      route.fulfill({ body: script, contentType: 'text/javascript' }),
    )
    const page = await context.newPage()
    const paths = new Set<string>()
    page.on('response', (one) => paths.add(new URL(one.url()).pathname))
    await page.goto(`http://127.0.0.1:${port}/`)
    await until(() => page.evaluate('posthog.sessionRecordingStarted()').then(Boolean))
    const sessionId = String(await page.evaluate('posthog.get_session_id()'))
    const answer = await page.evaluate(
      "client.from('products').select('name').eq('id', 1).then(({ status }) => status)",
    )
    expect(answer).toBe(200)
    await page.getByRole('button', { name: 'Pour' }).click()
    let detail: SessionDetail | undefined
    await until(async () => {
      detail = await api.get<SessionDetail>(`/sessions/${sessionId}`).catch(() => undefined)
      return detail?.session.hasRecording === true && detail.moments.some(({ label }) => label === 'poured')
    })
    // The call of the other client is tied to the page as well.
    expect(detail?.session.requests).toBeGreaterThan(0)
    expect(blocked).toEqual([])
    expect([...paths]).toEqual(expect.arrayContaining(['/kettle/cup/', '/kettle/pot/']))
    // Pages that were deployed with the earlier name go on.
    expect((await fetch(`${product.apiUrl}/ingest/static/array.js`)).status).toBe(200)
  } finally {
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  }
})
