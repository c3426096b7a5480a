import type { Page } from 'playwright-core'

/** Opens the row of the grid that has a cell with this text. */
export async function openRow(page: Page, text: string): Promise<void> {
  const row = page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: text }) })
  await row.hover()
  await row.getByRole('button', { name: /^Open row/ }).click()
}
