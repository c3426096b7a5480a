import { expect, test } from 'vitest'
import { parseReport } from './exception.ts'
import { fileKey, fingerprintOf } from './fingerprint.ts'
import { normalizeMessage } from './message.ts'
import { findRule, type Rule, suppressionRules } from './rules.ts'
import { parsePrintedError, parseStackText } from './stack-text.ts'
import { headingOf } from './title.ts'

const frame = (name: string | null, filename: string, line = 1, facts: object = {}) => ({
  platform: 'web:javascript',
  function: name,
  filename,
  lineno: line,
  colno: 5,
  in_app: true,
  ...facts,
})

/** As posthog-js sends it: the outermost call first (analytics §3). */
const report = (
  facts: object = {},
  frames: readonly object[] = [frame('main', '/main.ts'), frame('pay', '/cart.ts')],
) =>
  parseReport({
    $exception_list: [
      {
        type: 'TypeError',
        value: 'total is undefined',
        mechanism: { handled: false },
        stacktrace: { type: 'raw', frames },
      },
    ],
    ...facts,
  })

test('a list of exceptions is read innermost call first, with its level, release and steps', () => {
  const read = report({
    $exception_level: 'fatal',
    $release: 'v1',
    $exception_steps: [{ $message: 'cart opened', $timestamp: '2026-01-01T00:00:00Z' }, { $message: '' }, 7],
  })
  expect(read).toMatchObject({ level: 'fatal', release: 'v1', fingerprint: null })
  expect(read.steps).toEqual([{ at: '2026-01-01T00:00:00Z', message: 'cart opened' }])
  expect(read.exceptions[0]).toMatchObject({ type: 'TypeError', message: 'total is undefined', handled: false })
  expect(read.exceptions[0]?.frames.map((each) => each.function)).toEqual(['pay', 'main'])
})

const asText = 'TypeError: x\n    at pay (https://shop.test/app.js:1:20)\n    at https://shop.test/app.js:2:3'

test.each([
  [
    'frames as JSON, the outermost first',
    JSON.stringify([frame('main', '/a.js'), frame('pay', '/b.js')]),
    ['pay', 'main'],
  ],
  ['a stack as text', asText, ['pay', null]],
  ['JSON that is none', '[{', []],
])('the flat form of older clients has %s', (_, raw, names) => {
  const { exceptions } = parseReport({
    $exception_type: 'TypeError',
    $exception_message: 'x',
    $exception_stack_trace_raw: raw,
  })
  expect(exceptions).toHaveLength(1)
  expect(exceptions[0]).toMatchObject({ type: 'TypeError', message: 'x' })
  expect(exceptions[0]?.frames.map((each) => each.function)).toEqual(names)
})

test('what is no exception becomes one, without NUL and halves of surrogates, and bounded', () => {
  expect(parseReport({}).exceptions).toEqual([{ type: 'Error', message: '', handled: false, frames: [] }])
  const odd = parseReport({
    $exception_list: [
      7,
      {
        type: 'A\0\ud800',
        value: 'x'.repeat(100_000),
        stacktrace: {
          frames: [
            null,
            { filename: 5, lineno: -1, colno: 1e300, function: {} },
            ...new Array(500).fill(frame('f', 'f.js')),
          ],
        },
      },
    ],
  })
  expect(odd.exceptions[0]?.type).toBe('A\ufffd')
  expect(odd.exceptions[0]?.message).toHaveLength(8192)
  expect(odd.exceptions[0]?.frames.length).toBeLessThanOrEqual(100)
  expect(odd.exceptions[0]?.frames.at(-1)).toMatchObject({ file: null, function: null, line: null, column: null })
})

test.each([
  ['https://shop.test/assets/index-BxY3k2_a.js?v=1#x', 'assets/index.js'],
  ['https://shop.test/static/main.8f3a2bcd.js', 'static/main.js'],
  ['webpack:///./src/cart.ts?1a2b', 'src/cart.ts'],
  ['../../src/cart.ts', 'src/cart.ts'],
  ['file:///srv/functions/pay/index.ts', 'srv/functions/pay/index.ts'],
  ['/src/shopping-cart.ts', 'src/shopping-cart.ts'],
])('the file %s is known as %s', (file, key) => {
  expect(fileKey(file)).toBe(key)
})

test.each([
  ['user 42 has 3 carts', 'user <number> has <number> carts'],
  ['no row 0199a1b2-0000-7000-8000-000000000001', 'no row <id>'],
  ['cannot read "total" of ann@example.com', 'cannot read <text> of <email>'],
  ['GET https://shop.test/a?b=1 failed at 2026-01-02T03:04:05Z', 'GET <url> failed at <time>'],
  ['v1 stays', 'v1 stays'],
])('%s is normalised to %s', (message, normal) => {
  expect(normalizeMessage(message)).toBe(normal)
})

const nameOf = (read: ReturnType<typeof report>, rule: Rule | null = null) => fingerprintOf(read, rule)
const base = nameOf(report())

test.each([
  ['another line of the function', report({}, [frame('main', '/main.ts'), frame('pay', '/cart.ts', 99)])],
  [
    'another message',
    report({
      $exception_list: [
        {
          type: 'TypeError',
          value: 'other',
          stacktrace: { frames: [frame('main', '/main.ts'), frame('pay', '/cart.ts')] },
        },
      ],
    }),
  ],
  ['another build', report({}, [frame('main', 'https://a.test/main.ts?x'), frame('pay', 'https://b.test/cart.ts')])],
  [
    'a library in between',
    report({}, [frame('main', '/main.ts'), frame('next', '/node_modules/x/y.js'), frame('pay', '/cart.ts')]),
  ],
])('exceptions are one issue over %s', (_, read) => {
  expect(nameOf(read)).toBe(base)
})

test.each([
  [
    'another type',
    report({
      $exception_list: [
        { type: 'RangeError', stacktrace: { frames: [frame('main', '/main.ts'), frame('pay', '/cart.ts')] } },
      ],
    }),
  ],
  ['another function', report({}, [frame('main', '/main.ts'), frame('refund', '/cart.ts')])],
  ['the client’s own fingerprint', report({ $exception_fingerprint: 'mine' })],
  ['no stack', report({}, [])],
])('exceptions are another issue with %s', (_, read) => {
  expect(nameOf(read)).not.toBe(base)
})

test('without a stack the message tells, without what varies in it', () => {
  const of = (value: string) => nameOf(parseReport({ $exception_list: [{ type: 'Error', value }] }))
  expect(of('order 1 is gone')).toBe(of('order 23 is gone'))
  expect(of('order 1 is gone')).not.toBe(of('cart 1 is gone'))
})

test('a built file without a source map is told by its place, which names alone do not tell', () => {
  const at = (colno: number) => nameOf(report({}, [frame('t', '/app.js', 1, { colno })]))
  expect(at(40_000)).not.toBe(at(50_000))
  expect(at(40)).toBe(at(50))
})

const rule = (facts: Partial<Rule>): Rule => ({ id: '1', name: 'Pay', action: 'group', conditions: [], ...facts })
const is = (field: 'type' | 'message' | 'file', value: string) => ({ field, operator: 'is', value }) as const
const has = (field: 'type' | 'message' | 'file', value: string) => ({ field, operator: 'contains', value }) as const

test.each([
  ['its type', [is('type', 'TypeError')], true],
  ['a part of its message in any case', [has('message', 'TOTAL')], true],
  ['a file of its stack', [has('file', 'cart.ts')], true],
  ['all of several', [is('type', 'TypeError'), has('file', 'cart.ts')], true],
  ['not one of several', [is('type', 'TypeError'), has('file', 'other.ts')], false],
  ['a part where the whole is asked for', [is('message', 'total')], false],
])('a rule fits an exception by %s', (_, conditions, fits) => {
  expect(findRule([rule({ conditions })], report().exceptions) !== null).toBe(fits)
})

test('the first rule that fits groups under its name; the client’s fingerprint stays', () => {
  const first = rule({ conditions: [has('message', 'total')] })
  const found = findRule([first, rule({ id: '2', conditions: [is('type', 'TypeError')] })], report().exceptions)
  expect(found).toBe(first)
  expect(nameOf(report(), first)).toBe(nameOf(report({}, [frame('other', '/x.ts')]), first))
  expect(headingOf(report(), first, '').title).toBe('Pay')
  const mine = report({ $exception_fingerprint: 'mine' })
  expect(nameOf(mine, first)).toBe(nameOf(mine))
})

test('browsers are told the rules that ignore by type and message, before any that groups', () => {
  const ignore = rule({ action: 'ignore', conditions: [is('type', 'AbortError'), has('message', 'left')] })
  const byFile = rule({ action: 'ignore', conditions: [has('file', 'ads.js')] })
  expect(suppressionRules([ignore, byFile, rule({ conditions: [is('type', 'A')] }), ignore])).toEqual([
    {
      type: 'AND',
      values: [
        { key: '$exception_types', type: 'error_tracking_issue_property', operator: 'exact', value: ['AbortError'] },
        { key: '$exception_values', type: 'error_tracking_issue_property', operator: 'icontains', value: ['left'] },
      ],
    },
  ])
})

test.each([
  ['TypeError: total is undefined\n    at pay (file:///srv/pay/index.ts:3:9)', 'TypeError', 'total is undefined', 1],
  ['Uncaught (in promise) Error: no\n    at async f (file:///a.ts:1:2)', 'Error', 'no', 1],
  ['Uncaught plain text', 'Error', 'plain text', 0],
  ['OutOfStockError: two\nlines\n    at f (file:///a.ts:1:2)', 'OutOfStockError', 'two\nlines', 1],
  ['worker boot error: x', 'Error', 'worker boot error: x', 0],
])('%j is read as %s: %s', (text, type, message, frames) => {
  const read = parsePrintedError(text)
  expect({ type: read.type, message: read.message, frames: read.frames.length }).toEqual({ type, message, frames })
})

test.each([
  ['    at pay (https://a.test/x.js:1:2)', { function: 'pay', file: 'https://a.test/x.js', line: 1, column: 2 }],
  ['    at async Cart.pay (/srv/x.ts:10:20)', { function: 'Cart.pay', file: '/srv/x.ts', line: 10, column: 20 }],
  ['pay@https://a.test/x.js:1:2', { function: 'pay', file: 'https://a.test/x.js', line: 1, column: 2 }],
  ['@https://a.test/x.js:1:2', { function: null, file: 'https://a.test/x.js', line: 1, column: 2 }],
  ['    at node:internal/timers:5:6', { file: 'node:internal/timers', inApp: false }],
])('the line %j of a stack is a frame', (line, wanted) => {
  expect(parseStackText(line)).toMatchObject([wanted])
})

test('a heading names what happened, and the innermost own function', () => {
  const frames = [frame('main', '/main.ts'), frame('pay', '/cart.ts'), frame('get', '/node_modules/x.js')]
  expect(headingOf(report({}, frames), null, 'https://shop.test/cart')).toEqual({
    title: 'TypeError: total is undefined',
    culprit: 'pay in cart.ts',
  })
  expect(headingOf(report({}, []), null, 'https://shop.test/cart').culprit).toBe('https://shop.test/cart')
  const answered = (type: string) => parseReport({ $exception_list: [{ type, value: 'POST /carts answered 400' }] })
  expect(headingOf(answered('22012'), null, '').title).toBe('22012 division by zero: POST /carts answered 400')
  expect(headingOf(answered('22ABC'), null, '').title).toBe('22ABC: POST /carts answered 400')
})

// One that went back and forth would reach the time limit of a test.
test('texts that a regular expression could take long for are read', () => {
  const long = { type: 'E', value: 'a@'.repeat(50_000), stacktrace: { frames: [frame('f', '-a'.repeat(5000))] } }
  const read = parseReport({ $exception_list: new Array(10).fill(long) })
  expect(nameOf(read)).toMatch(/^[0-9a-f]{32}$/)
  expect(normalizeMessage(`"${"'".repeat(5001)}`)).toContain('<text>')
  expect(parsePrintedError(`${'at ('.repeat(20_000)}\n${':1:'.repeat(20_000)}`).frames).toEqual([])
})
