import { expect, test } from 'vitest'
import type { SessionDetail } from '../../schemas/session.ts'
import { event, request, rrweb, type Scene, timeline } from '../story/story.ts'
import { cutDetail } from './cut-detail.ts'

const startedAt = '2026-03-01T12:00:00.000Z'

/** Moments of a clip, one a line. */
function clip(scene: Scene, fromMs: number, toMs: number): readonly string[] {
  // What the list tells of a session is not read here but for its length.
  const session = { startedAt, durationMs: 60_000, activeMs: 60_000, people: [] }
  const detail = { ...timeline(scene), session, clock: {}, oldClient: null, earlier: 0 } as unknown as SessionDetail
  const cut = cutDetail(detail, { fromMs, toMs })
  expect(cut.session.pages).toBe(cut.moments.filter(({ kind }) => kind === 'page').length)
  expect(new Set(cut.moments.map(({ id }) => id)).size).toBe(cut.moments.length)
  return cut.moments
    .filter(({ kind }) => kind !== 'gap')
    .map(({ kind, label, atMs, at, requests, properties }) => {
      expect(Date.parse(at)).toBe(Date.parse(startedAt) + fromMs + atMs)
      const title = typeof properties?.title === 'string' ? ` “${properties.title}”` : ''
      return `${kind} ${label}${title} @${atMs}${requests.map((one) => ` ← ${one.atMs}`).join('')}`
    })
}

const pageview = (atMs: number, path: string, title: string) =>
  event(atMs, '$pageview', { title }, { currentUrl: `http://a.test${path}` })

test('a clip begins with the page that was open, its address and title, without what that page had asked', () => {
  const scene = {
    recorded: [rrweb.page(0, '/'), rrweb.page(5000, '/menu'), rrweb.click(12_000), rrweb.page(13_000, '/order')],
    events: [pageview(5010, '/menu', 'Menu')],
    requests: [request(5100), request(12_050)],
  }
  expect(clip(scene, 10_000, 12_500)).toEqual(['page /menu “Menu” @0', 'click Click @2000 ← 2050'])
})

test('a page that is loaded at the clip’s first instant is its page', () => {
  const scene = { recorded: [rrweb.page(0, '/'), rrweb.page(5000, '/menu'), rrweb.click(6000)] }
  expect(clip(scene, 5000, 6000)).toEqual(['page /menu @0', 'click Click @1000'])
})

test('each window that was open has its page, and none that was closed or is opened later', () => {
  const scene = {
    recorded: {
      closed: [rrweb.page(0, '/closed'), rrweb.move(1000)],
      w1: [rrweb.page(2000, '/first'), rrweb.move(20_000)],
      w2: [rrweb.page(3000, '/second'), rrweb.move(20_000)],
      later: [rrweb.page(12_000, '/later'), rrweb.move(20_000)],
    },
  }
  expect(clip(scene, 10_000, 15_000)).toEqual(['page /first @0', 'page /second @0', 'page /later @2000'])
})

test('while every window stands still, the page that was loaded last is the clip’s', () => {
  const scene = { recorded: { w1: [rrweb.page(0, '/first')], w2: [rrweb.page(3000, '/second')] } }
  expect(clip(scene, 10_000, 15_000)).toEqual(['page /second @0'])
})

test('a session without pages has none in a clip', () => {
  expect(clip({ requests: [request(5000)] }, 4000, 6000)).toEqual(['request POST /rest/v1/orders @1000 ← 1000'])
})
