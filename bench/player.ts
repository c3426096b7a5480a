import { chromium, type Page } from 'playwright-core'
import { launchOptions, openVisitor } from '../e2e/support/browser.ts'
import { type ConsoleApi, claimOwner, signInOwner } from '../e2e/support/console-api.ts'
import { openSignedIn } from '../e2e/support/console-page.ts'
import { type Product, until } from '../e2e/support/product.ts'
import { add } from './compare.ts'
import { describeFrames, frames } from './frames.ts'
import { sendVisit, type Visit } from './player-data.ts'
import { measureMoments, measureWhole } from './player-moments.ts'

const visits: readonly (readonly [what: string, visit: Visit])[] = [
  ['nine minutes with 421 clicks', { minutes: 9, clicks: 421, events: 226 }],
  ['an hour with 1,800 clicks', { minutes: 60, clicks: 1800, events: 1500 }],
]
/** Some 60 MiB as posthog-js sends them. */
const large: Visit = { minutes: 60, clicks: 1800, events: 1500, changes: 12 }
const measuredMs = Number(process.env.BENCH_PLAYER_MS ?? 8000)

/**
 * How long the console takes to draw a session's first picture and those that are sought (`player-moments.ts`), and how
 * evenly it draws while it plays, is scrubbed and is zoomed: the time from one frame to the next, whose floor is the page at
 * rest, in the browser and on the machine of the measurement.
 */
export async function measurePlayer(product: Product): Promise<void> {
  const api = await claimOwner(product).catch(() => signInOwner(product))
  const browser = await chromium.launch(launchOptions)
  try {
    const page = await (await openVisitor(browser, { width: 1440, height: 900 })).newPage()
    page.setDefaultTimeout(120_000)
    await openSignedIn(page, product.consoleUrl)
    for (const [what, visit] of visits) await measureVisit(page, product, { what, visit, api })
    const sessionId = await sendVisit(product, large)
    await until(() => isWhole(api, sessionId, large), 120_000)
    await measureWhole(page, {
      consoleUrl: product.consoleUrl,
      sessionId,
      what: 'an hour of a page that is never still',
    })
  } finally {
    await browser.close()
  }
}

interface Measured {
  readonly what: string
  readonly visit: Visit
  readonly api: ConsoleApi
}

async function measureVisit(page: Page, product: Product, { what, visit, api }: Measured): Promise<void> {
  const sessionId = await sendVisit(product, visit)
  await until(() => isWhole(api, sessionId, visit), 120_000)
  await measureMoments(page, { consoleUrl: product.consoleUrl, sessionId, what, visit })
  const rest = await frames(page, () => page.waitForTimeout(measuredMs))
  for (const [how, act] of acts(page)) {
    const taken = await frames(page, act)
    add(`player, ${what}: frames while it ${how}`, describeFrames(taken), `${describeFrames(rest)} at rest`)
  }
}

interface StoredVisit {
  readonly session: {
    readonly durationMs: number
    readonly clicks: number
    readonly events: number
    readonly live: boolean
  }
}

const isWhole = (api: ConsoleApi, sessionId: string, { minutes, clicks, events }: Visit): Promise<boolean> =>
  api.get<StoredVisit>(`/sessions/${sessionId}`).then(
    // For a minute after an event arrived a session is taken to be going on. They may be stored after the recording.
    ({ session }) =>
      session.durationMs > (minutes * 60 - 5) * 1000 &&
      session.clicks >= clicks &&
      session.events >= events &&
      !session.live,
    () => false,
  )

function acts(page: Page): readonly (readonly [how: string, act: () => Promise<unknown>])[] {
  const slider = page.getByRole('slider', { name: 'Moment of the session' })
  const playAt = (speed: string) => async () => {
    await page.keyboard.press(speed)
    await page.keyboard.press('Space')
    await page.waitForTimeout(measuredMs)
    await page.keyboard.press('Space')
  }
  return [
    ['plays at 1×', playAt('2')],
    ['plays at 16×', playAt('6')],
    [
      'is scrubbed',
      async () => {
        const box = await slider.boundingBox()
        if (box === null) throw new Error('The tracks are not drawn.')
        const y = box.y + box.height / 2
        await page.mouse.move(box.x + 10, y)
        await page.mouse.down()
        const endAt = performance.now() + measuredMs
        for (let step = 0; performance.now() < endAt; step += 1) {
          const share = (Math.sin(step / 60) + 1) / 2
          await page.mouse.move(box.x + 10 + share * (box.width - 20), y)
          await page.waitForTimeout(16)
        }
        await page.mouse.up()
      },
    ],
    [
      'is zoomed',
      async () => {
        await slider.hover()
        const endAt = performance.now() + measuredMs
        for (let step = 0; performance.now() < endAt; step += 1) {
          await page.mouse.wheel(0, step % 40 < 20 ? -60 : 60)
          await page.waitForTimeout(16)
        }
      },
    ],
  ]
}
