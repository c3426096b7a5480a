import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import type { Product } from '../support/product.ts'
import { openProjectConsole, type ProjectConsole, pageLimitMs } from '../support/project-console.ts'
import { isTrial } from '../support/trials.ts'

describe('the schema in the console', () => {
  let opened: ProjectConsole | undefined
  let product: Product
  let page: Page
  let project: string
  let migrations: string

  const open = async (path: string): Promise<void> => {
    await page.goto(`${product.consoleUrl}/schema${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const drawer = (name: string) => page.getByRole('dialog', { name })
  const written = async (ending: string): Promise<string> => {
    const file = (await readdir(migrations)).find((name) => name.endsWith(`_${ending}.sql`))
    return file === undefined ? '' : readFile(join(migrations, file), 'utf8')
  }

  beforeAll(async () => {
    opened = await openProjectConsole(
      'schema',
      `create table public.customers (id bigint generated always as identity primary key, owner uuid, name text not null);
       alter table public.customers enable row level security;
       create table public.orders (
         id bigint generated always as identity primary key,
         customer_id bigint references public.customers, total numeric not null);
       insert into public.customers (name) values ('Ann'), ('Bob');
       insert into public.orders (customer_id, total) select 1, n from generate_series(1, 30) n;`,
    )
    ;({ product, page, project, migrations } = opened)
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await opened?.keep(task.name)
  })
  afterAll(() => opened?.close())

  test('a table is made by a form, with a migration in the project folder, and the API serves it', async () => {
    await open('')
    await page.getByRole('button', { name: 'New table' }).click()
    const form = drawer('New table')
    await form.getByLabel('Name').first().fill('tables of the café')
    await form.getByRole('button', { name: 'Add a column' }).click()
    const third = form.getByRole('group', { name: 'Column 3' })
    await third.getByLabel('Name').fill('seats')
    await third.getByLabel('Type', { exact: true }).fill('integer')
    await form.getByText('seats integer').waitFor()
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { name: 'public.tables of the café' }).waitFor()
    expect(await written('create_table_tables_of_the_café')).toContain('create table public."tables of the café" (')
    const address = `${product.apiUrl}/rest/v1/${encodeURIComponent('tables of the café')}?select=id,seats`
    // The schema is read again when PostgreSQL tells of the new table.
    await expect.poll(async () => (await fetch(address)).status, { timeout: pageLimitMs }).toBe(200)
  }, 120_000)

  test('a column is changed; what that does stands before the button, and a refusal has the database’s words', async () => {
    await open('/public/orders')
    await page.getByRole('table', { name: 'Columns' }).getByText('total', { exact: true }).click()
    const form = drawer('Change total')
    await form.getByLabel('Type', { exact: true }).fill('date')
    await form.getByText('Rewrites 30 rows; requests on the table wait meanwhile.').waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('cannot be cast automatically to type date').waitFor()
    await form.getByLabel('Type', { exact: true }).fill('numeric(12,2)')
    await form.getByLabel('Comment').fill('In euros')
    await form.getByText(`comment on column public.orders.total is 'In euros';`).waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('table', { name: 'Columns' }).getByText('numeric(12,2)').waitFor()
    expect(await written('change_column_orders_total')).toContain('alter column total type numeric(12,2)')
  }, 120_000)

  test('a policy is made from a template and tested as a role, with the clause that hides each row', async () => {
    await open('/public/customers?tab=policies')
    await page.getByText('No policy lets a row pass').waitFor()
    await page.getByRole('button', { name: 'New policy' }).click()
    const form = drawer('New policy on customers')
    await form.getByRole('combobox', { name: 'Begin with' }).selectOption('Users read and write their own rows')
    await form.getByText('with check (owner = (select auth.uid()))').waitFor()
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('article', { name: 'own rows' }).waitFor()
    await page.getByRole('tab', { name: 'Test policies' }).click()
    await page.getByRole('combobox', { name: 'As' }).selectOption('authenticated')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const rows = page.getByRole('table', { name: 'Rows' })
    await rows.getByText('owner').first().waitFor()
    expect(await rows.getByRole('row').count()).toBe(3)
  }, 120_000)

  test('the diagram draws tables with their references, is a list as well, and is saved as a picture', async () => {
    await open('/diagram')
    await page.getByRole('group', { name: 'orders, 3 columns, references customers' }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'As SVG' }).click()
    expect((await saved).suggestedFilename()).toBe('public.svg')
    const file = join(project, 'public.svg')
    await (await saved).saveAs(file)
    const svg = await readFile(file, 'utf8')
    expect(svg).toContain('>customer_id</text>')
    expect(svg.match(/<path /g)).toHaveLength(1)
    await page.getByRole('button', { name: 'As a list' }).click()
    await page.getByRole('list', { name: 'Tables' }).getByText('customer_id → customers.id').waitFor()
  }, 120_000)

  test('a table goes with what depends on it once its name is typed', async () => {
    await open('/public/customers')
    await page.getByRole('button', { name: 'Actions of the table' }).click()
    await page.getByRole('menuitem', { name: 'Drop' }).click()
    const form = drawer('Drop customers')
    await form.getByText('Depends on it: constraint orders_customer_id_fkey on table public.orders.').waitFor()
    await form.getByLabel('Drop what depends on it along with it').check()
    await form.getByText('Goes along: constraint orders_customer_id_fkey').waitFor()
    expect(await form.getByRole('button', { name: 'Drop', exact: true }).isDisabled()).toBe(true)
    await form.getByLabel('Type customers to confirm').fill('customers')
    await form.getByRole('button', { name: 'Drop', exact: true }).click()
    await page.getByRole('heading', { name: 'Schema', level: 1 }).waitFor()
    await expect.poll(() => page.getByText('public.customers').count(), { timeout: pageLimitMs }).toBe(0)
  }, 120_000)

  test('an enum is made; a function is made, edited and dropped', async () => {
    await open('?tab=enums')
    await page.getByRole('button', { name: 'New enum' }).click()
    await drawer('New enum').getByLabel('Name').fill('state')
    await drawer('New enum').getByLabel('Values, one a line, in their order').fill('new\npaid')
    await drawer('New enum').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('table', { name: 'Enums' }).getByText('new, paid').waitFor()
    await open('?tab=functions')
    await page.getByRole('button', { name: 'New function' }).click()
    const made = drawer('New function')
    await made.getByLabel('Name').fill('stamp')
    await made.getByRole('textbox', { name: 'Body' }).waitFor()
    await made.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('table', { name: 'Functions' }).getByText('public.stamp', { exact: true }).click()
    await drawer('public.stamp').getByRole('button', { name: 'Edit' }).click()
    await drawer('Edit stamp').getByRole('textbox', { name: 'Definition' }).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText('-- stamped')
    await drawer('Edit stamp').getByRole('button', { name: 'Save' }).click()
    await drawer('public.stamp').getByRole('button', { name: 'Drop' }).click()
    await drawer('Drop stamp').getByLabel('Type stamp to confirm').fill('stamp')
    await drawer('Drop stamp').getByRole('button', { name: 'Drop', exact: true }).click()
    await expect.poll(() => page.getByText('public.stamp', { exact: true }).count(), { timeout: pageLimitMs }).toBe(0)
  }, 120_000)

  test.runIf(isTrial)('axe finds nothing on these screens', async () => {
    const found: string[] = []
    for (const place of [
      ...['schema', 'schema?tab=functions', 'schema?tab=enums', 'schema?tab=extensions', 'schema?tab=roles'],
      ...['schema/public/orders', 'schema/public/orders?tab=policies', 'schema/public/orders?tab=test'],
      ...['schema/public/orders?tab=indexes', 'schema/public/orders?tab=constraints', 'schema?tab=publications'],
      ...['schema/diagram', 'schema/diagram?look=list'],
    ])
      found.push(...(await axeProblems(page, `${product.consoleUrl}/${place}`, [1440, 1024, 390])))
    expect(found).toEqual([])
  })
})
