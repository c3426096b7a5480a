import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import { axeProblems } from '../support/axe.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { openSignedIn } from '../support/console-page.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'
import { inDatabase } from '../support/ticks.ts'
import { isTrial } from '../support/trials.ts'

const limitMs = 30_000
const topic = 'room:of the console/1'
const address = `/realtime/channel?topic=${encodeURIComponent(topic)}&private=true`

/** Joins; resolves to what the client reports first. */
const joined = (channel: RealtimeChannel) =>
  new Promise<{ status: string; error: Error | undefined }>((resolve) =>
    channel.subscribe((status, error) => resolve({ status, error })),
  )

describe('channels in the console', () => {
  let product: SharedProduct
  let browser: Browser
  let page: Page
  let guest: SupabaseClient

  beforeAll(async () => {
    product = await sharedCafe()
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser, { width: 1440, height: 800 })).newPage()
    page.setDefaultTimeout(limitMs)
    await openSignedIn(page, product.consoleUrl)
    guest = createClient(product.apiUrl, product.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: ws },
    })
    const user = { email: 'ann-of-the-room@example.test', password: 'a password of the tests' }
    expect((await guest.auth.signUp(user)).error).toBeNull()
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, await outputOf('cafe'))
  })
  afterAll(async () => {
    await guest?.removeAllChannels()
    await browser?.close()
  })

  test('a template opens a private channel to users; who joins is seen, and messages go both ways', async () => {
    const heard: unknown[] = []
    const open = () =>
      guest.channel(topic, { config: { private: true, broadcast: { ack: true }, presence: { key: 'ann' } } })
    expect((await joined(open())).error?.message).toContain('Unauthorized')
    await guest.removeAllChannels()

    await page.goto(`${product.consoleUrl}/realtime?tab=policies`)
    await page.getByRole('textbox', { name: 'Topic', exact: true }).fill('room:of the console/*')
    for (const title of [
      'Signed-in users receive messages',
      'Signed-in users send messages',
      'Signed-in users see who is present, and are seen',
    ]) {
      const template = page.getByRole('article', { name: title, exact: true })
      await template.getByText(`'room:of the console/'`).first().waitFor()
      await template.getByRole('button', { name: 'Run' }).click()
    }
    await page.getByRole('article', { name: 'signed-in users are present in room:of the console/*' }).waitFor()

    const channel = open()
    channel.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push([event, payload]))
    channel.on('presence', { event: 'sync' }, () => undefined)
    expect(await joined(channel)).toMatchObject({ status: 'SUBSCRIBED' })
    expect(await channel.track({ name: 'Ann' })).toBe('ok')

    await page.getByRole('tab', { name: /^Channels/ }).click()
    await page.getByRole('table', { name: 'Channels' }).getByRole('link', { name: topic }).click()
    await page.getByRole('heading', { name: topic, level: 1 }).waitFor()
    const members = page.getByRole('region', { name: 'Members' })
    await members.getByText('ann-of-the-room@example.test').waitFor()
    await page.getByRole('region', { name: 'Present' }).getByText('"Ann"').waitFor()

    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('alert').filter({ hasText: 'Unauthorized' }).waitFor()
    await page.getByLabel('Join as').selectOption({ label: 'a user' })
    await page.getByLabel(/^User/).fill('ann-of-the-room@example.test')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('joined as ann-of-the-room@example.test').waitFor()
    await members.getByText('console', { exact: true }).waitFor()

    await page.getByLabel('Event').fill('hello')
    await page.getByLabel('Payload').fill('{"n": 1')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('The payload is a JSON object').waitFor()
    await page.getByLabel('Payload').fill('{"n": 1}')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => heard, { timeout: limitMs }).toEqual([['hello', { n: 1 }]])
    const messages = page.getByRole('table', { name: 'Messages' })
    await messages.getByRole('row', { name: /sent.*hello.*\{"n":1\}/ }).waitFor()

    expect(await channel.send({ type: 'broadcast', event: 'answer', payload: { deep: { n: 2 } } })).toBe('ok')
    await messages.getByRole('row', { name: /received.*answer/ }).click()
    await page.getByRole('dialog', { name: 'broadcast answer' }).getByText('"deep": {').waitFor()
    await page.keyboard.press('Escape')
    await channel.untrack()
    await messages.getByRole('row', { name: /received.*presence leave/ }).waitFor()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('button', { name: 'Join' }).waitFor()
  }, 120_000)

  test('row changes that a caller may see come to the screen, also after the connection was cut', async () => {
    const cuts: (() => void)[] = []
    await page.routeWebSocket(/\/console\/api\/realtime/, (socket) => {
      socket.connectToServer()
      cuts.push(() => void socket.close({ code: 4000 }))
    })
    await inDatabase(product, async (database) => {
      await database.query(`
        create table public.console_rows (id int primary key, status text);
        alter table public.console_rows enable row level security;
        create policy seen on public.console_rows for select to anon using (status <> 'hidden');
        alter publication supabase_realtime add table public.console_rows`)
      await page.goto(`${product.consoleUrl}/realtime/channel?topic=rows-of-the-console`)
      await page.getByLabel('Row changes').selectOption({ label: 'inserts' })
      await page.getByLabel('Table').fill('console_rows')
      await page.getByLabel('Filter of rows').fill('id=gt.1')
      await page.getByRole('button', { name: 'Join' }).click()
      const messages = page.getByRole('table', { name: 'Messages' })
      const subscribed = messages.getByRole('row', { name: /system ok.*Subscribed to PostgreSQL/ })
      await subscribed.waitFor()
      await database.query(`insert into public.console_rows values (1, 'filtered'), (2, 'hidden'), (3, 'shown')`)
      await messages.getByRole('row', { name: /change INSERT.*public\.console_rows.*"shown"/ }).waitFor()
      for (const cut of cuts.splice(0)) cut()
      await messages.getByRole('row', { name: /system joined again/ }).waitFor()
      await subscribed.nth(1).waitFor()
      await database.query(`insert into public.console_rows values (4, 'after the cut')`)
      await messages.getByRole('row', { name: /change INSERT.*public\.console_rows.*"after the cut"/ }).waitFor()
      expect(await messages.getByRole('row', { name: /change INSERT/ }).count()).toBe(2)
    })
  }, 120_000)

  test.runIf(isTrial)(
    'axe finds nothing on these screens',
    async () => {
      const found = [...(await axeProblems(page, `${product.consoleUrl}${address}`, [1440, 390]))]
      for (const tab of ['channels', 'policies'])
        found.push(...(await axeProblems(page, `${product.consoleUrl}/realtime?tab=${tab}`, [1440, 390])))
      expect(found).toEqual([])
    },
    120_000,
  )
})
