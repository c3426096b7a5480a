import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactJson } from './redact-json.ts'

const redaction = { isSecret: (name: string) => name === 'password', instead: '*' }

test.each([
  ['{"password":"a","email":"b"}', '{"password":"*","email":"b"}'],
  ['{"password" : {"a":[1,{"b":2}]}, "n": 12345678901234567890}', '{"password" :"*", "n": 12345678901234567890}'],
  ['[{"password":[]},{"password":null},"password"]', '[{"password":"*"},{"password":"*"},"password"]'],
  [
    '{"a":"password","b":["password",{"pass\\u0077ord":1}]}',
    '{"a":"password","b":["password",{"pass\\u0077ord":"*"}]}',
  ],
  ['"password"', '"password"'],
  ['{"a":"\\"password\\":1"}', '{"a":"\\"password\\":1"}'],
])('%s becomes %s', (json, expected) => {
  expect(redactJson(json, redaction)).toBe(expected)
})

test('without secrets any JSON stays as it is, and with them all else does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, 2), (value, indent) => {
      const json = JSON.stringify(value, null, indent)
      expect(redactJson(json, { ...redaction, isSecret: () => false })).toBe(json)
      const around = JSON.stringify({ before: value, password: value, after: value }, null, indent)
      expect(JSON.parse(redactJson(around, redaction))).toEqual({
        before: JSON.parse(redactJson(json, redaction)),
        password: '*',
        after: JSON.parse(redactJson(json, redaction)),
      })
    }),
  )
})
