import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { launchOptions, openVisitor } from '../e2e/support/browser.ts'
import { cafeFolder, type Product, startProduct, until } from '../e2e/support/product.ts'
import { connectClickHouse } from '../server/src/engines/clickhouse/index.ts'
import { compileClickHouse } from '../server/src/ground/sql/clickhouse.ts'
import { sql } from '../server/src/ground/sql/sql.ts'
import { directoryOf } from '../server/src/instance/directory.ts'
import { add } from './compare.ts'
import { stored } from './processes.ts'

const visitMs = 60_000
/** The pages of several visitors repeat one another; those of one only themselves. */
const crowds = [1, 3]

/**
 * What a recorded minute takes on the disk, beside the gzip that posthog-js sent of it: visitors of the café who move, click,
 * scroll and type in a real browser.
 */
export async function measureRecordedMinutes(): Promise<void> {
  for (const visitors of crowds) {
    const product = await startProduct({ project: cafeFolder })
    const browser = await chromium.launch(launchOptions)
    try {
      const sent = await Promise.all(Array.from({ length: visitors }, (_, n) => visit(browser, product, n)))
      await stored(product.dataDir)
      const sentBytes = sent.reduce((sum, bytes) => sum + bytes, 0)
      const kept = await keptBytes(product)
      for (const [how, bytes] of [['as it came', kept.asItCame] as const, ['merged', kept.merged] as const])
        add(
          `a recorded minute of ${visitors} at once, kept ${how}, beside the gzip that was sent`,
          `${(bytes / visitors / 1024).toFixed(1)} KiB`,
          `${(sentBytes / visitors / 1024).toFixed(1)} KiB`,
          (bytes / sentBytes).toFixed(2),
        )
    } finally {
      await browser.close()
      await product.close()
    }
  }
}

/** @returns the bytes of the bodies that the recorder sent */
async function visit(browser: Browser, { apiUrl }: Product, n: number): Promise<number> {
  const page = await (await openVisitor(browser)).newPage()
  let bytes = 0
  // What a page says with its last breath has no body here, and so is not counted: that makes the ratio worse, not better.
  page.on('request', (request) => {
    if (request.url().includes('/ingest/s/')) bytes += request.postDataBuffer()?.length ?? 0
  })
  const press = (role: 'button' | 'link', name: string | RegExp): Promise<void> =>
    page.getByRole(role, { name }).first().click({ delay: 200 })
  const write = (label: string, text: string): Promise<void> =>
    page.getByLabel(label).pressSequentially(text, { delay: 60 })

  await page.goto(apiUrl)
  const endAt = performance.now() + visitMs
  for (let turn = 1; performance.now() < endAt; turn += 1) {
    for (const name of ['Add Espresso', 'Add Cappuccino']) {
      await page.mouse.move(200 + ((turn * 37) % 500), 150 + ((turn * 53) % 400), { steps: 14 })
      await press('button', name)
      await page.waitForTimeout(700)
    }
    await page.mouse.wheel(0, turn % 2 === 1 ? 400 : -400)
    await page.waitForTimeout(1500)
    if (turn === 2) {
      await press('link', 'Sign in')
      await press('button', 'Create an account')
      await write('Name', `Guest ${n}`)
      await write('E-mail', `guest-${n}@example.test`)
      await write('Password', 'coffee please now')
      await press('button', 'Sign up')
      await page.locator('header').getByText(`Guest ${n}`).waitFor()
      await page.goto(apiUrl)
    } else {
      await press('link', /^Basket/)
      await page.waitForTimeout(1200)
      await page.goBack()
    }
  }
  await page.goto('about:blank')
  await page.context().close()
  return bytes
}

/** What the table of recordings takes on the disk, with its indexes and projections. */
async function keptBytes({ dataDir }: Product): Promise<{ readonly asItCame: number; readonly merged: number }> {
  const socketPath = join(directoryOf(dataDir).sockets, 'clickhouse.sock')
  const clickhouse = connectClickHouse({ kind: 'embedded', socketPath, timeoutMs: 60_000 })
  const measure = async (): Promise<{ readonly bytes: number; readonly parts: number }> => {
    const [row] = await clickhouse.query<{ bytes: string; parts: string }>(
      compileClickHouse(sql`
        select sum(bytes_on_disk) as bytes, count() as parts
        from system.parts
        where active and database = currentDatabase() and table = 'snapshots'`),
    )
    return { bytes: Number(row?.bytes), parts: Number(row?.parts) }
  }
  try {
    const asItCame = (await measure()).bytes
    await clickhouse.command(compileClickHouse(sql`optimize table snapshots final`))
    await until(async () => (await measure()).parts === 1)
    return { asItCame, merged: (await measure()).bytes }
  } finally {
    await clickhouse.close()
  }
}
