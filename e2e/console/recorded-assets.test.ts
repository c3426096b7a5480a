import { createServer } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { signInProfile } from '../support/console-page.ts'
import { freePort, until } from '../support/product.ts'
import { changeOf, isRecorded, metaOf, type RecordedElement, sendRecording, snapshotOf } from '../support/recorded.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

/** A server that notes what it is asked for. */
interface Spy {
  readonly url: string
  readonly seen: string[]
  close(): Promise<void>
}

let product: SharedProduct
let api: ConsoleApi
let context: BrowserContext
let known: Spy
let stranger: Spy
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const cafe = await sharedCafe()
  product = cafe
  // Two names of this machine, of which no default allows either; the café's settings name the first.
  known = await startSpy('known.localhost', cafe.assetPort)
  stranger = await startSpy('stranger.localhost', await freePort())
  closing.push(known.close, stranger.close)
  api = await signInOwner(product)
  const browser = await openSharedBrowser()
  closing.push(() => browser.close())
  context = await browser.newContext()
  await signInProfile(context, product.consoleUrl)
}, 180_000)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

async function startSpy(host: string, port: number): Promise<Spy> {
  const seen: string[] = []
  const server = createServer((request, answer) => {
    seen.push(request.url ?? '')
    answer.writeHead(200, { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' })
    answer.end('<svg xmlns="http://www.w3.org/2000/svg"/>')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://${host}:${port}`,
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Opens a session and plays it to its end. */
async function watch(sessionId: string): Promise<Page> {
  await until(() => isRecorded(api, sessionId), 60_000)
  const page = await context.newPage()
  // From its beginning: without a moment a session that is still live would be opened at its end.
  await page.goto(`${product.consoleUrl}/sessions/${sessionId}?t=0`)
  await page.frameLocator('iframe[title="The recorded page"]').locator('#ready').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Play' }).click()
  await page.frameLocator('iframe[title="The recorded page"]').locator('#end').waitFor({ state: 'attached' })
  return page
}

const mark = (id: string): RecordedElement => ({ tag: 'i', attributes: { id } })

/** Adds the element by which the end of a recording is known. */
const end = changeOf(0, {
  texts: [],
  attributes: [],
  removes: [],
  adds: [
    { parentId: 50, nextId: null, node: { type: 2, tagName: 'i', attributes: { id: 'end' }, childNodes: [], id: 99 } },
  ],
})

const scrolled = changeOf(3, { id: 1, x: 0, y: 0 })

/** Every way that is known to ask for a file, from one origin. */
function asking(spy: string): {
  readonly head: RecordedElement[]
  readonly body: RecordedElement[]
  readonly later: object[]
} {
  const style = (css: string): RecordedElement => ({ tag: 'style', children: [css] })
  const div = (css: string): RecordedElement => ({ tag: 'div', attributes: { style: css }, children: ['x'] })
  const svg = (...children: RecordedElement[]): RecordedElement => ({
    tag: 'svg',
    isSVG: true,
    attributes: { width: '9', height: '9' },
    children: children.map((child) => ({ ...child, isSVG: true })),
  })
  const change = (id: number, attributes: object) =>
    changeOf(0, { texts: [], adds: [], removes: [], attributes: [{ id, attributes }] })
  return {
    head: [
      style(`@import"${spy}/import.css";`),
      style(`@import url(${spy}/import-url.css);`),
      style(`.a{background:image-set("${spy}/image-set" 1x)}`),
      style(`.b{background:u\\72l(${spy}/escaped)}`),
      style(`.c{background:url(${spy}/unterminated`),
      style(`@font-face{font-family:spy;src:url(${spy}/font)} .d{font-family:spy}`),
      { tag: 'style', attributes: { _cssText: `.e{background:url(${spy}/css-text)}` } },
      { tag: 'link', attributes: { rel: 'stylesheet', href: `${spy}/sheet.css` } },
      { tag: 'link', attributes: { rel: 'preconnect', href: spy } },
      { tag: 'link', attributes: { rel: 'dns-prefetch', href: spy } },
      { tag: 'link', attributes: { rel: 'prefetch', href: `${spy}/prefetch` } },
      { tag: 'link', attributes: { rel: 'preload', as: 'image', href: `${spy}/preload` } },
      { tag: 'meta', attributes: { 'http-equiv': 'refresh', content: `0;url=${spy}/refresh` } },
      { tag: 'base', attributes: { href: `${spy}/base/` } },
    ],
    body: [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => ({ tag: 'p', attributes: { class: name }, children: ['x'] })),
      { tag: 'img', attributes: { src: `${spy}/img` } },
      { tag: 'img', attributes: { src: 'relative-to-base' } },
      { tag: 'img', attributes: { srcset: `${spy}/srcset 2x`, src: 'data:,' } },
      div(`background:url(${spy}/inline)`),
      div(`background:u\\72l("${spy}/inline-escaped")`),
      div(`background:image-set("${spy}/inline-image-set" 1x)`),
      { tag: 'div', id: 60, children: ['x'] },
      { tag: 'img', id: 61 },
      { tag: 'iframe', id: 62 },
      { tag: 'iframe', attributes: { src: `${spy}/frame` } },
      { tag: 'iframe', attributes: { srcdoc: `<img src="${spy}/srcdoc"><style>@import"${spy}/srcdoc.css"</style>` } },
      { tag: 'object', attributes: { data: `${spy}/object` } },
      { tag: 'embed', attributes: { src: `${spy}/embed` } },
      { tag: 'video', attributes: { poster: `${spy}/poster`, src: `${spy}/video`, autoplay: '' } },
      { tag: 'audio', attributes: { src: `${spy}/audio`, autoplay: '' } },
      { tag: 'input', attributes: { type: 'image', src: `${spy}/input` } },
      { tag: 'table', attributes: { background: `${spy}/background` } },
      svg({ tag: 'image', attributes: { href: `${spy}/svg-image`, width: '9', height: '9' } }),
      svg({ tag: 'use', id: 63, attributes: { href: `${spy}/svg-use#x` } }),
      svg({
        tag: 'rect',
        attributes: { width: '9', height: '9', fill: `url(${spy}/fill#x)`, mask: `url(${spy}/mask#x)` },
      }),
      svg(
        {
          tag: 'filter',
          attributes: { id: 'f' },
          children: [{ tag: 'feImage', isSVG: true, attributes: { href: `${spy}/feimage` } }],
        },
        { tag: 'rect', attributes: { width: '9', height: '9', filter: 'url(#f)' } },
      ),
      { tag: 'script', attributes: { src: `${spy}/script.js` } },
      { tag: 'img', attributes: { src: 'x', onerror: `new Image().src='${spy}/onerror'` } },
    ],
    later: [
      change(60, { style: { 'background-image': `url(${spy}/style-object)` } }),
      change(60, { style: { 'border-image-source': 'url(relative.png)' } }),
      change(61, { src: `${spy}/later-src` }),
      change(62, { srcdoc: `<img src="${spy}/later-srcdoc">` }),
      change(63, { href: `${spy}/later-href#x` }),
      changeOf(13, { id: 70, index: [0], set: { property: 'background-image', value: `url(${spy}/declaration)` } }),
      changeOf(8, { id: 70, adds: [{ rule: `.g{background:url(${spy}/rule)}`, index: 0 }] }),
      changeOf(10, { family: 'later', fontSource: `url(${spy}/later-font)`, buffer: false, descriptors: {} }),
    ],
  }
}

/** A recording that claims to be of a page at `href` and asks an origin in every way. */
function recordingOf(href: string, spy: string): readonly object[] {
  const { head, body, later } = asking(spy)
  const sheet: RecordedElement = { tag: 'style', id: 70, children: ['.f{color:red}'] }
  const root: RecordedElement = {
    tag: 'div',
    id: 50,
    children: [mark('ready'), { tag: 'p', attributes: { class: 'f g' } }],
  }
  // The last event only says how long it is.
  return [metaOf(href), snapshotOf([...head, sheet], [root, ...body]), ...later, end, scrolled]
}

test('a recording loads only from the origins that the settings name, whatever page it claims', async () => {
  for (const href of ['https://shop.example/', `${stranger.url}/`]) {
    const page = await watch(await sendRecording(product, recordingOf(href, stranger.url)))
    // Said in a line of its own, with what to do about it.
    await page.getByText(`Not loaded from ${stranger.url}`).waitFor()
    expect([href, stranger.seen]).toEqual([href, []])
    await page.close()
  }
})

test('from an origin that is named the picture is whole', async () => {
  const page = await watch(await sendRecording(product, recordingOf(`${known.url}/shop/today`, known.url)))
  await until(() => known.seen.includes('/declaration') && known.seen.includes('/later-src'), 30_000)
  for (const path of ['/img', '/import.css', '/inline', '/style-object', '/poster', '/shop/relative.png'])
    expect(known.seen).toContain(path)
  for (const path of ['/script.js', '/frame', '/object', '/embed', '/onerror', '/refresh', '/prefetch'])
    expect(known.seen).not.toContain(path)
  expect(await page.getByText('Not loaded from').count()).toBe(0)
  await page.close()
})

test('a canvas plays, and still no script runs, not even one of the console’s own', async () => {
  const ran = "<script>top.ran = 'inline'</script>"
  const canvas: RecordedElement = { tag: 'canvas', id: 80, attributes: { id: 'drawing', width: '40', height: '40' } }
  const body: RecordedElement[] = [
    { tag: 'div', id: 50, children: [mark('ready'), canvas] },
    { tag: 'img', attributes: { src: 'x', onerror: "top.ran = 'onerror'" } },
    { tag: 'svg', isSVG: true, attributes: { onbegin: "top.ran = 'svg'" } },
    { tag: 'script', children: ["top.ran = 'script'"] },
    { tag: 'iframe', attributes: { srcdoc: `${ran}<script src="/console/assets/any.js"></script>` } },
    { tag: 'iframe', attributes: { src: "javascript:top.ran = 'address'" } },
  ]
  const draw = (fillStyle: string) =>
    changeOf(9, {
      id: 80,
      type: 0,
      commands: [
        { property: 'fillStyle', args: [fillStyle], setter: true },
        { property: 'fillRect', args: [0, 0, 40, 40] },
      ],
    })
  const events = [
    metaOf('https://shop.example/'),
    snapshotOf([], body),
    draw('#ff0000'),
    draw('#0000ff'),
    end,
    scrolled,
  ]
  const scripts: string[] = []
  context.on('response', (response) => {
    const request = response.request()
    if (request.resourceType() === 'script' && request.frame().parentFrame() !== null) scripts.push(request.url())
  })
  const page = await watch(await sendRecording(product, events))
  const drawing = page.frameLocator('iframe[title="The recorded page"]').locator('#drawing')
  await expect
    .poll(() =>
      drawing.evaluate((it: HTMLCanvasElement) => [...(it.getContext('2d')?.getImageData(5, 5, 1, 1).data ?? [])]),
    )
    .toEqual([0, 0, 255, 255])
  // Shown, not only drawn: without scripts a browser shows what stands in place of a canvas.
  expect(await drawing.evaluate((it) => it.getBoundingClientRect().width)).toBe(40)
  expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
  expect(scripts).toEqual([])
  await page.close()
})
