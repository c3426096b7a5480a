import { expect, test } from 'vitest'
import { citationsIn, rowsIn, sectionsOf, unresolved } from './citations.js'

const pageNames = new Set(['auth', 'rest'])
const cited = (text, self) => citationsIn(text, pageNames, self).map(({ page, section }) => `${page} ${section}`)

test('the anchors of a page are its sections', () => {
  expect(sectionsOf('auth', '<a id="auth-34"></a>\n| <a id="auth-34-7"></a>7 | <a id="rest-1"></a>')).toEqual(
    new Set(['34', '34.7']),
  )
})

test.for([
  ['a citation by itself', '(auth §34.7)', ['auth 34.7']],
  ['a sentence’s full stop is not part of it', 'as in rest §5.2.', ['rest 5.2']],
  ['a list', '(auth §13, §14, and §18; rest §2)', ['auth 13', 'auth 14', 'auth 18', 'rest 2']],
  ['a range has two ends', 'auth §35.5–9 and rest §1–12', ['auth 35.5', 'auth 35.9', 'rest 1', 'rest 12']],
  ['a comment’s line may end before the sign', ' * by its rules (auth\n * §8).', ['auth 8']],
  ['the title of a test', "test('auth §13 a user comes back'", ['auth 13']],
  ['another standard', '(RFC 7519 §4, OAuth 2.1 §4.1.1; SAML Core\n * §3.2)', []],
  ['a sign without a page is a citation of nothing', '(contract §13) and (§4)', ['contract 13', ' 4']],
])('%s', ([, text, expected]) => {
  expect(cited(text)).toEqual(expected)
})

test('a page cites its own sections by number alone', () => {
  expect(cited('the limits of §24, and rest §3; RFC 7240 §2', 'auth')).toEqual(['auth 24', 'rest 3'])
})

test('rows of case tables cite the section they begin with', () => {
  expect(rowsIn("{ row: '34.7' },\n{ rule: '3.6 count of rows' }, { rule: 'none' }", 'auth')).toEqual([
    { line: 1, page: 'auth', section: '34.7' },
    { line: 2, page: 'auth', section: '3.6' },
  ])
})

test('a citation that no page has is named with its file and line', () => {
  const pages = new Map([['auth', new Set(['34.7'])]])
  const citations = citationsIn('auth §34.7\nauth §34.99\n(§4)', pageNames)
  expect(unresolved(pages, 'a.ts', citations)).toEqual([
    'a.ts:2: auth §34.99 is not in docs/protocols',
    'a.ts:3: §4 is not in docs/protocols',
  ])
})
