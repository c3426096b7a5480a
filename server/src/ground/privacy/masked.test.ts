import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { isObject } from '../json/object.ts'
import { compileClickHouse } from '../sql/clickhouse.ts'
import { type SqlFragment, sql, typed } from '../sql/sql.ts'
import { createMaskAddresses } from './addresses.ts'
import { maskedAddresses, maskedProperties } from './clickhouse.ts'
import { createMayName, maskProperties } from './properties.ts'

const names = ['email', 'home address', 'a/b', 'jérôme', 'q[0]']

const addresses: readonly (readonly [string, string])[] = [
  ['https://a.test/?email=ada@x.test&page=2', 'https://a.test/?email=[masked]&page=2'],
  ['https://a.test/?page=2&EMAIL=ada%40x.test#email=b', 'https://a.test/?page=2&EMAIL=[masked]#email=[masked]'],
  ['/a?home%20address=1%20High%20St', '/a?home%20address=[masked]'],
  ['<a href="/x?email=ada">', '<a href="/x?email=[masked]">'],
  ['/x?q%5B0%5D=1&amp;email=2', '/x?q%5B0%5D=[masked]&amp;email=[masked]'],
  ['{"u":"/x?email=ad\\u00e9l","n":1}', '{"u":"/x?email=[masked]","n":1}'],
  ['{"u":"/x?email=a\\"b","n":1}', '{"u":"/x?email=[masked]\\"b","n":1}'],
  ['/x?myemail=1&emails=2&email', '/x?myemail=1&emails=2&email'],
  ['/x?email=[masked]', '/x?email=[masked]'],
]

const properties: readonly (readonly [object, object])[] = [
  [
    { email: 'ada', n: 1 },
    { email: '[masked]', n: 1 },
  ],
  [
    { email: { a: [1, '}'] }, n: [{}] },
    { email: '[masked]', n: [{}] },
  ],
  [
    { $set: { email: null, b: 'x"y' }, $set_once: { 'home address': 'z' } },
    { $set: { email: '[masked]', b: 'x"y' }, $set_once: { 'home address': '[masked]' } },
  ],
  [
    { 'a/b': 1, jérôme: 'é', $group_set: 'email' },
    { 'a/b': '[masked]', jérôme: '[masked]', $group_set: 'email' },
  ],
  [
    { deep: { email: 'stays' }, text: '"email":"stays"' },
    { deep: { email: 'stays' }, text: '"email":"stays"' },
  ],
  [{}, {}],
]

test('addresses and properties are masked alike before they are stored and in ClickHouse', async ({ clickhouse }) => {
  const ask = async (expression: (value: SqlFragment) => SqlFragment, text: string): Promise<string> => {
    const statement = compileClickHouse(sql`select ${expression(sql`${typed(text, 'String')}`)} as masked`)
    const [row] = await clickhouse.query<{ masked: string }>(statement)
    return row?.masked ?? ''
  }
  const maskAddress = createMaskAddresses(names)
  for (const [given, masked] of addresses) {
    expect(maskAddress(given)).toBe(masked)
    expect(await ask((text) => maskedAddresses(text, names), given)).toBe(masked)
  }
  for (const [given, masked] of properties) {
    if (!isObject(given)) throw new Error('Give properties.')
    const once = await ask((json) => maskedProperties(json, names), JSON.stringify(given))
    expect(JSON.parse(once)).toEqual(masked)
    expect(maskProperties(given, new Set(names))).toEqual(masked)
    // A second time nothing is written anew.
    expect(await ask((json) => maskedProperties(json, names), once)).toBe(once)
  }
})

test.each([
  ['{"email":1}', true],
  ['{"em\\u0061il":1}', true],
  ['{"a\\/b":1}', true],
  ['{"mail":"x"}', false],
])('whether %s may hold a masked name: %s', (json, may) => {
  expect(createMayName(names)(json)).toBe(may)
})
