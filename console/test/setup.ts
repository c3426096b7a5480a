import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// A busy machine may take longer than the usual second to render what is looked for.
configure({ asyncUtilTimeout: 15_000 })

// jsdom measures nothing: the virtualiser reads a box that shows twenty rows.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 640 })
Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, value: 1000 })
Range.prototype.getClientRects = () => [] as unknown as DOMRectList
Element.prototype.scrollTo = () => undefined
window.scrollTo = () => undefined
// Nor has it media: what draws charts asks how dense the screen is as it is loaded.
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false }) as unknown as MediaQueryList
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// The next test may be of another file: files share the document.
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})
