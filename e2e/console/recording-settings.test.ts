import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVisitor } from '../support/browser.ts'
import { type ConsoleApi, claimOwner, joinTeam } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { servePage } from '../support/page.ts'
import { type Product, startProduct, until } from '../support/product.ts'
import { isRecorded } from '../support/recorded.ts'
import { openSharedBrowser } from '../support/shared.ts'

let product: Product
let browser: Browser
let api: ConsoleApi
let site: { readonly url: string; close(): Promise<void> }

beforeAll(async () => {
  product = await startProduct({ env: { CLEW_ANALYTICS_RECORD_CANVAS: 'false' } })
  api = await claimOwner(product)
  browser = await openSharedBrowser()
  site = await servePage(product)
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await product?.close()
})

const settingsAddress = (): string => `${product.consoleUrl}/sessions/settings`

/** Opens the screen as the owner. */
async function openSettings(): Promise<Page> {
  const profile = await openVisitor(browser)
  const page = await profile.newPage()
  await openSignedIn(page, settingsAddress())
  return page
}

async function change(page: Page, title: string, value: string): Promise<void> {
  await page.getByRole('button', { name: `Change ${title}` }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('textbox', { name: title }).fill(value)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** A page in a new browser profile, which has no recording settings stored. */
const openPage = async (): Promise<Page> => (await openVisitor(browser)).newPage()

/** Loads the application and waits until the client has its configuration. @returns the session */
async function load(page: Page): Promise<string> {
  const told = page.waitForResponse((answer) => /\/array\/[^/]+\/config/.test(answer.url()))
  await page.goto(site.url)
  await (await told).finished()
  await until(() => page.evaluate('posthog.__loaded').then(Boolean))
  return String(await page.evaluate('posthog.get_session_id()'))
}

const isRecording = (page: Page): Promise<boolean> => page.evaluate('posthog.sessionRecordingStarted()').then(Boolean)

/** Whether the client has decided to record nothing of the session: the recorder runs, and sends nothing. */
const isLeftOut = (page: Page): Promise<boolean> =>
  page.evaluate("posthog.sessionRecordingStarted() && posthog.sessionRecording.status === 'disabled'").then(Boolean)

test('an owner blocks elements and lowers the sample rate, and the next browser that opens a page obeys', async () => {
  const settings = await openSettings()
  const first = await openPage()
  const before = await load(first)
  await until(() => isRecording(first))
  await first.getByRole('button', { name: 'Pick a bean' }).click()
  await until(() => isRecorded(api, before))
  expect(await api.getText(`/sessions/${before}/recording`)).toContain('Pick a bean')

  await change(settings, 'Block elements', 'button')
  await settings.getByText(/Changed here by olga@example.test/).waitFor()
  const second = await openPage()
  const blocked = await load(second)
  await until(() => isRecording(second))
  await second.getByRole('button', { name: 'Pick a bean' }).click()
  await until(
    async () =>
      (await isRecorded(api, blocked)) && /Bean counter/.test(await api.getText(`/sessions/${blocked}/recording`)),
  )
  const recording = await api.getText(`/sessions/${blocked}/recording`)
  expect(recording).toContain('rr_width')
  expect(recording).not.toContain('Pick a bean')

  await change(settings, 'Sample rate', '0')
  const third = await openPage()
  const unrecorded = await load(third)
  await third.getByRole('button', { name: 'Pick a bean' }).click()
  // Its event is stored, and so would its recording be.
  await until(() =>
    api.get<{ readonly moments: readonly { readonly label: string }[] }>(`/sessions/${unrecorded}`).then(
      ({ moments }) => moments.some(({ label }) => label === 'bean picked'),
      () => false,
    ),
  )
  await until(() => isLeftOut(third))
  expect(await isRecorded(api, unrecorded)).toBe(false)

  const { actions } = await api.get<{ readonly actions: readonly { readonly target: string }[] }>(
    '/actions?action=recording.setting',
  )
  expect(actions.map(({ target }) => target)).toEqual(['record_sample_rate: "0"', 'record_block_selector: "button"'])
})

test('what the environment says is shown with its variable and cannot be changed', async () => {
  const page = await openSettings()
  await page.getByText('CLEW_ANALYTICS_RECORD_CANVAS', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Change Console' }).waitFor()
  expect(await page.getByRole('button', { name: 'Change Canvas', exact: true }).count()).toBe(0)
})

test('an analyst sees the settings and cannot change them', async () => {
  const cookie = await joinTeam(product, api, { email: 'anna@example.test', role: 'analyst' })
  const profile = await openVisitor(browser)
  const [name = '', value = ''] = cookie.split('=')
  await profile.addCookies([{ name, value, url: new URL(product.consoleUrl).origin }])
  const page = await profile.newPage()
  await page.goto(settingsAddress())
  await page.getByRole('list', { name: 'Which sessions are recorded' }).waitFor()
  expect(await page.getByRole('button', { name: /^Change / }).count()).toBe(0)
  const { origin } = new URL(product.consoleUrl)
  const answer = await fetch(`${product.consoleUrl}/api/capture-settings/record_sessions`, {
    method: 'PUT',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ value: 'false', replaces: null }),
  })
  expect(answer.status).toBe(403)
})
