import pg from 'pg'
import { chromium, type Page } from 'playwright-core'
import { launchOptions, openVisitor } from '../e2e/support/browser.ts'
import { claimOwner, signInOwner } from '../e2e/support/console-api.ts'
import { openSignedIn } from '../e2e/support/console-page.ts'
import type { Product } from '../e2e/support/product.ts'
import { add } from './compare.ts'
import { describeFrames, frames } from './frames.ts'

const [tables, references] = [200, 300]

/** How evenly the console draws the diagram of a large schema while it is moved and zoomed. Its floor is the page at rest. */
export async function measureDiagram(product: Product, databaseUrl: string): Promise<void> {
  await makeSchema(databaseUrl)
  await claimOwner(product).catch(() => signInOwner(product))
  const browser = await chromium.launch(launchOptions)
  try {
    const page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    page.setDefaultTimeout(60_000)
    await openSignedIn(page, `${product.consoleUrl}/schema`)
    const openedAt = performance.now()
    await page.goto(`${product.consoleUrl}/schema/diagram?schema=bench_diagram`)
    await page.getByRole('group', { name: /^t100,/ }).waitFor()
    const what = `diagram of ${tables} tables with ${references} references`
    add(`${what}: opened until it is drawn`, `${((performance.now() - openedAt) / 1000).toFixed(1)} s`)
    const rest = await frames(page, () => page.waitForTimeout(2000))
    for (const [how, act] of acts(page))
      add(
        `${what}: frames while it is ${how}`,
        describeFrames(await frames(page, act)),
        `${describeFrames(rest)} at rest`,
      )
  } finally {
    await browser.close()
  }
}

/** Tables of 5 to 18 columns; each references some that were made before it. */
async function makeSchema(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const types = ['text', 'int', 'timestamptz', 'numeric(10,2)', 'jsonb', 'boolean']
  const columns = (table: number) =>
    Array.from({ length: 4 + ((table * 7) % 14) }, (_, column) => `c${column} ${types[column % types.length]}`)
  const made = Array.from(
    { length: tables },
    (_, table) => `create table bench_diagram.t${table} (id bigint primary key, ${columns(table).join(', ')})`,
  )
  const joined = Array.from({ length: references }, (_, n) => {
    const from = 1 + ((n * 73) % (tables - 1))
    const to = (n * 31) % from
    return `alter table bench_diagram.t${from} add column r${n} bigint references bench_diagram.t${to}`
  })
  await client.query(['create schema bench_diagram', ...made, ...joined].join(';'))
  await client.end()
}

function acts(page: Page): readonly (readonly [how: string, act: () => Promise<unknown>])[] {
  const [x, y] = [820, 480]
  const move = async () => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let step = 0; step < 200; step += 1) {
      await page.mouse.move(x + 200 * Math.sin(step / 30), y + 150 * Math.cos(step / 30))
      await page.waitForTimeout(16)
    }
    await page.mouse.up()
  }
  const zoom = (by: number) => async () => {
    await page.mouse.move(x, y)
    for (let step = 0; step < 100; step += 1) {
      await page.mouse.wheel(0, by)
      await page.waitForTimeout(16)
    }
  }
  return [
    ['moved, with all tables in sight', move],
    ['zoomed in', zoom(-24)],
    ['moved, seen near', move],
    ['zoomed out', zoom(24)],
  ]
}
