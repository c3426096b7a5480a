import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SessionDetail, SessionSummary } from '../../console/src/lib/api/schemas.ts'
import { keepEvidence, openVisitor } from '../support/browser.ts'
import { press, signIn, signUp, type Visit, visitCafe } from '../support/cafe.ts'
import { signInOwner } from '../support/console-api.ts'
import { openSignedIn } from '../support/console-page.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, outputOf, type SharedProduct, sharedCafe } from '../support/shared.ts'

const lena = { name: 'Lena Orr', email: 'lena@example.test', password: 'three spoons of cocoa' }
const omar = { name: 'Omar Haddad', email: 'omar@example.test', password: 'no milk in it, ever' }

describe('the café, while two people look at it', () => {
  let product: SharedProduct
  let browser: Browser
  let guest: Visit
  let other: Visit
  let mia: Visit
  const order = async (visit: Visit): Promise<number> => {
    await press(visit.page.getByRole('link', { name: 'Menu' }))
    await press(visit.page.getByRole('button', { name: 'Add Fresh mint' }))
    await press(visit.page.getByRole('link', { name: /^Basket/ }))
    await press(visit.page.getByRole('button', { name: 'Place order' }))
    await visit.page.getByRole('heading', { name: 'My orders' }).waitFor()
    const text = await visit.page
      .getByText(/^Order #\d+$/)
      .first()
      .textContent()
    return Number(text?.replace('Order #', ''))
  }
  const row = ({ page }: Visit, id: number) => page.getByRole('listitem').filter({ hasText: `Order #${id}` })

  beforeAll(async () => {
    product = await sharedCafe()
    browser = await openSharedBrowser()
    guest = await visitCafe(browser, product)
    await signUp(guest, lena)
    other = await visitCafe(browser, product)
    await signUp(other, omar)
    mia = await visitCafe(browser, product)
    await signIn(mia, 'mia@example.test', 'coffee please', 'Mia Lindqvist')
  }, 120_000)
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepEvidence(task.name, guest.page, await outputOf('cafe'))
  })
  afterAll(async () => {
    await browser?.close()
  })

  test('the menu shows its photographs in the size that it asks for', async () => {
    const { page, answers } = other
    await press(page.getByRole('link', { name: 'Menu' }))
    const photos = page.locator('img.photo')
    await photos.first().waitFor()
    // Those that are out of sight are loaded when they come into it.
    for (const photo of await photos.all()) await photo.scrollIntoViewIfNeeded()
    const sizes = () =>
      photos.evaluateAll((images: HTMLImageElement[]) =>
        images.map((image) => [image.naturalWidth, image.naturalHeight]),
      )
    const count = await photos.count()
    await expect.poll(sizes).toEqual(Array.from({ length: count }, () => [72, 72]))
    const [address = ''] = await photos.evaluateAll((images: HTMLImageElement[]) =>
      images.map(({ currentSrc }) => currentSrc),
    )
    const { pathname, searchParams } = new URL(address)
    expect([searchParams.get('width'), searchParams.get('height')]).toEqual(['72', '72'])
    expect(answers.filter(({ path }) => path === pathname)).toContainEqual(expect.objectContaining({ status: 200 }))
    const original = await page.evaluate(
      async (url) => {
        const image = new Image()
        image.src = url
        await image.decode()
        return image.naturalWidth
      },
      `${product.apiUrl}${pathname.replace('/render/image/', '/object/')}`,
    )
    expect(original).toBeGreaterThan(72)
  })

  test('an order comes to the counter by itself, and its status to its guest', async () => {
    await press(mia.page.getByRole('link', { name: 'Counter' }))
    await mia.page.getByRole('heading', { name: 'Counter' }).waitFor()
    const id = await order(guest)
    await row(mia, id).getByText('1 × Fresh mint').waitFor()
    for (const [label, status] of [
      ['Start', 'brewing'],
      ['Ready', 'ready'],
      ['Collected', 'collected'],
    ]) {
      await press(mia.page.getByRole('button', { name: `${label}: order ${id}` }))
      await row(guest, id)
        .getByText(status ?? '', { exact: true })
        .waitFor()
    }
    await row(mia, id).waitFor({ state: 'detached' })
  })

  test('the guest’s session shows the message arrive, and leads to the click at the counter', async () => {
    const api = await signInOwner(product)
    let session: SessionSummary | undefined
    await until(async () => {
      const { sessions } = await api.get<{ sessions: SessionSummary[] }>(`/sessions?q=${lena.email}`)
      session = sessions[0]
      return session !== undefined
    })
    const console = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    await openSignedIn(console, product.consoleUrl)
    await console.goto(`${product.consoleUrl}/sessions/${session?.id}?lane=live&q=update`)
    const thread = console.getByRole('list', { name: 'Thread' })
    const message = thread.getByRole('listitem').filter({ hasText: 'Received' }).first()
    await message.getByText('update orders').waitFor()
    await message.getByText('PATCH /rest/v1/orders').waitFor()
    await message.getByRole('link', { name: 'Mia Lindqvist' }).click()
    await console.getByRole('heading', { name: 'Mia Lindqvist' }).waitFor()
    const { moments } = await api.get<SessionDetail>(new URL(console.url()).pathname.replace('/console', ''))
    const served = moments.flatMap(({ requests }) => requests)
    expect(served.find(({ method }) => method === 'PATCH')?.reached).toContainEqual(
      expect.objectContaining({ sessionId: session?.id, kind: 'change', event: 'update public.orders' }),
    )
    const click = moments.find(({ requests }) => requests.some(({ method }) => method === 'PATCH'))
    expect(click).toMatchObject({ kind: 'click', label: expect.stringContaining('Start') })
    // It opens at the click that the request belongs to, whatever came between the two.
    await console
      .getByRole('button', { name: /^Click Start/ })
      .and(console.locator('[aria-current]'))
      .waitFor()
    await console.getByRole('list', { name: 'Thread' }).getByRole('link', { name: lena.name }).first().waitFor()
    await console.context().close()
  })

  test('guests see who is behind the counter, and cannot say that they are', async () => {
    await guest.page.getByText('Behind the counter: Mia Lindqvist').waitFor()
    await order(other)
    await other.page.getByText('Behind the counter: Mia Lindqvist').waitFor()
    await other.page.goto(`${product.apiUrl}/counter`)
    await other.page.getByRole('heading', { name: 'Counter' }).waitFor()
    await other.page.getByText('Behind the counter: Mia Lindqvist').waitFor()
    await press(mia.page.getByRole('link', { name: 'Menu' }))
    await guest.page.getByText('Nobody is behind the counter right now').waitFor()
    await other.page.getByText('Nobody is behind the counter right now').waitFor()
  })

  test('a guest serves nobody', async () => {
    const id = await order(guest)
    await other.page.goto(`${product.apiUrl}/counter`)
    await other.page.getByRole('heading', { name: 'Counter' }).waitFor()
    await press(other.page.getByRole('button', { name: /^Start: order/ }).first())
    await other.page.getByText('Only the people behind the counter serve.').waitFor()
    expect(await other.page.getByText(`Order #${id}`).count()).toBe(0)
    expect(await row(guest, id).getByText('new', { exact: true }).count()).toBe(1)
  })

  test('nothing of it made a page complain', () => {
    for (const visit of [guest, mia]) expect(visit.complaints).toEqual([])
  })
})
