import { expect, test } from 'vitest'
import { visitorName } from './person.ts'

test.each([
  ['0197f2a4-6b1c-7e55-9d2e-4f0c8a11be37', 'Visitor 8a11be37'],
  ['0197F2A4-6B1C-7E55-9D2E-4F0C8A11BE38', 'Visitor 8A11BE38'],
  ['table 12', 'table 12'],
  ['0197f2a4-6b1c', '0197f2a4-6b1c'],
])('%s stands for a visitor as %s', (distinctId, name) => {
  expect(visitorName(distinctId)).toBe(name)
})
