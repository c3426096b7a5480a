import type { Page } from 'playwright-core'

/** What does not fit into an open page at these widths: the page itself, a bar of tabs, a control outside the window. */
export async function layoutProblems(page: Page, widths: readonly number[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    found.push(...(await page.evaluate(misfits)).map((misfit) => `${page.url()} ${width}: ${misfit}`))
  }
  return found
}

function misfits(): readonly string[] {
  const scrolls = (element: Element): boolean => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
    return scrollWidth > clientWidth || scrollHeight > clientHeight
  }
  /** Whether a part around it can be scrolled to it. */
  const isReachable = (element: Element): boolean => {
    for (let around = element.parentElement; around !== null; around = around.parentElement)
      if (/auto|scroll/.test(getComputedStyle(around).overflowX) && around.scrollWidth > around.clientWidth) return true
    return false
  }
  const { scrollWidth } = document.documentElement
  const bars = [...document.querySelectorAll('[role="tablist"]')].filter(
    (bar) => scrolls(bar) && getComputedStyle(bar).scrollbarWidth !== 'none',
  )
  const outside = [...document.querySelectorAll('button, a, input, select, h1, h2')].filter(
    (element) =>
      element.checkVisibility() && element.getBoundingClientRect().left >= innerWidth && !isReachable(element),
  )
  return [
    ...(scrollWidth > innerWidth ? [`the page scrolls sideways, ${scrollWidth} px wide`] : []),
    ...bars.map((bar) => `a scrollbar in the tabs ${bar.getAttribute('aria-label')}`),
    ...outside.map((element) => `outside the window: ${element.outerHTML.slice(0, 160)}`),
  ]
}
