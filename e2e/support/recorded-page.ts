import type { Page } from 'playwright-core'

/** The text in the player's frame that is seen; the frame runs no scripts, so it is read from outside. */
export const pageShown = (console: Page): Promise<string> =>
  console.evaluate(() => {
    const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[title="The recorded page"]')]
    return frames.find((frame) => frame.checkVisibility())?.contentDocument?.body?.textContent ?? ''
  })

/** The heading of the recorded page that is seen. */
export const headingShown = (console: Page): Promise<string> =>
  console.evaluate(() => {
    const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[title="The recorded page"]')]
    return frames.find((frame) => frame.checkVisibility())?.contentDocument?.querySelector('h1')?.textContent ?? ''
  })
