import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInProfile } from '../support/console-page.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

let product: SharedProduct
let browser: Browser
let context: BrowserContext
beforeAll(async () => {
  product = await sharedCafe()
  browser = await openSharedBrowser()
  context = await browser.newContext()
  await signInProfile(context, product.consoleUrl)
}, 180_000)
afterAll(async () => {
  await browser?.close()
})

test('a script of the application reads nothing of the console, though its operator is signed in', async () => {
  const answered: string[] = []
  context.on('response', async (response) => {
    if (response.url().startsWith(product.consoleUrl)) {
      // Pages ask on until they are closed, and what is under way then has no headers to tell.
      const { cookie = '' } = await response
        .request()
        .allHeaders()
        .catch(() => ({ cookie: 'unknown' }))
      answered.push(`${response.status()} ${cookie.includes('clew_operator') ? 'with' : 'without'} the cookie`)
    }
  })
  const page = await context.newPage()
  await page.goto(product.apiUrl)
  const tried = await page.evaluate(
    async ([api = '', inbox = '']) => {
      const read = async (url: string, init: RequestInit): Promise<string> => {
        try {
          const answer = await fetch(url, init)
          return answer.type === 'opaque' ? 'nothing' : await answer.text()
        } catch {
          return 'nothing'
        }
      }
      const framed = document.createElement('iframe')
      framed.src = `${api}/instance`
      await new Promise((resolve) => {
        framed.onload = resolve
        document.body.append(framed)
      })
      return [
        await read(`${api}/instance`, { credentials: 'include' }),
        await read(`${api}/instance`, { credentials: 'include', mode: 'no-cors' }),
        await read('/console/api/instance', {}),
        await read(`${inbox}/api/v1/messages`, {}),
        framed.contentDocument?.body.textContent ?? 'nothing',
      ]
    },
    [`${product.consoleUrl}/api`, product.inboxUrl],
  )
  expect(tried).toEqual(Array.from({ length: 5 }, () => 'nothing'))
  // The browser did send it: what keeps the page out is the origin, not the cookie.
  await expect.poll(() => answered).toContain('403 with the cookie')
  expect(answered.filter((answer) => answer.startsWith('200'))).toEqual([])
  await page.close()
})

test('the operator’s own pages read it', async () => {
  const page = await context.newPage()
  await page.goto(`${product.apiUrl}/console/requests`)
  await page.getByRole('heading', { name: 'Requests' }).waitFor()
  expect(page.url()).toContain(`${product.consoleUrl}/requests`)
  await page.close()
})
