import Type from 'typebox'
import { expect, test } from 'vitest'
import { environmentName, flagName, tomlName } from './names.ts'
import { address, matching, nullable, pairs, setting, text, texts } from './setting.ts'
import { unitOf } from './unit.ts'
import { describeAllowed, parseValue } from './value.ts'

const even = matching({ allowed: 'an even number of letters', fits: (word) => word.length % 2 === 0 })
const port = Type.Integer({ minimum: 0, maximum: 9 })

test.each([
  ['a number', port, 7, 7],
  ['a number as text', port, ' 7 ', 7],
  ['a number beyond its bounds', port, '10', undefined],
  ['a number that is not whole', port, 1.5, undefined],
  ['a fraction as text', Type.Number({ minimum: 0, maximum: 1 }), ' 0.25 ', 0.25],
  ['a fraction beyond its bounds', Type.Number({ minimum: 0, maximum: 1 }), '1.5', undefined],
  ['a fraction that is none', Type.Number({ minimum: 0, maximum: 1 }), '0.5%', undefined],
  ['true as text', Type.Boolean(), '1', true],
  ['a word for true', Type.Boolean(), 'yes', undefined],
  ['a word of a choice', Type.Enum(['a', 'b']), 'b', 'b'],
  ['another word', Type.Enum(['a', 'b']), 'c', undefined],
  ['white space', text, ' ', undefined],
  ['a text of the form', even, 'ab', 'ab'],
  ['a text of another form', even, 'abc', undefined],
  ['a list as text', Type.Array(even), 'ab, cd,', ['ab', 'cd']],
  ['a list as JSON', Type.Array(even), '["a,bc", "cd"]', ['a,bc', 'cd']],
  ['pairs as JSON', pairs({ allowed: 'pairs', fits: () => true }), '{"a":"1,2"}', ['a=1,2']],
  ['a list of addresses in brackets', Type.Array(Type.String()), '[::1], [::2]', ['[::1]', '[::2]']],
  ['a list with a wrong item', Type.Array(even), ['ab', 'abc'], undefined],
  ['pairs as a table', pairs({ allowed: 'pairs', fits: () => true }), { a: '1' }, ['a=1']],
  ['a table where a list belongs', Type.Array(even), { a: '1' }, undefined],
  ['texts as JSON', texts, '{"a":"b"}', { a: 'b' }],
  ['texts that are none', texts, { a: 1 }, undefined],
  ['an address, without its last slash', address(['https']), 'https://a.test/', 'https://a.test'],
  ['an address of another scheme', address(['https']), 'http://a.test', undefined],
  ['an empty text where nothing is allowed', nullable(port), '', null],
  ['an empty text where a list belongs', Type.Array(even), '', []],
] as const)('%s', (_, schema, raw, expected) => {
  expect(parseValue({ schema }, raw)).toEqual(expected)
})

test.each([
  [port, 'a whole number from 0 to 9'],
  [Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'],
  [nullable(port), 'a whole number from 0 to 9, or nothing'],
  [Type.Array(even), 'a list of an even number of letters'],
  [Type.Enum(['a', 'b']), 'one of a, b'],
  [Type.Array(Type.Enum(['a', 'b'])), 'a list of a, b'],
  [address(['https', 'http']), 'an address, https://… or http://…'],
] as const)('what is allowed is told in words', (schema, allowed) => {
  expect(describeAllowed(schema)).toBe(allowed)
})

test('a name has one spelling for each source', () => {
  expect([tomlName('dbPort'), flagName('dbPort')]).toEqual(['db_port', '--db-port'])
  expect([environmentName(null, 'dbPort'), environmentName('rest', 'maxRows')]).toEqual([
    'CLEW_DB_PORT',
    'CLEW_REST_MAX_ROWS',
  ])
})

test.each([
  ['timeoutMs', {}, 'ms'],
  ['maxBodyBytes', {}, 'B'],
  ['poolTimeout', { unit: 's' }, 's'],
  ['maxRows', {}, null],
] as const)('the unit of %s', (name, declared, unit) => {
  expect(unitOf(name, setting(nullable(port), { default: 1, description: '', ...declared }))).toBe(unit)
})
