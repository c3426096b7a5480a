import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** What axe finds on an address of the console, in both themes at these widths; the page is loaded once. */
export async function axeProblems(page: Page, address: string, widths: readonly number[]): Promise<readonly string[]> {
  await openWithAxe(page, address)
  return axeProblemsHere(page, address, widths)
}

/** Opens an address, and waits for what it shows. */
export async function openWithAxe(page: Page, address: string): Promise<void> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(source)
}

/**
 * What axe finds on the page as it is.
 *
 * @param place as the problems name it
 */
export async function axeProblemsHere(
  page: Page,
  place: string,
  widths: readonly number[],
): Promise<readonly string[]> {
  // A menu stands at the end of the document and is reached by its button alone, as a dialog, of which axe knows that.
  const isMenuOpen = await page.getByRole('menu').first().isVisible()
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(settle)
      // Colours alone depend on the theme.
      const options =
        colorScheme === 'dark'
          ? { runOnly: ['color-contrast'] }
          : { rules: isMenuOpen ? { region: { enabled: false } } : {} }
      const problems = await page.evaluate(async (given) => {
        const { axe } = window as unknown as { axe: typeof import('axe-core') }
        const { violations } = await axe.run(document, given)
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
      }, options)
      found.push(...problems.map((problem) => `${place} ${colorScheme} ${width}: ${problem}`))
    }
  }
  return found
}

/** Half-way through a transition colours have no contrast. What turns for ever is not waited for. */
async function settle(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve))
  const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
  await Promise.allSettled(ending.map(({ finished }) => finished))
}
