import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openSignedIn } from './console-page.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from './shared.ts'

/** An operator at the screens of storage, and the storage API with the rights of the service. */
export interface StorageConsole {
  readonly product: SharedProduct
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /** Creates a private bucket with this name. */
  createBucket(name: string): Promise<void>
  put(bucket: string, key: string, body: BodyInit, type?: string): Promise<void>
  /** The text of an object; null where it is not there. */
  stored(bucket: string, key: string): Promise<string | null>
  openBucket(bucket: string, search?: string): Promise<void>
}

/** Signs the owner of the shared café in to its console. */
export async function openStorageConsole(limitMs: number): Promise<StorageConsole> {
  const product = await sharedCafe()
  const browser = await openSharedBrowser()
  const context = await browser.newContext({ viewport: { width: 1180, height: 800 } })
  const page = await context.newPage()
  page.setDefaultTimeout(limitMs)
  await openSignedIn(page, product.consoleUrl)
  const headers = { authorization: `Bearer ${product.serviceRoleKey}` }
  const send = async (path: string, type: string, body: BodyInit): Promise<void> => {
    const init = { method: 'POST', body, headers: { ...headers, 'content-type': type, 'x-upsert': 'true' } }
    const answer = await fetch(`${product.apiUrl}/storage/v1/${path}`, init)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  return {
    ...{ product, browser, context, page },
    createBucket: (name) => send('bucket', 'application/json', JSON.stringify({ name })),
    put: (bucket, key, body, type = 'text/plain') => send(`object/${bucket}/${key}`, type, body),
    async stored(bucket, key) {
      const answer = await fetch(`${product.apiUrl}/storage/v1/object/authenticated/${bucket}/${key}`, { headers })
      return answer.ok ? answer.text() : null
    },
    async openBucket(bucket, search = '') {
      await page.goto(`${product.consoleUrl}/storage/${bucket}${search}`)
      await page.getByRole('heading', { name: bucket, level: 1 }).waitFor()
    },
  }
}
