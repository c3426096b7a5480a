import type { CDPSession, Page } from 'playwright-core'
import { add, median } from './compare.ts'
import type { Visit } from './player-data.ts'

const openings = 7
const seeks = 24
/** How long nothing may come before all that was asked for counts as here. */
const quietMs = 1000

const picture = 'iframe[title="The recorded page"]'
const moment = '[role="slider"][aria-label="Moment of the session"]'

/**
 * Runs in the page: the milliseconds from an act until a recorded page is on the screen as it is to be. What a frame's
 * callbacks find is painted after them: it is there in the frame that comes next.
 */
const untilPainted = `(startedAt, isDrawn) => new Promise((resolve, reject) => {
  const look = () => {
    try {
      see()
    } catch (error) {
      reject(error)
    }
  }
  const see = () => {
    const frame = document.querySelector('${picture}')
    const isSeen = frame?.contentDocument && frame.checkVisibility({ visibilityProperty: true }) && frame.clientWidth > 0
    if (isSeen && isDrawn(frame.contentDocument)) requestAnimationFrame(() => resolve(performance.now() - startedAt()))
    else if (performance.now() - startedAt() > 30000) reject(new Error('The recorded page is not drawn.'))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

/** The seconds that a person waits for a recorded page: for the first, from the list of sessions on, and for one that is sought. */
export async function measureMoments(
  page: Page,
  { consoleUrl, sessionId, what, visit }: { consoleUrl: string; sessionId: string; what: string; visit: Visit },
): Promise<void> {
  const network = await countAnswers(page)
  const first: number[] = []
  let fetched = ''
  for (let opening = 0; opening < openings; opening += 1) {
    await page.goto(`${consoleUrl}/sessions`)
    await network.settled()
    network.begin()
    first.push(await openFromList(page, sessionId))
    const untilFirst = network.taken()
    await network.settled()
    fetched = `${untilFirst} until then, ${network.taken()} in all`
  }
  add(`player, ${what}: from the click in the list to the first picture`, `${describe(first)}; ${fetched}`)
  network.begin()
  const sought: number[] = []
  for (let seek = 0; seek < seeks; seek += 1) {
    // Near and far, forwards and backwards; between two whole pages of the recording, which are taken as a minute begins.
    const minute = (seek * 25 + 7) % visit.minutes
    sought.push(await seekTo(page, ((minute + 0.6) * 60_000) / (visit.minutes * 60_000)))
  }
  await network.settled()
  add(`player, ${what}: from a click in the tracks to that picture`, `${describe(sought)}; ${network.taken()}`)
  const unread: number[] = []
  for (let opening = 0; opening < openings; opening += 1) {
    await page.goto(`${consoleUrl}/sessions`)
    await network.settled()
    await openFromList(page, sessionId)
    // So far that no read ahead has come there yet.
    const minute = Math.floor(visit.minutes * (0.55 + opening * 0.06))
    network.begin()
    unread.push(await seekTo(page, (minute + 0.6) / visit.minutes))
    fetched = network.taken()
    await network.settled()
  }
  add(
    `player, ${what}: from a click right after it to a picture that is not fetched`,
    `${describe(unread)}; ${fetched}`,
  )
  await network.close()
}

/** How long a large recording is read in the background, from the click in the list until all that is kept of it is here. */
export async function measureWhole(
  page: Page,
  { consoleUrl, sessionId, what }: { consoleUrl: string; sessionId: string; what: string },
): Promise<void> {
  const network = await countAnswers(page)
  await page.goto(`${consoleUrl}/sessions`)
  await network.settled()
  network.begin()
  const clickedAt = performance.now()
  await openFromList(page, sessionId)
  const endedAt = await network.settled()
  add(`player, ${what}: read whole`, `${((endedAt - clickedAt) / 1000).toFixed(1)} s; ${network.taken()}`)
  await network.close()
}

const describe = (taken: readonly number[]): string =>
  `p50 ${median(taken).toFixed(0)} ms, longest ${Math.max(...taken).toFixed(0)} ms`

async function openFromList(page: Page, sessionId: string): Promise<number> {
  const link = `a[href*="/sessions/${sessionId}"]`
  await page.locator(link).first().waitFor()
  return page.evaluate<number>(`(() => {
    const clickedAt = performance.now()
    document.querySelector('${link}').click()
    return (${untilPainted})(() => clickedAt, (page) => page.querySelector('li') !== null)
  })()`)
}

/** @param share of the session's length */
async function seekTo(page: Page, share: number): Promise<number> {
  const box = await page.locator(moment).boundingBox()
  if (box === null) throw new Error('The tracks are not drawn.')
  // The click is an input of the browser's, whose way to the page counts too. What a visit's page shows last is the row of
  // its half second (`recordVisit`).
  await page.evaluate(`{
    const slider = document.querySelector('${moment}')
    const before = slider.ariaValueNow
    const clicked = new Promise((resolve) =>
      addEventListener('pointerdown', (event) => resolve(event.timeStamp), { capture: true, once: true }))
    globalThis.seekPainted = clicked.then((clickedAt) => (${untilPainted})(() => clickedAt, (page) => {
      if (slider.ariaValueNow === before) return false
      const rows = [...page.querySelectorAll('li')].map(({ textContent }) => Number(/^Row (\\d+)$/.exec(textContent)?.[1] ?? 0))
      return Math.abs(Math.max(...rows) - Number(slider.ariaValueNow) / 500) <= 1.5
    }))
    // The value of a script is waited for, and the click is still to come.
    undefined
  }`)
  await page.mouse.click(box.x + share * box.width, box.y + box.height / 2)
  return page.evaluate<number>('globalThis.seekPainted')
}

/** Counts the answers that a page is given, and their bytes as they came over the network. */
async function countAnswers(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let requests = 0
  let bytes = 0
  let lastAt = performance.now()
  const seen = (): void => {
    lastAt = performance.now()
  }
  session.on('Network.requestWillBeSent', seen)
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    seen()
  })
  session.on('Network.loadingFinished', () => {
    requests += 1
    seen()
  })
  return {
    begin: () => {
      requests = 0
      bytes = 0
    },
    taken: () => `${requests} answers with ${(bytes / 1024).toLocaleString('en', { maximumFractionDigits: 0 })} KiB`,
    /** @returns when the last of them came */
    settled: async () => {
      seen()
      while (performance.now() - lastAt < quietMs) await page.waitForTimeout(50)
      return lastAt
    },
    close: () => session.detach(),
  }
}
