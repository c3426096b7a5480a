import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SessionDetail, StorageObject } from '../../console/src/lib/api/schemas.ts'
import { axeProblems } from '../support/axe.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { type ConsoleApi, claimOwner, owner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { killNow, type Product, run, startProduct, until } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'
import { isTrial } from '../support/trials.ts'

const limitMs = 60_000

describe('what the database does by itself, in the console', () => {
  let product: Product
  let browser: Browser
  let page: Page
  let receiver: Server
  let project: string
  let api: ConsoleApi
  let status = 204

  const sql = async (text: string): Promise<void> => {
    const client = new pg.Client(product.dbUrl)
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  const screenOf = async (label: string, heading = label): Promise<void> => {
    await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: label }).click()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  const drawer = (name: string | RegExp) => page.getByRole('dialog', { name })

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'clew-integrations-'))
    const migrations = join(project, 'supabase', 'migrations')
    await mkdir(migrations, { recursive: true })
    await writeFile(
      join(migrations, '20260101000000_orders.sql'),
      'create table public.orders (id int primary key, state text not null);',
    )
    receiver = createServer((request, answer) => {
      request.resume()
      answer.writeHead(status).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    product = await startProduct({ project })
    api = await claimOwner(product)
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser)).newPage()
    page.setDefaultTimeout(limitMs)
    await openSignedIn(page, product.consoleUrl)
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, product.output())
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
    receiver?.close()
    await rm(project, { recursive: true, force: true })
  })

  test('a job runs when it is told to, and leads to the row that it changed, which names the job', async () => {
    await screenOf('Jobs')
    await page.getByRole('heading', { name: 'The extension pg_cron is not created yet.' }).waitFor()
    await sql(`create extension pg_cron; insert into orders values (1, 'new')`)
    await sql(`select cron.schedule('ship', '0 3 * * mon', $$update orders set state = 'shipped' where id = 1$$)`)
    const jobs = page.getByRole('table', { name: 'Jobs' })
    await jobs.getByText('at 03:00 on Monday').waitFor()
    await jobs.getByRole('link', { name: /^ship/ }).click()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('table', { name: 'Runs' }).getByText('UPDATE 1').click()
    const run = drawer(/^Run/)
    await run.getByRole('heading', { name: 'Rows changed 1' }).waitFor()
    await run.getByText('new → shipped').waitFor()
    await page.goto(`${product.consoleUrl}/data/public/orders?row=${encodeURIComponent('{"id":"1"}')}&tab=history`)
    await page.getByRole('link', { name: 'ship', exact: true }).click()
    await drawer(/^Run/).waitFor()
    expect(page.url()).toMatch(/\/jobs\/1\?run=\d+$/)
  })

  test('a webhook names the request that caused it; one that failed is sent again', async () => {
    const { port } = receiver.address() as AddressInfo
    await sql(`create trigger order_changed after update on orders for each row execute function
      supabase_functions.http_request('http://127.0.0.1:${port}/hook', 'POST', '{}', '{}', '5000')`)
    status = 404
    const answer = await fetch(`${product.apiUrl}/rest/v1/orders?id=eq.1`, {
      method: 'PATCH',
      headers: { apikey: product.secretKey, 'content-type': 'application/json' },
      body: '{"state":"returned"}',
    })
    expect(answer.status).toBe(204)
    await screenOf('Webhooks')
    await page.getByRole('table', { name: 'Hooks' }).getByText('order_changed').click()
    await page.getByRole('table', { name: 'Deliveries' }).getByText('failed 404').click()
    const delivery = drawer(/^Delivery/)
    await delivery.getByRole('link', { name: 'PATCH /rest/v1/orders' }).waitFor()
    await delivery.getByText('"returned"').first().waitFor()
    status = 204
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await delivery.getByText('delivered 204').waitFor()
    await delivery.getByRole('link', { name: 'PATCH /rest/v1/orders' }).click()
    await page.getByRole('heading', { name: 'Sent 1' }).waitFor()
    await page.getByRole('link', { name: 'webhook order_changed' }).waitFor()
  })

  test('a migration that is pending says how to go on; a changed one shows both texts, a failed one where', async () => {
    const migrations = join(project, 'supabase', 'migrations')
    await writeFile(join(migrations, '20260102000000_notes.sql'), 'create table public.notes (id int primary key);')
    await writeFile(
      join(migrations, '20260101000000_orders.sql'),
      'create table public.orders (id bigint primary key, state text not null);',
    )
    await screenOf('Migrations')
    await page.getByText('clew migration up').waitFor()
    const list = page.getByRole('table', { name: 'Migrations' })
    await list.getByText('pending').waitFor()
    await list.getByText('changed').click()
    const opened = drawer('Migration 20260101000000')
    await opened.getByRole('heading', { name: 'As it ran' }).waitFor()
    await opened.getByText('bigint').waitFor()
    await opened.getByRole('button', { name: 'Close' }).click()
    await writeFile(join(migrations, '20260102000000_notes.sql'), 'select 1;\ncreate table public.orders (id int);')
    expect(await run(['migration', 'up', '--project', project, '--data', product.dataDir])).toMatchObject({ code: 5 })
    await page.reload()
    await list.getByText('failed').click()
    const failed = drawer('Migration 20260102000000')
    await failed.getByText('relation "orders" already exists').waitFor()
    await failed.getByText('supabase/migrations/20260102000000_notes.sql:2:').waitFor()
  })

  test('a message is sent, archived, and the queue is purged by its name', async () => {
    await sql(`create extension if not exists pgmq`)
    await sql(`select pgmq.create('mails')`)
    await screenOf('Queues')
    await page.getByRole('link', { name: 'mails' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send to mails' })
    for (const to of ['ann', 'bob']) {
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByLabel('Message (JSON)').fill(JSON.stringify({ to }))
      await dialog.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('cell', { name: `{"to": "${to}"}` }).waitFor()
      await dialog.waitFor({ state: 'hidden' })
    }
    await page.getByRole('cell', { name: '{"to": "ann"}' }).click()
    await drawer(/^Message/)
      .getByRole('button', { name: 'Archive' })
      .click()
    await page.getByRole('tab', { name: 'Archived 1' }).click()
    await page.getByRole('cell', { name: '{"to": "ann"}' }).waitFor()
    await page.getByRole('button', { name: 'Purge' }).click()
    await page.getByLabel('Type mails to confirm').fill('mails')
    await page.getByRole('button', { name: 'Delete the messages' }).click()
    await page.getByText('1 message is deleted.').waitFor()
    await page.getByRole('tab', { name: 'Visible 0' }).waitFor()
  })

  test('a secret is stored, read by its owner, and deleted; the audit log names each, and no value', async () => {
    await screenOf('Vault')
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByLabel('Name').fill('stripe_key')
    await page.getByLabel('Value').fill('sk_live_1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Secrets' }).getByText('stripe_key').click()
    const secret = drawer('stripe_key')
    expect(await secret.getByText('sk_live_1').count()).toBe(0)
    await secret.getByRole('button', { name: 'Reveal' }).click()
    await secret.getByText('sk_live_1').waitFor()
    const { actions } = await api.get<{ actions: { action: string; operator: string }[] }>('/actions')
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['secret.reveal', 'secret.create', 'queue.purge', 'webhook.send', 'job.run']),
    )
    expect(new Set(actions.map(({ operator }) => operator))).toEqual(new Set([owner.email]))
    expect(JSON.stringify(actions)).not.toContain('sk_live')
    await secret.getByRole('button', { name: 'Delete' }).click()
    await page.getByLabel('Type stripe_key to confirm').fill('stripe_key')
    await page.getByRole('dialog', { name: 'Delete the secret' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No secrets yet.' }).waitFor()
  })

  test('what net.http_post sent stands in the session of the call that asked for it', async () => {
    const { port } = receiver.address() as AddressInfo
    await sql(`create extension if not exists pg_net`)
    await sql(`create function public.tell() returns bigint language sql as
      $$ select net.http_post('http://127.0.0.1:${port}/told', '{"to": "ann"}') $$`)
    await sql(`notify pgrst, 'reload schema'`)
    const session = '01a203d8-0000-7000-8000-00000000abcd'
    const tell = async () => {
      const { status: answered } = await fetch(`${product.apiUrl}/rest/v1/rpc/tell`, {
        method: 'POST',
        headers: { apikey: product.secretKey, 'x-posthog-session-id': session, 'x-posthog-distinct-id': 'ann' },
      })
      return answered
    }
    await until(async () => (await tell()) === 200)
    const sent = async () => {
      const { moments } = await api.get<SessionDetail>(`/sessions/${session}`)
      return moments.flatMap(({ requests }) => requests.flatMap(({ sends }) => sends))
    }
    await until(async () => (await sent().catch(() => [])).some(({ state }) => state === 'delivered'))
    expect((await sent())[0]).toMatchObject({ kind: 'request', method: 'POST', url: `http://127.0.0.1:${port}/told` })
    await page.goto(`${product.consoleUrl}/sessions/${session}`)
    await page.getByRole('list', { name: 'Thread' }).getByRole('link', { name: 'request from SQL' }).first().click()
    await drawer(/^Request/)
      .getByText('/told')
      .first()
      .waitFor()
  })

  test('a folder is uploaded as it is, and renamed with all in it; deleting it is undone', async () => {
    const folder = join(project, 'cakes')
    await mkdir(join(folder, 'summer'), { recursive: true })
    for (let number = 0; number < 30; number += 1)
      await writeFile(join(folder, number % 2 ? 'summer' : '.', `${number}.txt`), `cake ${number}`)
    await screenOf('Storage')
    await page.getByRole('button', { name: 'New bucket' }).click()
    await page.getByLabel('Name').fill('menu')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByLabel('Folder to upload').setInputFiles(folder)
    await page.getByText('30 uploads have ended').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Actions for cakes' }).click()
    await page.getByRole('menuitem', { name: 'Rename or move' }).click()
    await page.getByLabel('Folder, with those above it').fill('sweets/cakes')
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('30 objects are moved.').waitFor()
    await page.getByRole('button', { name: 'sweets', exact: true }).click()
    await page.getByRole('button', { name: 'cakes', exact: true }).click()
    await page.getByRole('button', { name: 'summer', exact: true }).click()
    await page.getByRole('button', { name: '1.txt', exact: true }).click()
    await drawer('1.txt').getByText('cake 1').waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByRole('checkbox', { name: 'Select summer' }).check()
    await page.getByRole('button', { name: 'Delete 1' }).click()
    await page.getByText('15 objects were deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'summer', exact: true }).waitFor()
  })

  test('an upload is paused and resumed, and goes on by itself when Clew was killed and is back', async () => {
    const line = await page.context().newCDPSession(page)
    const slow = { offline: false, latency: 1, downloadThroughput: -1, uploadThroughput: 6 * 1024 * 1024 }
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', slow)
    await page.goto(`${product.consoleUrl}/storage/menu`)
    const bytes = Buffer.alloc(12 * 1024 * 1024, 'clew')
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'film.bin', mimeType: 'application/octet-stream', buffer: bytes })
    const progress = page.getByRole('progressbar', { name: 'Progress of film.bin' })
    const percent = async () => Number(await progress.getAttribute('aria-valuenow'))
    await until(async () => (await percent()) > 10)
    await page.getByRole('button', { name: 'Pause film.bin' }).click()
    await page.getByRole('region', { name: 'Uploads' }).getByText('paused').waitFor()
    await page.getByRole('button', { name: 'Resume film.bin' }).click()
    await until(async () => (await percent()) > 40)
    const [port, consolePort] = [Number(new URL(product.apiUrl).port), Number(new URL(product.consoleUrl).port)]
    // A migration above was left as one that fails.
    const failing = join(project, 'supabase', 'migrations', '20260102000000_notes.sql')
    await writeFile(failing, 'create table public.notes (id int primary key);')
    killNow(product, true)
    await page.getByText(/It is tried again\.$/).waitFor()
    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    product = await startProduct({ project, dataDir: product.dataDir, port, consolePort })
    await page.getByText('1 upload has ended').waitFor()
    await line.detach()
    const { id, sizeBytes, etag } = await api.get<StorageObject>('/storage/buckets/menu/object?key=film.bin')
    expect([sizeBytes, etag]).toEqual([bytes.length, `"${createHash('md5').update(bytes).digest('hex')}"`])
    await page.goto(`${product.consoleUrl}/storage/objects/${id}`)
    await drawer('film.bin').getByText('12.6 MB').waitFor()
  })

  test.runIf(isTrial)('axe finds nothing on these screens', async () => {
    const places = [
      ...['jobs', 'jobs/1', 'queues/mails', 'webhooks?tab=deliveries', 'vault', 'schema/migrations', 'audit'],
    ]
    const found: string[] = []
    for (const place of places)
      found.push(...(await axeProblems(page, `${product.consoleUrl}/${place}`, [1440, 1024, 390])))
    expect(found).toEqual([])
  })
})
