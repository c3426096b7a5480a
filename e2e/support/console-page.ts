import type { BrowserContext, Page } from 'playwright-core'
import { owner } from './console-api.ts'

/** Types the owner's e-mail address and password into the sign-in that the page shows, and sends them. */
export async function typePassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password').fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens an address of the console and signs the owner in there; waits until the sign-in is over. */
export async function openSignedIn(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await typePassword(page)
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
}

/** Signs the owner in to the console, so that every later page of this browser profile is signed in. */
export async function signInProfile(profile: BrowserContext, consoleUrl: string): Promise<void> {
  const page = await profile.newPage()
  await openSignedIn(page, consoleUrl)
  await page.close()
}
