/** Lengths by the viewport’s height: `100vh`, `50dvh`. */
const byHeight = /(-?\d*\.?\d+)[sld]?vh\b/g

/**
 * Gives a recorded page its whole height in its frame, and tells it, now and when styles or pictures change it. Lengths by the
 * viewport's height stay those of the recorded viewport: in a frame as high as the page they would grow with it.
 *
 * @param viewportPx the height of the recorded viewport
 * @param isWhole    whether the frame becomes as high as the page, and not as the viewport
 */
export function fitPage(
  frame: HTMLIFrameElement,
  viewportPx: number,
  isWhole: boolean,
  onHeight: (heightPx: number) => void,
): () => void {
  const page = frame.contentDocument
  if (page === null) return () => undefined
  const measure = (): void => {
    keepHeights(page, viewportPx)
    frame.style.height = `${viewportPx}px`
    page.defaultView?.scrollTo(0, 0)
    const heightPx = isWhole ? Math.max(viewportPx, page.documentElement?.scrollHeight ?? 0) : viewportPx
    frame.style.height = `${heightPx}px`
    onHeight(heightPx)
  }
  const resized = new ResizeObserver(measure)
  if (page.body) resized.observe(page.body)
  // Loads do not bubble; a style sheet may change no size and still bring lengths.
  page.addEventListener('load', measure, { capture: true })
  measure()
  return () => {
    resized.disconnect()
    page.removeEventListener('load', measure, { capture: true })
  }
}

function keepHeights(page: Document, viewportPx: number): void {
  for (const sheet of page.styleSheets) keepIn(rulesOf(sheet), viewportPx)
  for (const element of page.querySelectorAll<HTMLElement>('[style*="vh"]')) keepStyle(element.style, viewportPx)
}

/** Style sheets of other origins are not read. */
function rulesOf(sheet: CSSStyleSheet): Iterable<CSSRule> {
  try {
    return sheet.cssRules
  } catch {
    return []
  }
}

/** Rules are told apart by their members: those of a frame are instances of the frame's own classes. */
function keepIn(rules: Iterable<CSSRule>, viewportPx: number): void {
  for (const rule of rules) {
    if ('style' in rule && /vh\b/.test(rule.cssText)) keepStyle(rule.style as CSSStyleDeclaration, viewportPx)
    if ('cssRules' in rule) keepIn(rule.cssRules as CSSRuleList, viewportPx)
  }
}

function keepStyle(style: CSSStyleDeclaration, viewportPx: number): void {
  for (const name of [...style]) {
    const value = style.getPropertyValue(name)
    const kept = value.replace(byHeight, (_, parts: string) => `${(Number(parts) * viewportPx) / 100}px`)
    if (kept !== value) style.setProperty(name, kept, style.getPropertyPriority(name))
  }
}
