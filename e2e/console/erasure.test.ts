import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import type { Erasure, ErasurePreview, SessionSummary, UserSummary } from '../../console/src/lib/api/schemas.ts'
import { axeProblems } from '../support/axe.ts'
import { type NewPerson, press, signUp, visitCafe } from '../support/cafe.ts'
import { type ConsoleApi, owner, signInOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

/** A new person for each attempt: the product is shared, and keeps what one before has left. */
function newPerson() {
  const attempt = randomBytes(4).toString('hex')
  return { name: `Wanda Quill ${attempt}`, email: `wanda.${attempt}@example.test`, password: 'a spoon of honey' }
}
const clew = new URL('../../server/bin/clew.js', import.meta.url).pathname

let product: SharedProduct
let browser: Browser
let api: ConsoleApi
beforeAll(async () => {
  product = await sharedCafe()
  api = await signInOwner(product)
  browser = await openSharedBrowser()
}, 240_000)
afterAll(async () => {
  await browser?.close()
})

/** Signs up in a browser, orders, and keeps a file of her own. */
async function live(wanda: NewPerson, content: string): Promise<string> {
  const visit = await visitCafe(browser, product)
  await signUp(visit, wanda)
  await press(visit.page.getByRole('button', { name: 'Add Espresso' }))
  await press(visit.page.getByRole('link', { name: /^Basket/ }))
  await press(visit.page.getByRole('button', { name: 'Place order' }))
  await visit.page.getByRole('heading', { name: 'My orders' }).waitFor()
  await visit.page.context().close()
  const client = new pg.Client(product.dbUrl ?? '')
  await client.connect()
  await client.query(`insert into storage.buckets (id, name) values ('diaries', 'diaries') on conflict do nothing`)
  await client.query(`drop policy if exists "own diaries" on storage.objects`)
  await client.query(
    `create policy "own diaries" on storage.objects for insert to authenticated with check (bucket_id = 'diaries')`,
  )
  await client.end()
  const supabase = createClient(product.apiUrl, product.publishableKey, {
    auth: { persistSession: false },
    realtime: { transport: ws },
  })
  const { data, error } = await supabase.auth.signInWithPassword(wanda)
  expect(error).toBeNull()
  expect((await supabase.storage.from('diaries').upload(`${data.user?.id}.txt`, content)).error).toBeNull()
  await until(async () => {
    const { sessions } = await api.get<{ sessions: SessionSummary[] }>(`/sessions?q=${wanda.email}`)
    return sessions.some(({ hasRecording }) => hasRecording)
  })
  return data.user?.id ?? ''
}

/** The files below a folder that hold a text. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path).catch(() => Buffer.alloc(0))
    if (bytes.includes(text)) found.push(path)
  }
  return found
}

test('an owner erases a person: no table and no stored file knows them, and the certificate is good', {
  timeout: 180_000,
}, async () => {
  const wanda = newPerson()
  const secretOfFile = `what ${wanda.name} keeps in a file`
  const id = await live(wanda, secretOfFile)
  const folder = (name: string): string => join(product.dataDir, name)
  expect(await filesWith(folder('storage'), secretOfFile)).toHaveLength(1)
  const preview = await api.get<ErasurePreview>(`/privacy/preview?kind=user&id=${id}`)
  const kept = new Map(preview.counts.map(({ store, rows }) => [store, rows]))
  for (const store of ['events', 'recordings', 'requests', 'statements', 'files', 'people'])
    expect([store, (kept.get(store) ?? 0) > 0]).toEqual([store, true])
  expect(preview.tables.find(({ table }) => table === 'orders')?.rows).toBe(1)

  const context = await browser.newContext()
  const page = await context.newPage()
  await openSignedIn(page, `${product.consoleUrl}/users/${id}`)
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase or export…' }).click()
  await page.getByText('possible').waitFor()
  await page.getByLabel(`Type ${wanda.email} to confirm`).fill(wanda.email)
  await page.getByRole('button', { name: 'Erase everything' }).click()
  const password = page.getByLabel('Password')
  const drawer = page.getByRole('dialog', { name: /^Erasure/ })
  await password.or(drawer).first().waitFor()
  if (await password.isVisible()) {
    await password.fill(owner.password)
    await password.press('Enter')
  }
  await drawer.getByRole('link', { name: 'Certificate' }).waitFor({ timeout: 120_000 })
  await drawer.getByText(/found nothing/).waitFor()
  const dark = await browser.newContext({ storageState: await context.storageState(), colorScheme: 'dark' })
  const darkPage = await dark.newPage()
  const found = []
  for (const address of [
    `/settings/privacy/erasures`,
    '/settings/privacy',
    '/audit',
    '/auth/setup?tab=mails&open=recovery',
  ])
    for (const each of [page, darkPage])
      found.push(...(await axeProblems(each, `${product.consoleUrl}${address}`, [1440, 390])))
  expect(found).toEqual([])
  await dark.close()
  await context.close()

  const [erasure] = (await api.get<{ erasures: Erasure[] }>('/privacy/erasures')).erasures
  expect(erasure).toMatchObject({ state: 'done', left: [] })
  const { users } = await api.get<{ users: UserSummary[] }>(`/users?text=${wanda.email}`)
  expect(users).toEqual([])
  for (const q of [wanda.email, wanda.name, id])
    expect((await api.get<{ sessions: unknown[] }>(`/sessions?q=${encodeURIComponent(q)}`)).sessions).toEqual([])
  await until(async () => (await filesWith(folder('storage'), secretOfFile)).length === 0)

  const own = await mkdtemp(join(tmpdir(), 'clew-certificate-'))
  const file = join(own, 'erasure.json')
  const certificate = await api.getText(`/privacy/erasures/${erasure?.id}/certificate`)
  await writeFile(file, certificate)
  const run = promisify(execFile)
  const verify = (...args: string[]) =>
    run(process.execPath, [clew, 'erasure', 'verify', file, '--data', product.dataDir, ...args])
  expect((await verify('--of', wanda.email)).stdout).toMatch(/good[\s\S]*of this person +yes/)
  await expect(verify('--of', 'someone@else.test')).rejects.toMatchObject({ code: 1 })
  await writeFile(file, certificate.replace(/"removed": \d+/, '"removed": 77777'))
  await expect(verify()).rejects.toMatchObject({ code: 1 })
  await rm(own, { recursive: true })
})
