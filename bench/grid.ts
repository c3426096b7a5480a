import pg from 'pg'
import { chromium, type Page } from 'playwright-core'
import { launchOptions, openVisitor } from '../e2e/support/browser.ts'
import { claimOwner } from '../e2e/support/console-api.ts'
import { openSignedIn } from '../e2e/support/console-page.ts'
import type { Product } from '../e2e/support/product.ts'
import { add, median } from './compare.ts'

const rows = Number(process.env.BENCH_GRID ?? 1_000_000)

/**
 * From an interaction with the console's grid of a million rows to the next paint, as Chromium's event timing has it: whole
 * milliseconds in steps of eight, an interaction below sixteen as sixteen.
 *
 * @see https://www.w3.org/TR/event-timing/
 */
export async function measureGrid(product: Product, databaseUrl: string): Promise<void> {
  await fillTable(databaseUrl)
  await claimOwner(product)
  const browser = await chromium.launch(launchOptions)
  try {
    const page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    page.setDefaultTimeout(60_000)
    await openSignedIn(page, `${product.consoleUrl}/data/public/bench_grid`)
    const grid = page.getByRole('grid')
    await grid.getByRole('gridcell', { name: 'name 1', exact: true }).waitFor()
    await grid.getByRole('gridcell', { name: 'name 1', exact: true }).click()
    for (const [what, interact] of interactions(page)) {
      const taken = await timed(page, interact)
      const most = Math.max(...taken)
      add(
        `grid of ${rows.toLocaleString('en')} rows, interaction to next paint: ${what} (${taken.length})`,
        `p50 ${median(taken)} ms, most ${most} ms`,
      )
    }
  } finally {
    await browser.close()
  }
}

/** Unlogged, as no history of it is wanted. */
async function fillTable(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`
    create unlogged table public.bench_grid (
      id int primary key, name text not null, email text, total numeric, paid boolean, placed_at timestamptz,
      note text, city text, country text, tags text[], details jsonb, parent uuid);
    insert into public.bench_grid
    select n, 'name ' || n, 'user' || n || '@example.test', n * 1.25, n % 2 = 0, now() - n * interval '1 minute',
      repeat('a note ', n % 9), 'city ' || n % 100, 'country ' || n % 20, array['a', 'b' || n], jsonb_build_object('n', n),
      gen_random_uuid()
    from generate_series(1, ${rows}) n;
    analyze public.bench_grid`)
  await client.end()
}

const times = async (count: number, one: (n: number) => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < count; n += 1) await one(n)
}

function interactions(page: Page): readonly (readonly [what: string, interact: () => Promise<unknown>])[] {
  const press = (key: string) => () => page.keyboard.press(key)
  return [
    ['arrow down', () => times(80, press('ArrowDown'))],
    ['arrow right', () => times(11, press('ArrowRight'))],
    ['page down', () => times(40, press('PageDown'))],
    [
      'to the last row and back',
      () => times(10, (n) => page.keyboard.press(n % 2 === 0 ? 'Control+End' : 'Control+Home')),
    ],
    ['a click on a cell', () => times(20, (n) => page.mouse.click(700, 200 + 20 * n))],
    [
      'an edit: begun, typed, taken',
      () =>
        times(10, async () => {
          await page.keyboard.press('Home')
          await page.keyboard.press('ArrowRight')
          await page.keyboard.press('F2')
          await page.keyboard.type('abc')
          await page.keyboard.press('Enter')
        }),
    ],
  ]
}

/** Runs in the page: keeps the longest event of each interaction. */
const observe = `
  globalThis.interactionsKnown = {}
  const known = globalThis.interactionsKnown
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) known[interactionId] = Math.max(known[interactionId] ?? 0, duration)
  }).observe({ type: 'event', durationThreshold: 16 })`

/** Runs in the page: the observer is told of events once they are painted. */
const collect = `new Promise((resolve) =>
  requestAnimationFrame(() => setTimeout(() => resolve(Object.values(globalThis.interactionsKnown)), 300)))`

/** The longest event of each interaction, in milliseconds. */
async function timed(page: Page, interact: () => Promise<unknown>): Promise<readonly number[]> {
  await page.evaluate(observe)
  await interact()
  const taken = await page.evaluate<readonly number[]>(collect)
  return taken.length === 0 ? [16] : taken
}
