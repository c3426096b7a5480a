import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeProblems } from '../support/axe.ts'
import { openVisitor } from '../support/browser.ts'
import { openSignedIn } from '../support/console-page.ts'
import { layoutProblems } from '../support/layout.ts'
import { until } from '../support/product.ts'
import { startVisited, type VisitedProduct } from '../support/visited-product.ts'

let visited: VisitedProduct
beforeAll(async () => {
  visited = await startVisited({ CLEW_ANALYTICS_RECORD_SESSIONS: 'false' })
})
afterAll(() => visited?.close())

interface Measured {
  readonly vitals: readonly { readonly vital: string; readonly views: number }[]
}

test('what an unchanged posthog-js measures is on the screen, down to the session in which it was', async () => {
  const visitor = await (await openVisitor(visited.browser)).newPage()
  await visitor.goto(`${visited.site.url}menu?table=7`)
  await until(() =>
    visitor.evaluate('Boolean(window.__PosthogExtensions__?.postHogWebVitalsCallbacksByFlavor)').then(Boolean),
  )
  const sessionId = String(await visitor.evaluate('posthog.get_session_id()'))
  await visitor.getByRole('button', { name: 'Pick a bean' }).click()
  const isMeasured = async (name: string): Promise<boolean> =>
    (await visited.api.get<Measured>('/web-vitals')).vitals.some(({ vital, views }) => vital === name && views > 0)
  await until(async () => (await isMeasured('LCP')) && (await isMeasured('FCP')))

  const page = await (await openVisitor(visited.browser, { width: 1440, height: 900 })).newPage()
  await openSignedIn(page, `${visited.product.consoleUrl}/web-vitals`)
  const lcp = page.getByRole('button', { name: /^LCP/ })
  await lcp.getByText('1 view').waitFor()
  expect(await lcp.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('figure', { name: 'LCP over time' }).waitFor()
  const table = page.getByRole('table', { name: 'Web vitals by path' })
  await table.getByText('/menu').waitFor()

  // By keyboard: the first row, its visits, and back.
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const visits = page.getByRole('list', { name: 'Worst visits by Largest contentful paint' })
  await visits.getByText('Element').waitFor()
  await page.keyboard.press('Escape')
  await visits.waitFor({ state: 'detached' })
  await table.getByText('/menu').click()
  await visits.getByRole('link', { name: /at that moment/ }).click()
  await page.waitForURL((url) => url.pathname.endsWith(`/sessions/${sessionId}`) && url.searchParams.has('at'))

  const address = `${visited.product.consoleUrl}/web-vitals`
  expect(await axeProblems(page, address, [1440, 1024, 390])).toEqual([])
  expect(await layoutProblems(page, [1440, 1024, 390])).toEqual([])
  expect(await axeProblems(page, `${address}?open=%2Fmenu`, [1440, 390])).toEqual([])
  expect(await axeProblems(page, `${address}?device=Fridge`, [390])).toEqual([])
})
