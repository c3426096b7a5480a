import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core'

// posthog-js leaves out visitors that look automated; this one looks like what it is driven to be.
const userAgent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The system's Chromium, without a window and without the network. */
export const launchOptions: LaunchOptions = {
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
    // What a profile says of its browser holds no longer while a page is left, when posthog-js asks whether it is a robot's.
    `--user-agent=${userAgent}`,
  ],
}

/** A person's own browser profile. */
export const openVisitor = (browser: Browser, viewport = { width: 1024, height: 720 }): Promise<BrowserContext> =>
  browser.newContext({
    userAgent,
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
  })

/** Keeps in `e2e/shots` what a page looked like when its test failed, and all that the product had printed. */
export async function keepEvidence(name: string, page: Page, output: string): Promise<void> {
  const folder = fileURLToPath(new URL('../shots/', import.meta.url))
  const file = join(folder, name.replaceAll(/[^a-z]+/gi, '-').slice(0, 60))
  await mkdir(folder, { recursive: true })
  await writeFile(`${file}.log`, output)
  await page.screenshot({ path: `${file}.png` })
}
