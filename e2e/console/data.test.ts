import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { openSignedIn } from '../support/console-page.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'

const limitMs = 60_000

describe('rows are changed in the console', () => {
  let product: SharedProduct
  let database: pg.Client
  let browser: Browser
  let page: Page
  let folder: string

  const open = async (search = ''): Promise<Locator> => {
    await page.goto(`${product.consoleUrl}/data/public/wares${search}`)
    const grid = page.getByRole('grid', { name: 'Rows of public.wares' })
    await grid.waitFor()
    return grid
  }
  const cell = (name: string): Locator => page.getByRole('gridcell', { name, exact: true })
  const toast = (text: string): Locator => page.getByText(text, { exact: true })
  const stored = async (text: string): Promise<readonly object[]> => (await database.query(text)).rows
  const bar = (): Locator => page.getByRole('region', { name: 'Unsaved changes' })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-data-'))
    product = await sharedCafe()
    database = new pg.Client({ connectionString: product.dbUrl })
    await database.connect()
    await database.query(`
      create table public.makers (id int primary key, name text not null);
      create table public.wares (
        id int primary key, name text not null, price numeric(8, 2) check (price > 0), maker int references public.makers,
        owner uuid);
      alter table public.wares enable row level security;
      create policy own on public.wares for select to authenticated using (owner = auth.uid());
      insert into public.makers values (1, 'Ana'), (2, 'Bea')`)
    browser = await openSharedBrowser()
    page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    page.setDefaultTimeout(limitMs)
    await openSignedIn(page, product.consoleUrl)
  }, 120_000)
  beforeEach(async () => {
    await database.query(`
      delete from public.wares;
      insert into public.wares select n, 'Ware ' || n, n * 1.5, 1 + n % 2 from generate_series(1, 40) n`)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, await outputOf('cafe'))
  })
  afterAll(async () => {
    await browser?.close()
    await database?.end()
    await rm(folder, { recursive: true, force: true })
  })

  test('a cell is edited, staged, saved and undone', async () => {
    await open()
    await cell('Ware 2').dblclick()
    await page.getByRole('textbox', { name: 'New value of name' }).fill('Mug')
    await page.keyboard.press('Enter')
    await bar().getByText('1 change').waitFor()
    await bar().getByRole('button', { name: 'Save' }).click()
    await toast('One row saved.').waitFor()
    expect(await stored('select name from public.wares where id = 2')).toEqual([{ name: 'Mug' }])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await toast('Undone.').waitFor()
    expect(await stored('select name from public.wares where id = 2')).toEqual([{ name: 'Ware 2' }])
  })

  test('what a constraint refuses stands at its cell, and nothing is saved', async () => {
    await open()
    await cell('4.50').dblclick()
    await page.getByRole('textbox', { name: 'New value of price' }).fill('-1')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page
      .getByRole('gridcell')
      .getByRole('alert')
      .getByText(/wares_price_check/)
      .waitFor()
    expect(await stored('select price from public.wares where id = 3')).toEqual([{ price: '4.50' }])
    await bar().getByRole('button', { name: 'Discard' }).click()
  })

  test('a row is edited by keys alone, from the filter to the saved row', async () => {
    await open()
    await page.keyboard.press('/')
    await page.keyboard.type('na')
    await page.keyboard.press('Tab')
    await page.keyboard.type('eq.Ware 5')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit the filter name = Ware 5' }).waitFor()
    await cell('Ware 5').waitFor()
    const grid = page.getByRole('grid')
    // The heads' buttons come before the rows.
    while (!(await grid.evaluate((element) => element === element.ownerDocument.activeElement)))
      await page.keyboard.press('Tab')
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key)
    await page.keyboard.type(' deluxe')
    for (const key of ['Enter', 'Control+s']) await page.keyboard.press(key)
    await toast('One row saved.').waitFor()
    expect(await stored('select name from public.wares where id = 5')).toEqual([{ name: 'Ware 5 deluxe' }])
  })

  test('a change of the past is undone from the row’s history, and not where the row changed since', async () => {
    await database.query(`update public.wares set price = 99 where id = 7`)
    await open('?row=%7B%22id%22%3A%227%22%7D&tab=history')
    const drawer = page.getByRole('dialog', { name: 'wares #7' })
    const entry = drawer.getByRole('listitem').filter({ hasText: '10.50 → 99.00' })
    await entry.getByRole('button', { name: 'Undo…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo a change of wares #7' })
    await dialog.getByText('goes back').waitFor()
    await dialog.getByRole('button', { name: 'Undo one row' }).click()
    await toast('One row undone.').waitFor()
    expect(await stored('select price from public.wares where id = 7')).toEqual([{ price: '10.50' }])
    // An undo is recorded as a change and can be undone in turn.
    await drawer.getByRole('listitem').filter({ hasText: '99.00 → 10.50' }).waitFor()
    await database.query(`update public.wares set price = 50 where id = 7`)
    await entry.getByRole('button', { name: 'Undo…' }).click()
    await dialog.getByText('Changed since, and left as they are now').waitFor()
    expect(await dialog.getByRole('button', { name: /^Undo 0 rows/ }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await stored('select price from public.wares where id = 7')).toEqual([{ price: '50.00' }])
  })

  test('a file is matched with the columns, tried, refused by its lines and imported', async () => {
    await open()
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import into wares' })
    const choose = (text: string) =>
      dialog
        .getByLabel('CSV file')
        .setInputFiles({ name: 'wares.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('id,Name,price,extra\n101,Cup,2.50,x\n102,Pot,-1,y\n')
    expect(await dialog.getByRole('combobox', { name: 'Column for Name' }).inputValue()).toBe('name')
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
    await dialog.getByRole('alert').getByText('Line 3:').waitFor()
    expect(await stored('select from public.wares where id > 100')).toEqual([])
    await choose('id,Name,price,extra\n101,Cup,2.50,x\n102,Pot,,y\n')
    await dialog.getByRole('button', { name: 'Try' }).click()
    await dialog.getByText('PostgreSQL takes all 2 rows.').waitFor()
    await dialog.getByRole('button', { name: 'Import 2 rows' }).click()
    await toast('2 rows imported.').waitFor()
    expect(await stored('select id, name, price from public.wares where id > 100 order by id')).toEqual([
      { id: 101, name: 'Cup', price: '2.50' },
      { id: 102, name: 'Pot', price: null },
    ])
  })

  test('the rows that are left by a filter are saved as a file', async () => {
    await open(`?filter=${encodeURIComponent('["id.lt.3"]')}`)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'These rows as CSV' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe('wares.csv')
    const file = join(folder, 'wares.csv')
    await download.saveAs(file)
    const text = await readFile(file, 'utf8')
    expect(text.split('\r\n').slice(0, 2)).toEqual(['id,name,price,maker,owner', '1,Ware 1,1.50,2,'])
  })

  test('a caller is shown what policies let it see, and why; the rows are for reading alone', async () => {
    await open()
    await page.getByRole('button', { name: 'View as' }).click()
    await page.getByRole('menuitem', { name: /^anon/ }).click()
    await page.getByText('These are the rows that anon is shown.').waitFor()
    expect(await page.getByRole('button', { name: 'Insert row' }).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Why?' }).last().click()
    await page
      .getByText(/No policy/i)
      .first()
      .waitFor()
  })

  test('related rows are counted, and one step away', async () => {
    await page.goto(`${product.consoleUrl}/data/public/makers?row=%7B%22id%22%3A%221%22%7D&tab=related`)
    const drawer = page.getByRole('dialog', { name: 'makers #1' })
    expect((await drawer.getByRole('listitem').filter({ hasText: 'wares' }).textContent()) ?? '').toContain('20 rows')
    await drawer.getByRole('link', { name: 'wares' }).click()
    await page.getByRole('button', { name: 'Edit the filter maker = 1' }).waitFor()
  })

  test('axe finds nothing on the grid, in both themes and on a telephone', async () => {
    const found = await axeProblems(page, `${product.consoleUrl}/data/public/wares`, [1440, 390])
    const viewed = await axeProblems(page, `${product.consoleUrl}/data/public/wares?as=anon`, [390])
    expect([...found, ...viewed]).toEqual([])
  })
})
