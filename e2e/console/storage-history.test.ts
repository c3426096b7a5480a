import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keepEvidence } from '../support/browser.ts'
import { owner } from '../support/console-api.ts'
import { openStorageConsole, type StorageConsole } from '../support/console-storage.ts'
import { outputOf } from '../support/shared.ts'

const bucket = 'archive'

describe('the history of files', () => {
  let at: StorageConsole
  beforeAll(async () => {
    at = await openStorageConsole(30_000)
    await at.createBucket(bucket)
  }, 180_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, at.page, await outputOf('cafe'))
  })
  afterAll(() => at?.browser.close())

  const button = (name: string) => at.page.getByRole('button', { name, exact: true })
  const drawer = (name: string) => at.page.getByRole('dialog', { name, exact: true })
  /** The words of a bucket's history, newest first; waits until there are so many. */
  const words = async (count: number) => {
    const rows = at.page.getByRole('table', { name: 'History' }).getByRole('row')
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(count + 1)
    const texts = await rows.evaluateAll((all) =>
      all.slice(1).map((row) => [...row.children].map((c) => c.textContent)),
    )
    return texts.map(([, what, object, by]) => `${what} ${object} ${by}`)
  }

  test('an upload, a bulk removal and its undo are in the bucket’s history, with the operator who did each', async () => {
    const { page } = at
    await at.openBucket(bucket)
    await page.getByLabel('Files to upload').setInputFiles([
      { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') },
      { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('2') },
    ])
    await button('two.txt').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await button('Delete 2').click()
    await page.getByText('2 objects were deleted.').waitFor()
    expect(await at.stored(bucket, 'one.txt')).toBeNull()
    await page.getByRole('button', { name: 'Undo' }).click()
    await button('one.txt').waitFor()
    expect(await at.stored(bucket, 'one.txt')).toBe('1')
    await page.getByRole('tab', { name: 'History' }).click()
    expect((await words(6)).toSorted()).toEqual(
      ['removed', 'restored', 'uploaded'].flatMap((what) =>
        ['one.txt', 'two.txt'].map((key) => `${what} ${key} ${owner.email}`),
      ),
    )
    expect(new URL(page.url()).searchParams.get('tab')).toBe('history')
  })

  test('a removed object opens by its address, and says who removed it; its id leads there too', async () => {
    const { page, product } = at
    await at.put(bucket, 'lost.txt', 'x')
    await at.openBucket(bucket, '?object=lost.txt')
    const history = drawer('lost.txt').getByRole('region', { name: 'History' })
    await history.getByRole('listitem').filter({ hasText: 'uploaded' }).waitFor()
    await drawer('lost.txt').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 object was deleted.').waitFor()
    await at.openBucket(bucket, '?tab=history')
    await page.getByRole('row').filter({ hasText: 'removed' }).getByRole('button', { name: 'lost.txt' }).click()
    await drawer('lost.txt').getByText('There is no object with this key.').waitFor()
    const removal = history.getByRole('listitem').filter({ hasText: 'removed' })
    await removal.getByText(owner.email).waitFor()
    await removal.getByText('Columns').click()
    const id = await removal.getByRole('definition').first().textContent()
    await removal.getByRole('link', { name: 'object.delete in the audit log' }).click()
    await page.getByRole('dialog', { name: 'object.delete' }).getByText(`${bucket}/lost.txt`).waitFor()
    await page.goto(`${product.consoleUrl}/storage/objects/${id}`)
    await drawer('lost.txt').getByText('There is no object with this key.').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/storage/${bucket}`)
  })

  test('a move says from where to where, and an upload by a key names its role', async () => {
    const { page } = at
    await at.put(bucket, 'draft.txt', 'x')
    await at.openBucket(bucket, '?object=draft.txt')
    await drawer('draft.txt').getByRole('button', { name: 'Rename or move' }).click()
    await page.getByRole('textbox', { name: 'Key, with its folders' }).fill('final/draft.txt')
    await button('Move').click()
    await page.getByText('The object is moved.').waitFor()
    expect(await at.stored(bucket, 'final/draft.txt')).toBe('x')
    await at.openBucket(bucket, '?tab=history&object=final/draft.txt')
    const history = drawer('draft.txt').getByRole('region', { name: 'History' })
    await history.getByText('moved from draft.txt to final/draft.txt').waitFor()
    await history.getByText('A request as service_role').waitFor()
  })
})
