import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SupabaseClient } from '@supabase/supabase-js'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import {
  createServerClient,
  parseCookieHeader,
  serializeCookieHeader,
} from '../../examples/ssr/node_modules/@supabase/ssr/dist/main/index.js'
import { openVisitor } from '../support/browser.ts'
import { notesFolder } from '../support/notes.ts'
import { openSharedBrowser, type SharedProduct, sharedNotes } from '../support/shared.ts'
import { type Form, forms } from './cookie-page/forms.ts'

const name = 'sb-127-auth-token'
const password = 'a good password'
const types: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' }

interface PageWindow {
  readonly client: SupabaseClient
}

let product: SharedProduct
let folder: string
let site: Server
let browser: Browser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-cookies-'))
  const vite = join(notesFolder, 'node_modules', '.bin', 'vite')
  const page = fileURLToPath(new URL('./cookie-page/', import.meta.url))
  await promisify(execFile)(vite, ['build', page, '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'])
  product = await sharedNotes()
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    const answer = pathname === '/who' ? who(request.headers.cookie ?? '', searchParams) : file(pathname)
    answer.then(
      ({ body, headers }) => response.writeHead(200, headers).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  browser = await openSharedBrowser()
})
afterAll(async () => {
  await browser?.close()
  await new Promise((resolve) => site?.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

interface SiteAnswer {
  readonly body: string | Buffer
  readonly headers: Record<string, string | string[]>
}

async function file(pathname: string): Promise<SiteAnswer> {
  const path = pathname === '/' ? '/index.html' : pathname
  return { body: await readFile(join(folder, path)), headers: { 'content-type': types[extname(path)] ?? '' } }
}

/** Who a server takes the sender of cookies for. */
async function who(cookie: string, query: URLSearchParams): Promise<SiteAnswer> {
  const { cookieEncoding, encode } = forms[query.get('form') as Form]
  const set: string[] = []
  const client = createServerClient(product.apiUrl, product.publishableKey, {
    cookieEncoding,
    cookies: {
      encode,
      getAll: () => parseCookieHeader(cookie).map(({ name: of, value }) => ({ name: of, value: value ?? '' })),
      setAll(cookies) {
        for (const { name: of, value, options } of cookies) set.push(serializeCookieHeader(of, value, options))
      },
    },
    realtime: { transport: ws as never },
  })
  const { data } = await client.auth.getUser()
  const body = JSON.stringify({ email: data.user?.email ?? null, renewed: set.length > 0 })
  return { body, headers: { 'content-type': 'application/json', 'set-cookie': set } }
}

describe.each(Object.keys(forms) as Form[])('a session in cookies of the form %s', (form) => {
  const { cookieEncoding, encode } = forms[form]
  const email = `${form}@example.com`
  let context: BrowserContext
  let page: Page
  let url: string

  beforeAll(async () => {
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    url = `${origin}/?${new URLSearchParams({ form, url: product.apiUrl, key: product.publishableKey })}`
    context = await openVisitor(browser)
    page = await context.newPage()
    await page.goto(url)
  })
  afterAll(() => context?.close())

  const cookies = async () =>
    (await context.cookies(url))
      // The verifiers of flows that were begun stand beside them.
      .filter((cookie) => /^sb-127-auth-token(\.\d+)?$/.test(cookie.name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const read = async (): Promise<Readonly<Record<string, unknown>>> => {
    const value = (await cookies()).map((cookie) => cookie.value).join('')
    if (cookieEncoding === 'raw') return JSON.parse(decodeURIComponent(value))
    expect(value).toMatch(/^base64-/)
    return JSON.parse(Buffer.from(value.slice('base64-'.length), 'base64url').toString())
  }
  const ask = async () =>
    (await (await context.request.get(`${new URL(url).origin}/who?form=${form}`)).json()) as {
      email: string | null
      renewed: boolean
    }
  const says = (text: string) => page.locator('output', { hasText: text }).waitFor()

  test('signs in, and holds the user only where it should', async () => {
    const { error } = await page.evaluate((person) => (window as unknown as PageWindow).client.auth.signUp(person), {
      email,
      password,
      options: { data: { about: 'Grüße 👋 ' } },
    })
    expect(error).toBeNull()
    await says('SIGNED_IN somebody')
    const session = await read()
    expect(session).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
    expect('user' in session).toBe(encode === 'user-and-tokens')
  })

  test('is renewed by the server, which the page believes', async () => {
    const before = await read()
    expect(await ask()).toEqual({ email, renewed: true })
    const after = await read()
    expect(after.refresh_token).not.toBe(before.refresh_token)
    expect('user' in after).toBe(encode === 'user-and-tokens')
    await page.goto(url)
    await says('somebody')
    const user = await page.evaluate(() => (window as unknown as PageWindow).client.auth.getUser())
    expect(user.data.user?.email).toBe(email)
  })

  test('is cut between letters where it is large, and whole again', async () => {
    const change = (about: string) =>
      page.evaluate(async (text) => {
        const { auth } = (window as unknown as PageWindow).client
        await auth.updateUser({ data: { about: text } })
        await auth.refreshSession()
      }, about)
    // No larger: a server of Node's takes 16 KB of headers.
    await change('Grüße 👋 '.repeat(130))
    const chunks = await cookies()
    expect(chunks.map((chunk) => chunk.name)).toEqual(chunks.map((_, index) => `${name}.${index}`))
    expect(chunks.length).toBeGreaterThan(1)
    for (const { value } of chunks)
      expect(encodeURIComponent(decodeURIComponent(value)).length).toBeLessThanOrEqual(3180)
    expect((await ask()).email).toBe(email)
    await page.goto(url)
    await change('short')
    expect((await cookies()).map((cookie) => cookie.name)).toEqual([name])
    expect((await ask()).email).toBe(email)
  })

  test('is gone after signing out, for the server, too', async () => {
    await page.goto(url)
    await page.evaluate(() => (window as unknown as PageWindow).client.auth.signOut())
    await says('SIGNED_OUT nobody')
    expect(await cookies()).toEqual([])
    expect(await ask()).toEqual({ email: null, renewed: false })
  })
})
