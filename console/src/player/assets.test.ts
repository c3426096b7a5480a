import { expect, test } from 'vitest'
import { assetRule, guardAssets, guardCss } from './assets.ts'

const rule = assetRule(
  [{ type: 4, timestamp: 0, data: { href: 'https://cafe.test/menu', width: 800, height: 600 } }],
  'https://clew.test',
)

test.each([
  ['the recorded page’s own origin', 'https://cafe.test/bread.png', true],
  ['the console’s origin', '/storage/v1/object/public/bread.png', true],
  ['inline data', 'data:image/png;base64,AAAA', true],
  ['a third party', 'https://spy.test/pixel.gif', false],
  ['a third party without scheme', '//spy.test/pixel.gif', false],
  ['a file', 'file:///etc/passwd', false],
])('%s', (_what, url, allowed) => {
  expect(rule(url)).toBe(allowed)
})

test('a snapshot loses what would be fetched elsewhere, and nothing else', () => {
  const page = (source: string, href: string) => ({
    type: 2,
    timestamp: 0,
    data: {
      node: {
        tagName: 'body',
        attributes: {},
        childNodes: [
          { tagName: 'img', attributes: { src: source, alt: 'Bread' } },
          { tagName: 'link', attributes: { rel: 'stylesheet', href } },
          { tagName: 'a', attributes: { href: 'https://elsewhere.test/' } },
          { type: 3, textContent: 'see url(https://spy.test/a)' },
        ],
      },
    },
  })
  const fine = page('https://cafe.test/a.png', 'https://cafe.test/a.css')
  expect(guardAssets(fine, rule)).toEqual(fine)
  const spied = JSON.stringify(guardAssets(page('https://spy.test/a.png', 'https://spy.test/a.css'), rule))
  expect(spied).not.toContain('spy.test/a.png')
  expect(spied).not.toContain('spy.test/a.css')
  expect(spied).toContain('https://elsewhere.test/')
  expect(spied).toContain('see url(https://spy.test/a)')
})

test('a later change of an attribute is held to the same rule', () => {
  const change = {
    type: 3,
    timestamp: 0,
    data: { source: 0, attributes: [{ id: 4, attributes: { src: 'https://spy.test/x', class: 'big' } }] },
  }
  const guarded = JSON.stringify(guardAssets(change, rule))
  expect(guarded).not.toContain('spy.test')
  expect(guarded).toContain('big')
})

test('style sheets keep their rules without foreign files', () => {
  expect(guardCss('a{background:url(https://cafe.test/a.png)}', rule)).toBe(
    'a{background:url(https://cafe.test/a.png)}',
  )
  expect(guardCss('a{color:red;background:url("https://spy.test/a.png")}', rule)).not.toContain('spy.test')
  expect(guardCss('@import url(https://spy.test/a.css);b{color:red}', rule)).toBe('b{color:red}')
})
