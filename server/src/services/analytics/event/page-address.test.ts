import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaignNames, createPageAddresses, parsePageAddress } from './page-address.ts'

test.each<[string, object]>([
  ['https://a.test/items/1?ref=mail#top', { $host: 'a.test', $pathname: '/items/1' }],
  ['https://a.test', { $host: 'a.test', $pathname: '/' }],
  ['http://A.test:80/b//c.html', { $host: 'a.test', $pathname: '/b//c.html' }],
  ['https://a.test:8443?x', { $host: 'a.test:8443', $pathname: '/' }],
  ['https://a.test/b/../c/%2E/', { $host: 'a.test', $pathname: '/c/' }],
  ['https://a.test/ä b', { $host: 'a.test', $pathname: '/%C3%A4%20b' }],
  ['https://127.1/', { $host: '127.0.0.1', $pathname: '/' }],
  ['https://a.test/?utm_source=x&utm_source=y&q=1&gclid=', { $host: 'a.test', $pathname: '/', utm_source: 'y' }],
  ['https://a.test/?utm%5Fterm=x+y', { $host: 'a.test', $pathname: '/', utm_term: 'x y' }],
  ['https://a.test/#?utm_source=x', { $host: 'a.test', $pathname: '/' }],
  ['https://a..:99999/', {}],
  ['https://xn--a/', {}],
  ['/items/1', {}],
  ['', {}],
])('%s', (address, facts) => {
  expect(Object.fromEntries(createPageAddresses(parsePageAddress)(address))).toEqual(facts)
})

test.each([...campaignNames])('%s is read of an address, plain or not', (name) => {
  const find = createPageAddresses(parsePageAddress)
  for (const path of ['/', '/a%20b']) expect(find(`https://a.test${path}?q=1&${name}=v`)).toContainEqual([name, 'v'])
})

test('what is plain is not parsed as a whole, and what is long is', () => {
  const parsed: string[] = []
  const find = createPageAddresses((address) => {
    parsed.push(address)
    return parsePageAddress(address)
  })
  const long = `https://a.test/${'/'.repeat(1_000_000)}`
  find('https://a.test/items/1?ref=mail')
  expect(find(long)[1]).toEqual(['$pathname', long.slice('https://a.test'.length)])
  expect(parsed).toEqual([long])
})

const pieces = fc.constantFrom(
  ...[
    'https://',
    'http://',
    'HTTP://',
    'file:',
    '//',
    'a.test',
    'A.test',
    '127.1',
    '0x7f',
    'xn--a',
    ':',
    ':443',
    ':80',
    '@',
  ],
  ...[
    '/',
    '/.',
    '/..',
    '/%2e',
    '%2E',
    '.',
    '%',
    '%41',
    '\\',
    '?',
    '#',
    '&',
    '=',
    '+',
    ' ',
    '\n',
    '\t',
    '\0',
    '"',
    '<',
    '^',
  ],
  ...[
    'utm_source=x',
    'utm_\nterm=y',
    'utm%5Fterm=z',
    'gclid=1',
    'q',
    'items',
    '~',
    "'",
    '|',
    '{',
    'ä',
    '\ud800',
    '[::1]',
  ],
)
const anyText = fc.array(fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 1, arbitrary: fc.string() }))
const address = fc.oneof(
  anyText.map((parts) => parts.join('')),
  anyText.map((parts) => `https://a.test/${parts.join('')}`),
  fc
    .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), anyText)
    .map(([url, parts]) => url + parts.join('')),
)

test('what is found in a plain address is what parsing it finds, whatever it holds', () => {
  const find = createPageAddresses(parsePageAddress)
  fc.assert(
    fc.property(address, (text) => {
      expect(find(text)).toEqual(parsePageAddress(text))
    }),
    { numRuns: 20_000 },
  )
})
