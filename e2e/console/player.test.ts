import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Playback } from '../../console/src/player/playback.ts'
import { changeOf, metaOf, snapshotOf } from '../support/recorded.ts'
import { openSharedBrowser } from '../support/shared.ts'

/** The player on a page without the console; a test gives it parts of a recording in the order it likes. */
interface Player {
  readonly playback: Playback
  /** Takes in a part of a recording, as the console does; the session began at 0. */
  readonly receive: (part: { windowId: string; events: readonly object[] }, durationMs: number) => Promise<void>
}

const entry = `
import { createDecoder } from './decode.ts'
import { createPlayback } from './playback.ts'
import { createPageStage } from './stage.ts'
import { layOut } from './timeline.ts'

const decoder = createDecoder()
const playback = createPlayback(0)
playback.setSkipIdle(false)
playback.attach(createPageStage(document.body))
let parts = 0
globalThis.player = {
  playback,
  async receive(part, durationMs) {
    parts += 1
    const line = JSON.stringify({ ...part, offsetMs: 0, tail: String(parts), receivedMs: parts })
    playback.load(layOut(await decoder.add(line), 0, durationMs))
  },
}`

let browser: Browser
let script: string
beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL('../../console/src/player', import.meta.url))
  const { outputFiles } = await build({ stdin: { contents: entry, resolveDir }, bundle: true, write: false })
  script = outputFiles[0]?.text ?? ''
  browser = await openSharedBrowser()
}, 120_000)
afterAll(() => browser.close())

const ids = { first: 50, second: 51 }
const at = (timestamp: number, event: object): object => ({ ...event, timestamp })
const moved = (ms: number): object => at(ms, changeOf(1, { positions: [{ x: 5, y: 5, id: 1, timeOffset: 0 }] }))
/** The text that a paragraph of the page has from a moment on. */
const said = (ms: number, paragraph: keyof typeof ids, text: string): object =>
  at(
    ms,
    changeOf(0, {
      ...{ texts: [], attributes: [], removes: [] },
      adds: [{ parentId: ids[paragraph], nextId: null, node: { type: 3, textContent: text, id: 2000 + ms } }],
    }),
  )
/** A page that is loaded, and drawn whole some time later. */
const loaded = (ms: number, title: string, drawnMs = 0): readonly object[] => [
  at(ms, metaOf(`https://shop.example/${title}`)),
  at(
    ms + drawnMs,
    snapshotOf(
      [],
      [
        { tag: 'h1', children: [title] },
        { tag: 'p', id: ids.first },
        { tag: 'p', id: ids.second },
      ],
    ),
  ),
]

async function openPlayer(): Promise<{
  readonly page: Page
  readonly receive: (events: readonly object[], durationMs?: number, windowId?: string) => Promise<void>
  readonly run: <Result>(act: (playback: Playback) => Result) => Promise<Result>
  /** The texts of the page that is seen. */
  readonly seen: () => Promise<readonly string[]>
}> {
  const page = await browser.newPage()
  await page.setContent('<!doctype html><body></body>')
  await page.addScriptTag({ content: script })
  const player = await page.evaluateHandle(() => Reflect.get(globalThis, 'player') as Player)
  return {
    page,
    receive: (events, durationMs = 0, windowId = 'a') =>
      player.evaluate((it, given) => it.receive({ windowId: given.windowId, events: given.events }, given.durationMs), {
        events: [...events],
        ...{ windowId, durationMs },
      }),
    run: (act) => player.evaluate(({ playback }, text) => new Function(`return ${text}`)()(playback), act.toString()),
    seen: () =>
      page.evaluate(() => {
        const frames = [...document.querySelectorAll('iframe')]
        const shown = frames.find((frame) => frame.checkVisibility())?.contentDocument
        return [...(shown?.querySelectorAll('h1, p') ?? [])].map(({ textContent }) => textContent)
      }),
  }
}

test('a part that arrives late is in the picture, also where it is a single change', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu'), said(1000, 'first', 'early'), said(3000, 'first', ', later')])
  await run((playback) => playback.seek(3000))
  expect(await seen()).toEqual(['Menu', 'early, later', ''])
  await receive([said(2000, 'second', 'late')])
  await expect.poll(seen).toEqual(['Menu', 'early, later', 'late'])
  await page.close()
})

test('who follows a person sees all that they did while nothing had come for long', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu'), said(1000, 'first', 'early')])
  await run((playback) => playback.follow())
  await expect.poll(seen).toEqual(['Menu', 'early', ''])
  await receive([said(5000, 'second', 'far back'), said(20_000, 'first', ', now'), moved(20_500)])
  await expect.poll(seen).toEqual(['Menu', 'early, now', 'far back'])
  await page.close()
})

test('a window shows all that it recorded while another one was seen', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu'), moved(500)])
  await receive([...loaded(1000, 'Basket'), moved(2000)], 0, 'b')
  await run((playback) => playback.seek(400))
  await run((playback) => playback.seek(2000))
  await receive([said(1500, 'first', 'behind'), said(3000, 'second', 'also behind'), moved(4000)])
  await run((playback) => playback.seek(4000))
  await expect.poll(seen).toEqual(['Menu', 'behind', 'also behind'])
  await page.close()
})

test('a moment whose recording has yet to come shows it once it is there', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu'), moved(500)], 20_000)
  await run((playback) => playback.seek(15_000))
  await receive([said(9000, 'first', 'came'), said(12_000, 'first', ' later')], 20_000)
  await expect.poll(seen).toEqual(['Menu', 'came later', ''])
  await page.close()
})

test('what is recorded on is played on, also when the picture had come to its end', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu'), moved(300)], 60_000)
  await run((playback) => playback.play())
  await expect.poll(() => run((playback) => playback.state().nowMs)).toBeGreaterThan(600)
  await receive([said(500, 'first', 'before'), said(1200, 'second', 'after'), moved(30_000)], 60_000)
  await expect.poll(seen).toEqual(['Menu', 'before', 'after'])
  await page.close()
})

test('a first page that took a while to be drawn moves nothing that follows', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu', 2000), said(2600, 'first', 'chosen'), said(5000, 'second', 'paid')])
  await run((playback) => playback.seek(2500))
  expect(await seen()).toEqual(['Menu', '', ''])
  await run((playback) => playback.seek(2700))
  expect(await seen()).toEqual(['Menu', 'chosen', ''])
  await page.close()
})

test('a page is seen until the next one is there whole', async () => {
  const { page, receive, run, seen } = await openPlayer()
  await receive([...loaded(0, 'Menu'), said(500, 'first', 'soup'), ...loaded(1000, 'Basket', 400), moved(2000)])
  await run((playback) => playback.seek(2000))
  expect(await seen()).toEqual(['Basket', '', ''])
  await run((playback) => playback.seek(1200))
  expect(await seen()).toEqual(['Menu', 'soup', ''])
  await page.close()
})

test('a page that is only begun when a part ends is seen with the next part', async () => {
  const { page, receive, run, seen } = await openPlayer()
  const [opened, drawn] = loaded(1000, 'Basket', 400)
  await receive([...loaded(0, 'Menu'), said(500, 'first', 'soup'), ...(opened ? [opened] : [])])
  await run((playback) => playback.follow())
  await expect.poll(seen).toEqual(['Menu', 'soup', ''])
  await receive([...(drawn ? [drawn] : []), said(1500, 'first', 'cup')])
  await expect.poll(seen).toEqual(['Basket', 'cup', ''])
  await page.close()
})

test('the recording plays from its beginning right after its end was sought', async () => {
  const { page, receive, run } = await openPlayer()
  await receive([...loaded(0, 'Menu'), said(500, 'first', 'early'), said(1500, 'second', 'late'), moved(3000)])
  await run((playback) => {
    playback.seek(3000)
    playback.play()
  })
  await expect.poll(() => run((playback) => [playback.state().playing, playback.state().nowMs])).toEqual([false, 3000])
  await page.close()
})
