import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import ws from 'ws'
import { keepEvidence } from '../support/browser.ts'
import { openStorageConsole, type StorageConsole } from '../support/console-storage.ts'
import { outputOf } from '../support/shared.ts'

const limitMs = 30_000

describe('who reads and writes files, as the console sets it', () => {
  let at: StorageConsole
  let visitor: SupabaseClient
  let ana: SupabaseClient
  let ben: SupabaseClient
  let anaId: string
  let bucket: string
  let count = 0

  const open = () =>
    createClient(at.product.apiUrl, at.product.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: ws },
    })
  const signUp = async (email: string) => {
    const client = open()
    const { data, error } = await client.auth.signUp({ email, password: 'a password of the tests' })
    expect(error).toBeNull()
    return { client, id: data.user?.id ?? '' }
  }

  beforeAll(async () => {
    at = await openStorageConsole(limitMs)
    visitor = open()
    const signedUp = await signUp('ana-of-files@example.test')
    anaId = signedUp.id
    ana = signedUp.client
    ben = (await signUp('ben-of-files@example.test')).client
  }, 180_000)
  beforeEach(async () => {
    count += 1
    bucket = `guarded-${count}`
    await at.createBucket(bucket)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, at.page, await outputOf('cafe'))
  })
  afterAll(() => at?.browser.close())

  const reads = async (client: SupabaseClient, key: string) =>
    (await client.storage.from(bucket).download(key)).error === null
  const uploads = async (client: SupabaseClient, key: string) =>
    (await client.storage.from(bucket).upload(key, new Blob(['x'], { type: 'text/plain' }))).error === null
  const replaces = async (client: SupabaseClient, key: string) =>
    (await client.storage.from(bucket).update(key, new Blob(['y'], { type: 'text/plain' }))).error === null
  const removes = async (client: SupabaseClient, key: string) =>
    (await client.storage.from(bucket).remove([key])).data?.length === 1
  const runTemplate = async (title: string) => {
    const { page, product } = at
    await page.goto(`${product.consoleUrl}/storage?tab=policies`)
    await page.getByRole('combobox', { name: 'Bucket' }).selectOption(bucket)
    const template = page.getByRole('article', { name: title, exact: true })
    await template.getByText(`'${bucket}'`).first().waitFor()
    await template.getByRole('button', { name: 'Run' }).click()
    await page
      .getByRole('article', { name: new RegExp(`^${bucket}: `) })
      .first()
      .waitFor()
  }

  test('without a policy nobody reads or writes', async () => {
    await at.put(bucket, 'a.txt', 'x')
    expect([await reads(visitor, 'a.txt'), await reads(ana, 'a.txt'), await uploads(ana, 'b.txt')]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('“Everyone reads” lets a visitor read, and nobody write', async () => {
    await at.put(bucket, 'a.txt', 'x')
    await runTemplate('Everyone reads')
    expect([await reads(visitor, 'a.txt'), await reads(ana, 'a.txt')]).toEqual([true, true])
    expect([await uploads(ana, 'b.txt'), await removes(ana, 'a.txt')]).toEqual([false, false])
  })

  test('“Signed-in users read” lets users read, and no visitor; dropped, it lets nobody', async () => {
    const { page } = at
    await at.put(bucket, 'a.txt', 'x')
    await runTemplate('Signed-in users read')
    expect([await reads(visitor, 'a.txt'), await reads(ana, 'a.txt')]).toEqual([false, true])
    const policy = page.getByRole('article', { name: `${bucket}: signed-in users read` })
    await policy.getByRole('button', { name: 'Drop' }).click()
    await policy.waitFor({ state: 'detached' })
    expect(await reads(ana, 'a.txt')).toBe(false)
  })

  test('“Signed-in users upload” lets users upload, and neither visitors upload nor users read', async () => {
    await runTemplate('Signed-in users upload')
    expect([await uploads(visitor, 'v.txt'), await uploads(ana, 'a.txt')]).toEqual([false, true])
    expect([await at.stored(bucket, 'v.txt'), await at.stored(bucket, 'a.txt')]).toEqual([null, 'x'])
    expect(await reads(ana, 'a.txt')).toBe(false)
  })

  test('“Users change and delete what they uploaded” gives an object to its uploader alone', async () => {
    await runTemplate('Signed-in users upload')
    await runTemplate('Users change and delete what they uploaded')
    expect(await uploads(ana, 'a.txt')).toBe(true)
    expect([await reads(ben, 'a.txt'), await replaces(ben, 'a.txt'), await removes(ben, 'a.txt')]).toEqual([
      false,
      false,
      false,
    ])
    expect(await at.stored(bucket, 'a.txt')).toBe('x')
    expect([await reads(ana, 'a.txt'), await replaces(ana, 'a.txt')]).toEqual([true, true])
    expect(await at.stored(bucket, 'a.txt')).toBe('y')
    expect(await removes(ana, 'a.txt')).toBe(true)
    expect(await at.stored(bucket, 'a.txt')).toBeNull()
  })

  test('“Each user has a folder” keeps a user in the folder of their id', async () => {
    await runTemplate('Each user has a folder, named by the user’s id')
    const key = `${anaId}/a.txt`
    expect([await uploads(ana, key), await uploads(ana, 'a.txt'), await uploads(ben, `${anaId}/b.txt`)]).toEqual([
      true,
      false,
      false,
    ])
    expect([await reads(ana, key), await reads(ben, key), await reads(visitor, key)]).toEqual([true, false, false])
    expect([await removes(ben, key), await removes(ana, key)]).toEqual([false, true])
  })

  test('a signed link opens in a browser that is signed in nowhere; changed or past its time it is refused', async () => {
    const { page, context, product, browser } = at
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await at.put(bucket, 'letter.txt', 'Dear Ana')
    await at.openBucket(bucket, '?object=letter.txt')
    const drawer = page.getByRole('dialog', { name: 'letter.txt' })
    await drawer.getByRole('button', { name: 'Copy a signed link' }).click()
    await page.getByRole('menuitem', { name: 'for an hour' }).click()
    await page.getByText('The link is copied.').waitFor()
    const url = await page.evaluate(() => navigator.clipboard.readText())
    expect(url).toContain(`${product.apiUrl}/storage/v1/object/sign/${bucket}/letter.txt?token=`)
    const stranger = await browser.newContext()
    const tab = await stranger.newPage()
    const visit = async (address: string) => {
      const answer = await tab.goto(address)
      return [answer?.ok(), await tab.locator('body').textContent()]
    }
    expect(await visit(url)).toEqual([true, 'Dear Ana'])
    expect((await visit(url.replace(/.{6}$/, 'AAAAAA')))[0]).toBe(false)
    const signed = await page.evaluate(
      async ([name]) => {
        const answer = await fetch(`/console/api/storage/buckets/${name}/sign`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ key: 'letter.txt', expiresInSeconds: 1 }),
        })
        return (await answer.json()).url as string
      },
      [bucket],
    )
    // The link's own second passes on the server's clock.
    await expect.poll(async () => (await visit(signed))[1], { timeout: limitMs }).toContain('exp')
    expect((await visit(signed))[0]).toBe(false)
    await stranger.close()
  })
})
