import { expect, test } from 'vitest'
import { fitEvent, pageBefore, resolveUrls } from './assets.ts'

const href = 'https://cafe.test/menu/today'
const incremental = (data: object) => ({ type: 3, timestamp: 0, data })

test.each([
  ['url(img/bread.png)', 'url("https://cafe.test/menu/img/bread.png")'],
  ['url("/bread.png") no-repeat', 'url("https://cafe.test/bread.png") no-repeat'],
  ["url( '//cdn.test/a.png' )", 'url("https://cdn.test/a.png")'],
  ['url(data:image/png;base64,AAAA)', 'url(data:image/png;base64,AAAA)'],
  ['url(https://cdn.test/a.png)', 'url(https://cdn.test/a.png)'],
  ['url(#gradient)', 'url(#gradient)'],
])('%s is meant from the recorded page', (css, resolved) => {
  expect(resolveUrls(css, href)).toBe(resolved)
})

test.each([
  ['an element’s style', { source: 0, attributes: [{ id: 4, attributes: { style: { background: 'url(a.png)' } } }] }],
  [
    'with a priority',
    { source: 0, attributes: [{ id: 4, attributes: { style: { background: ['url(a.png)', 'important'] } } }] },
  ],
  ['a rule’s declaration', { source: 13, set: { property: 'background', value: 'url(a.png)' } }],
  ['a new rule', { source: 8, adds: [{ rule: 'a{background:url(a.png)}' }] }],
  ['an adopted sheet', { source: 15, styles: [{ rules: [{ rule: 'a{background:url(a.png)}' }] }] }],
  [
    'a style element',
    { source: 0, adds: [{ node: { type: 3, isStyle: true, textContent: 'a{background:url(a.png)}' } }] },
  ],
])('what a script wrote into %s is meant from the recorded page', (_what, data) => {
  expect(JSON.stringify(fitEvent(incremental(data), href))).toContain('https://cafe.test/menu/a.png')
})

test('words that look like CSS stay words', () => {
  const words = incremental({ source: 0, adds: [{ node: { type: 3, textContent: 'see url(a.png)' } }] })
  expect(fitEvent(words, href)).toEqual(words)
})

test('the page is the one that was opened last before', () => {
  const meta = (to: string) => ({ type: 4, timestamp: 0, data: { href: to, width: 1, height: 1 } })
  const events = [meta('https://a.test/'), incremental({}), meta('https://b.test/'), incremental({})]
  expect([0, 1, 2, 4].map((index) => pageBefore(events, index))).toEqual([
    null,
    'https://a.test/',
    'https://a.test/',
    'https://b.test/',
  ])
})

test.each([
  ['a name that is to be looked up', { rel: 'dns-prefetch', href: '//spy.test' }, { href: '//spy.test' }],
  ['a connection that is to be made', { REL: 'stylesheet preconnect' }, {}],
  [
    'names of all links that are to be looked up',
    { 'http-equiv': 'x-dns-prefetch-control', content: 'on' },
    { content: 'on' },
  ],
  ['nothing of a style sheet', { rel: 'stylesheet', href: '/a.css' }, { rel: 'stylesheet', href: '/a.css' }],
])('left out is %s', (_what, attributes, left) => {
  const snapshot = { type: 2, timestamp: 0, data: { node: { tagName: 'link', attributes } } }
  expect(fitEvent(snapshot, href).data).toEqual({ node: { tagName: 'link', attributes: left } })
  const change = incremental({ source: 0, attributes: [{ id: 4, attributes }] })
  expect(fitEvent(change, href).data).toEqual({ source: 0, attributes: [{ id: 4, attributes: left }] })
})

test('the pages of frames are left out: their addresses, and texts that would be parsed', () => {
  const frame = (tagName: string, attributes: object) => ({
    type: 2,
    timestamp: 0,
    data: { node: { tagName, attributes } },
  })
  for (const tag of ['iframe', 'IFRAME', 'object', 'embed']) {
    const attributes = { src: 'https://spy.test/', data: 'https://spy.test/', srcdoc: '<script></script>', width: '9' }
    expect(fitEvent(frame(tag, attributes), href)).toEqual(frame(tag, { width: '9' }))
  }
  expect(fitEvent(frame('img', { src: 'a.png' }), href)).toEqual(frame('img', { src: 'a.png' }))
  const change = incremental({ source: 0, attributes: [{ id: 4, attributes: { srcdoc: '<b>', class: 'big' } }] })
  expect(fitEvent(change, href).data).toEqual({ source: 0, attributes: [{ id: 4, attributes: { class: 'big' } }] })
})
