import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryEntry } from '../../console/src/lib/api/schemas.ts'
import { axeProblems } from '../support/axe.ts'
import { type ConsoleApi, owner } from '../support/console-api.ts'
import type { Product } from '../support/product.ts'
import { openProjectConsole, type ProjectConsole, pageLimitMs } from '../support/project-console.ts'
import { isTrial } from '../support/trials.ts'

describe('SQL, users and the inbox in the console', () => {
  let opened: ProjectConsole | undefined
  let product: Product
  let page: Page
  let api: ConsoleApi

  const write = async (text: string): Promise<void> => {
    await page.goto(`${product.consoleUrl}/sql`)
    await page.getByRole('textbox', { name: 'SQL' }).click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
    await page.keyboard.press('ControlOrMeta+Enter')
  }

  beforeAll(async () => {
    opened = await openProjectConsole(
      'sql',
      `create table public.orders (id int primary key, total int not null);
       insert into public.orders select n, n * 10 from generate_series(1, 20) n;`,
    )
    ;({ product, page, api } = opened)
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await opened?.keep(task.name)
  })
  afterAll(() => opened?.close())

  test('a change waits to be committed; the history of its rows names the operator', async () => {
    await write('update orders set total = 7 where id <= 3')
    const waiting = page.getByRole('region', { name: 'Changes that wait' })
    await waiting.getByText('3 updated').waitFor()
    await waiting.getByRole('button', { name: 'Commit' }).click()
    await page.getByText('Committed.').waitFor()
    const key = encodeURIComponent(JSON.stringify({ id: '2' }))
    await expect
      .poll(
        async () => (await api.get<{ entries: HistoryEntry[] }>(`/data/public/orders/history?key=${key}`)).entries,
        {
          timeout: pageLimitMs,
        },
      )
      .toContainEqual(expect.objectContaining({ cause: expect.objectContaining({ operator: owner.email }) }))
  }, 120_000)

  test('rows are drawn as a chart, a failed statement is marked in its text', async () => {
    await write('select id, total from orders order by id')
    await page.getByRole('combobox', { name: 'Show as' }).selectOption('bars')
    await page.getByRole('img', { name: 'total along id' }).locator('canvas').waitFor()
    await write('select nope from orders')
    await page.getByRole('alert').getByText('column "nope" does not exist').waitFor()
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('nope')
  }, 120_000)

  test('a long statement is cancelled', async () => {
    await write('select pg_sleep(600)')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('57014').waitFor()
  }, 120_000)

  test('a user is invited, and the mail is in the inbox', async () => {
    await page.goto(`${product.consoleUrl}/users`)
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('nora@example.test')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByRole('heading', { name: 'nora@example.test' }).waitFor()
    await page.goto(`${product.consoleUrl}/mails?q=to:nora`)
    await page.getByRole('table', { name: 'Mails' }).getByText('nora@example.test').first().click()
    await page.getByTitle('The mail').waitFor()
  }, 120_000)

  test.runIf(isTrial)('axe finds nothing on these screens', async () => {
    const found: string[] = []
    for (const place of ['sql', 'users', 'mails'])
      found.push(...(await axeProblems(page, `${product.consoleUrl}/${place}`, [1440, 1024, 390])))
    expect(found).toEqual([])
  })
})
