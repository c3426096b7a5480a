import { expect, test } from 'vitest'
import { compileGlob } from './glob.ts'
import { createRedirects } from './redirect.ts'

const site = 'https://allowed.tld'
const redirects = createRedirects(site, [
  'https://app.example.com/cb',
  'https://*.preview.example.com/**',
  'myapp://**',
  'http://localhost:3000/*',
  'https://10.0.0.1/**',
])

test.each([
  ['https://allowed.tld'],
  ['https://allowed.tld/any/path?x=1#y'],
  ['https://ALLOWED.tld/'],
  ['https://allowed.tld:443/'],
  ['https://app.example.com/cb'],
  ['https://app.example.com/cb#state'],
  ['https://one.preview.example.com/a/b?c=d'],
  ['myapp://callback/done'],
  ['http://localhost:3000/welcome'],
])('%s is allowed', (candidate) => {
  expect(redirects.choose([candidate])).toBe(candidate)
})

test.each([
  ['another name that begins alike', 'https://allowed.tld.evil.com'],
  ['a user that looks like the host', 'https://allowed.tld@evil.com'],
  ['a user and a password', 'https://a:b@allowed.tld'],
  ['no scheme', '//evil.com'],
  ['no slashes', 'https:evil.com'],
  ['one slash', 'https:/allowed.tld'],
  ['three slashes', 'https:///evil.com'],
  ['the name in the fragment', 'https://evil.com#allowed.tld'],
  ['the name in the query', 'https://evil.com?allowed.tld'],
  ['a backslash', 'https://evil.com\\@allowed.tld'],
  ['a backslash for a slash', 'https:\\\\allowed.tld'],
  ['an escaped slash in the host', 'https://evil.com%2fallowed.tld'],
  ['a tab', 'https://allowed.tld\t.evil.com'],
  ['a line break', 'https://allowed.tld\r\nSet-Cookie: a=b'],
  ['leading white space', ' https://allowed.tld'],
  ['a name in other letters', 'https://аllowed.tld'],
  ['full-width letters', 'https://ａllowed.tld'],
  ['a script', 'javascript:alert(1)//https://allowed.tld'],
  ['data', 'data:text/html,hello'],
  ['a decimal address', 'https://2130706433/'],
  ['an octal address', 'https://0177.0.0.1/'],
  ['an address of the list', 'https://10.0.0.1/x'],
  ['an IPv6 address', 'https://[2001:db8::1]/'],
  ['another port', 'https://allowed.tld:8443/'],
  ['another scheme', 'http://allowed.tld/'],
  ['a path that is not listed', 'https://app.example.com/cb/'],
  ['a query that is not listed', 'https://app.example.com/cb?x=1'],
  ['a star across a dot', 'https://a.b.preview.example.com/x'],
  ['nothing', ''],
])('%s falls back to the site', (_, candidate) => {
  expect(redirects.choose([candidate, undefined])).toBe(site)
})

test('the first allowed candidate wins', () => {
  expect(redirects.choose([undefined, 'https://evil.com', 'myapp://a', 'https://allowed.tld/x'])).toBe('myapp://a')
})

test('a site on this machine may be at any port', () => {
  const local = createRedirects('http://127.0.0.1:3000', [])
  expect(local.isAllowed('http://127.0.0.1:5173/in')).toBe(true)
  expect(local.isAllowed('http://localhost:5173/in')).toBe(false)
})

test.each([
  ['a?c', 'abc', true],
  ['a?c', 'a.c', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['{one,two}.tld', 'two.tld', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a.b', 'axb', false],
  ['***', 'any/thing.at.all', true],
  ['[', '[', true],
])('the glob %s on %s: %s', (glob, text, matches) => {
  expect(compileGlob(glob).test(text)).toBe(matches)
})
