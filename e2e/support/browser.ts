import { type Browser, type BrowserContext, chromium } from 'playwright-core'

// posthog-js leaves out visitors that look automated; this one looks like what it is driven to be.
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The system's Chromium, without a window and without the network. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-blink-features=AutomationControlled',
    ],
  })
}

/** A person's own browser profile. */
export const openVisitor = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({
    userAgent,
    viewport: { width: 1024, height: 720 },
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
  })
