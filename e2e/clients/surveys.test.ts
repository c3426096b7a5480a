import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVisitor } from '../support/browser.ts'
import { openSignedIn } from '../support/console-page.ts'
import { servePage } from '../support/page.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

let product: SharedProduct
let browser: Browser
let site: Awaited<ReturnType<typeof servePage>>
let operator: Page
const opened: BrowserContext[] = []

const patient = { timeout: 30_000 }

async function openProfile(): Promise<Page> {
  const context = await openVisitor(browser, { width: 1280, height: 900 })
  opened.push(context)
  return context.newPage()
}

beforeAll(async () => {
  product = await sharedCafe()
  site = await servePage(product)
  browser = await openSharedBrowser()
  operator = await openProfile()
  await openSignedIn(operator, `${product.consoleUrl}/surveys`)
})
afterAll(async () => {
  for (const context of opened) await context.close()
  await browser?.close()
  await site?.close()
})

/** Other tests have visitors on other addresses of the page: they are not asked. */
const asked = () => `${site.url}?ask=after-the-order`

/** Writes a survey of two questions in the console, and begins it. */
async function beginSurvey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New survey' }).click()
  const first = page.getByRole('region', { name: 'Question 1' })
  await first.getByLabel('Answered by').selectOption('rating')
  await first.getByRole('textbox', { name: 'Question' }).fill('Would you tell a friend?')
  await page.getByRole('button', { name: 'Add a question' }).click()
  const second = page.getByRole('region', { name: 'Question 2' })
  await second.getByRole('textbox', { name: 'Question' }).fill('What could be better?')
  await page.getByRole('textbox', { name: 'Name' }).fill('After the order')
  await page.getByRole('textbox', { name: 'On pages whose address has' }).fill('ask=after-the-order')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('button', { name: 'End' }).waitFor()
}

/** As posthog-js draws it. */
const popover = (page: Page) => page.locator('[class^="PostHogSurvey"] form')

async function answer(page: Page, rating: number, text: string): Promise<void> {
  await popover(page).waitFor(patient)
  await page.getByRole('button', { name: `Rate ${rating}`, exact: true }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await popover(page).getByRole('textbox').fill(text)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Thank you!').waitFor()
}

/** Visits the page, and says whether its surveys ask within a time: they are looked at when the definitions have come. */
async function isAsked(page: Page, withinMs = 30_000): Promise<boolean> {
  const decided = page.waitForResponse((response) => response.url().includes('/api/surveys'))
  await page.goto(asked())
  await decided
  return popover(page)
    .waitFor({ timeout: withinMs })
    .then(
      () => true,
      () => false,
    )
}

test('a survey of the console is shown, answered, dismissed and repeated by posthog-js, and its answers stand in the console', {
  timeout: 180_000,
}, async () => {
  await beginSurvey(operator)

  const ada = await openProfile()
  expect(await isAsked(ada)).toBe(true)
  await answer(ada, 9, 'More beans')
  const bob = await openProfile()
  expect(await isAsked(bob)).toBe(true)
  await bob.getByRole('button', { name: 'Close survey' }).click()
  await popover(bob).waitFor({ state: 'detached' })
  // Posthog-js shows a survey once to each person, answered or dismissed.
  expect([await isAsked(ada, 5_000), await isAsked(bob, 5_000)]).toEqual([false, false])

  await operator.getByLabel('Each person is asked').selectOption('always')
  await operator.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => isAsked(ada, 5_000), { timeout: 60_000 }).toBe(true)
  await answer(ada, 6, 'Fewer beans')

  await operator.getByRole('tab', { name: 'Answers' }).click()
  const counts = async (): Promise<string | null> => {
    await operator.reload()
    return operator.getByRole('tabpanel', { name: 'Answers' }).locator('dl').textContent()
  }
  await expect.poll(counts, { timeout: 60_000 }).toBe('shown3answered2dismissed1')
  // An answer in two steps counts from its first on.
  const answers = async (): Promise<string | null> => {
    await operator.reload()
    await operator.getByRole('tabpanel', { name: 'Answers' }).locator('dl').waitFor()
    return operator.getByRole('tabpanel', { name: 'Answers' }).textContent()
  }
  for (const text of ['More beans', 'Fewer beans']) await expect.poll(answers, { timeout: 60_000 }).toContain(text)
  // One of two promotes, one detracts.
  expect(await answers()).toContain('Net promoter score 0')
})

test('the answer decides what posthog-js asks next', { timeout: 120_000 }, async () => {
  await operator.goto(`${product.consoleUrl}/surveys`)
  await operator.getByRole('button', { name: 'New survey' }).click()
  const question = (number: number) => operator.getByRole('region', { name: `Question ${number}` })
  await question(1).getByLabel('Answered by').selectOption('rating')
  await question(1).getByRole('textbox', { name: 'Question' }).fill('Would you come again?')
  for (const [number, text] of [
    [2, 'What went wrong?'],
    [3, 'Whom would you bring?'],
  ] as const) {
    await operator.getByRole('button', { name: 'Add a question' }).click()
    await question(number).getByRole('textbox', { name: 'Question' }).fill(text)
  }
  await question(1).getByLabel('Then').selectOption('by the answer')
  await question(1).getByLabel('After 9 to 10').selectOption('3. Whom would you bring?')
  await question(1).getByLabel('After 7 to 8').selectOption('the end')
  await question(2).getByLabel('Then').selectOption('the end')
  await operator.getByRole('textbox', { name: 'On pages whose address has' }).fill('ask=again')
  await operator.getByRole('button', { name: 'Save' }).click()
  await operator.getByText('Saved.').waitFor()
  await operator.getByRole('button', { name: 'Begin' }).click()
  await operator.getByRole('button', { name: 'End' }).waitFor()

  for (const [rating, next] of [
    [3, 'What went wrong?'],
    [8, null],
    [10, 'Whom would you bring?'],
  ] as const) {
    const page = await openProfile()
    await page.goto(`${site.url}?ask=again`)
    await popover(page).waitFor(patient)
    await page.getByRole('button', { name: `Rate ${rating}`, exact: true }).click()
    await page.getByRole('button', { name: 'Submit' }).click()
    if (next !== null) {
      await popover(page).getByText(next).waitFor()
      await popover(page).getByRole('textbox').fill('Yes')
      await page.getByRole('button', { name: 'Submit' }).click()
    }
    await page.getByText('Thank you!').waitFor()
  }
})
