import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// jsdom measures nothing: the virtualiser reads a box that shows twenty rows.
Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, value: 640 })
Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { configurable: true, value: 1000 })
Element.prototype.scrollTo = () => undefined
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

afterEach(cleanup)
