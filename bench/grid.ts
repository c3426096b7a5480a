import pg from 'pg'
import { chromium, type Page } from 'playwright-core'
import { launchOptions, openVisitor } from '../e2e/support/browser.ts'
import { claimOwner } from '../e2e/support/console-api.ts'
import { openSignedIn } from '../e2e/support/console-page.ts'
import type { Product } from '../e2e/support/product.ts'
import { add, median } from './compare.ts'
import { gridFloorPage } from './grid-floor.ts'

const rows = Number(process.env.BENCH_GRID ?? 1_000_000)

/**
 * From an interaction with the console's grid of a million rows to the next paint, as Chromium's event timing has it: whole
 * milliseconds in steps of eight, an interaction below sixteen as sixteen. The floor is a bare table that draws as many cells,
 * in the same browser, right before.
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
    const floor = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    await floor.setContent(gridFloorPage)
    for (const [what, interact] of interactions()) {
      const bare = what === edit ? '' : describe(await timed(floor, interact))
      const taken = await timed(page, interact)
      add(
        `grid of ${rows.toLocaleString('en')} rows, interaction to next paint: ${what} (${taken.length})`,
        describe(taken),
        bare,
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

const describe = (taken: readonly number[]): string => `p50 ${median(taken)} ms, most ${Math.max(...taken)} ms`

type Interact = (page: Page) => Promise<unknown>

/** What the bare table has not. */
const edit = 'an edit: begun, typed, taken'

function interactions(): readonly (readonly [what: string, interact: Interact])[] {
  const press =
    (count: number, key: string): Interact =>
    (page) =>
      times(count, () => page.keyboard.press(key))
  return [
    ['arrow down', press(80, 'ArrowDown')],
    ['arrow right', press(11, 'ArrowRight')],
    ['page down', press(40, 'PageDown')],
    [
      'to the last row and back',
      (page) => times(10, (n) => page.keyboard.press(n % 2 === 0 ? 'Control+End' : 'Control+Home')),
    ],
    ['a click on a cell', (page) => times(20, (n) => page.mouse.click(700, 200 + 20 * n))],
    [
      edit,
      (page) =>
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

/**
 * Runs in the page: keeps the longest event of each interaction that begins from now on. One before that changed nothing in
 * sight is told of only now, with the next paint.
 */
const observe = `
  globalThis.interactionsKnown = {}
  const known = globalThis.interactionsKnown
  const from = performance.now()
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, startTime } of list.getEntries())
      if (interactionId > 0 && startTime >= from) known[interactionId] = Math.max(known[interactionId] ?? 0, duration)
  }).observe({ type: 'event', durationThreshold: 16 })`

/** Runs in the page: the observer is told of events once they are painted. */
const collect = `new Promise((resolve) =>
  requestAnimationFrame(() => setTimeout(() => resolve(Object.values(globalThis.interactionsKnown)), 300)))`

/** The longest event of each interaction, in milliseconds. */
async function timed(page: Page, interact: Interact): Promise<readonly number[]> {
  await page.evaluate(observe)
  await interact(page)
  const taken = await page.evaluate<readonly number[]>(collect)
  return taken.length === 0 ? [16] : taken
}
