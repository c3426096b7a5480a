import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNestedDeeper, measureJson } from './json-size.ts'

const anything = Number.POSITIVE_INFINITY

describe('the nesting of a JSON text', () => {
  test.each<[title: string, text: string, depth: number]>([
    ['a text of brackets', '[[[[', 4],
    ['objects', '{"a":{"b":{}}}', 3],
    ['objects and arrays in one another', '[{"a":[{"b":1}]}]', 4],
    ['siblings, which are no levels', '[[],[],[[]]]', 3],
    ['brackets in strings, which are none', '["[[[[","{{{{"]', 1],
    ['behind an escaped quote', '["a\\"[[[[",[]]', 2],
    ['behind an escaped backslash', '["a\\\\",[[]]]', 3],
    ['in a name', '{"[[[[":[]}', 2],
  ])('counts %s', (_title, text, depth) => {
    expect(isNestedDeeper(text, depth)).toBe(false)
    expect(isNestedDeeper(text, depth - 1)).toBe(true)
  })

  test('is what the parsed value’s is, whatever the strings hold', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map((child: unknown) => depthOf(child)))
        : 0
    const tricky = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', ',') }))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        tricky,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(tricky, tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(fc.tuple(value, fc.constantFrom(undefined, 2)), ([json, space]) => {
        const text = JSON.stringify(json, null, space)
        const depth = depthOf(json)
        expect(isNestedDeeper(text, depth)).toBe(false)
        if (depth > 0) expect(isNestedDeeper(text, depth - 1)).toBe(true)
      }),
    )
  })
})

describe('the number of values of a JSON text', () => {
  test.each<[text: string, values: number]>([
    ['[1,2,3]', 3],
    ['{"a":1,"b":[1,2]}', 4],
    ['[[],[],[]]', 6],
    ['"a,b,c,d,e,f"', 0],
  ])('of %s is bounded', (text, values) => {
    expect(measureJson(text, { depth: anything, values })).toBe('within')
    if (values > 0) expect(measureJson(text, { depth: anything, values: values - 1 })).toBe('many')
  })

  test('is not counted beyond the limit, so that a large text is told at its beginning', () => {
    expect(measureJson(`[${'1,'.repeat(1000)}`, { depth: 3, values: 10 })).toBe('many')
    expect(measureJson('['.repeat(1000), { depth: 3, values: 10 })).toBe('deep')
  })
})
