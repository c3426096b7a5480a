import { expect, test } from 'vitest'
import { parseCookies } from './cookies.ts'

// The server-side reader of cookies (auth §30).
test.for([
  ['nothing', undefined, []],
  ['one', 'a=b', [['a', 'b']]],
  [
    'white space around',
    ' a = b ;\tc=d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a value with `=`', 'a=b=c==', [['a', 'b=c==']]],
  [
    'quotes',
    'a="b c"; d="e',
    [
      ['a', 'b c'],
      ['d', '"e'],
    ],
  ],
  ['percent escapes', 'a=%7B%22x%22%3A1%7D', [['a', '{"x":1}']]],
  [
    'an escape that is none',
    'a=100%; b=%zz',
    [
      ['a', '100%'],
      ['b', '%zz'],
    ],
  ],
  ['the first of a name', 'a=1; a=2', [['a', '1']]],
  ['an empty first of a name', 'a=; a=2', [['a', '']]],
  ['no name', '=a; b; ; c=d', [['c', 'd']]],
  [
    'names of a prototype',
    '__proto__=x; constructor=y; toString=z',
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', 'z'],
    ],
  ],
  [
    'several headers',
    ['a=1', 'b=2'],
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['too much', `a=${'x'.repeat(16_384)}`, []],
] as const)('%s', ([, header, cookies]) => {
  expect([...parseCookies(header)]).toEqual(cookies)
})
