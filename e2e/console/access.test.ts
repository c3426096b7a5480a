import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { claimOwner, owner } from '../support/console-api.ts'
import { typePassword } from '../support/console-page.ts'
import { type Product, run, startProduct } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'

const limitMs = 60_000

describe('an operator’s own access, in a browser with a virtual authenticator', () => {
  let product: Product
  let browser: Browser
  let page: Page
  let consoleUrl: string
  let secret = ''
  let recoveryCodes: string[] = []

  const openConsole = async (): Promise<Page> => {
    const opened = await (await openVisitor(browser)).newPage()
    opened.setDefaultTimeout(limitMs)
    await opened.goto(consoleUrl)
    return opened
  }
  const isHome = (at: Page) => at.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

  beforeAll(async () => {
    product = await startProduct()
    await claimOwner(product)
    // Where a browser allows WebAuthn without TLS: by name, not by address.
    consoleUrl = product.consoleUrl.replace('127.0.0.1', 'localhost')
    browser = await openSharedBrowser()
    page = await openConsole()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await typePassword(page)
    await isHome(page)
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, page, product.output())
  })
  afterAll(async () => {
    await browser?.close()
    await product?.close()
  })

  test('sets up an authenticator app, and is shown recovery codes once', async () => {
    await page.getByRole('link', { name: 'Your access' }).click()
    const card = page.getByRole('region', { name: 'Authenticator app' })
    await card.getByRole('button', { name: 'Set up' }).click()
    await card.getByRole('img', { name: /^QR code/ }).waitFor()
    secret = (await card.locator('code').textContent()) ?? ''
    await card.getByLabel('Code from the app').fill('000000')
    await card.getByRole('button', { name: 'Confirm' }).click()
    await card.getByText('The code, passkey or password is wrong.').waitFor()
    await card.getByLabel('Code from the app').fill(new TOTP({ secret }).generate())
    await card.getByRole('button', { name: 'Confirm' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
    recoveryCodes = ((await dialog.locator('pre').textContent()) ?? '').split('\n')
    expect(recoveryCodes).toHaveLength(10)
    await dialog.getByRole('button', { name: 'I saved them' }).click()
    await page.getByText('10 left.').waitFor()
    // The session that the owner was made in began without it.
    await page.getByText('this browser', { exact: true }).waitFor()
    expect(await page.getByRole('region', { name: 'Sessions' }).getByRole('listitem').count()).toBe(1)
  })

  test('adds a passkey and names it', async () => {
    const card = page.getByRole('region', { name: 'Passkeys' })
    await card.getByRole('button', { name: 'Add a passkey' }).click()
    await card.getByRole('button', { name: 'Rename Chrome on Linux' }).click()
    await card.getByLabel('Name').fill('Work laptop')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Work laptop').waitFor()
    await card.getByText('not used yet').waitFor()
  })

  test('gets in elsewhere by the password and a recovery code, and ends that session from here', async () => {
    const other = await openConsole()
    await typePassword(other)
    await other.getByLabel('Code').fill('not-a-code')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('The code, passkey or password is wrong.').waitFor()
    await other.getByLabel('Code').fill(recoveryCodes[0] ?? '')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await isHome(other)

    await page.reload()
    await page.getByText('9 left.').waitFor()
    await page.getByRole('button', { name: /^Sign out .+ on / }).click()
    await page.getByRole('button', { name: /^Sign out .+ on / }).waitFor({ state: 'detached' })
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.context().close()
  })

  test('signs in with the passkey after the password', async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await typePassword(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await isHome(page)
  })

  test('an operator who lost every factor gets back in by a command on the machine', async () => {
    const unknown = await run(['operators', 'reset-factors', 'nobody@example.test', '--data', product.dataDir])
    expect([unknown.code, unknown.stderr]).toEqual([10, expect.stringContaining('nobody@example.test')])
    const reset = await run(['operators', 'reset-factors', owner.email, '--data', product.dataDir])
    expect([reset.code, reset.stderr]).toEqual([0, ''])
    await page.reload()
    await typePassword(page)
    await isHome(page)
    await page.getByRole('link', { name: 'Your access' }).click()
    await page.getByText('only your password protects this console').waitFor()
  })
})
