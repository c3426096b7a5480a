import { expect, test } from 'vitest'
import { findAlike } from './fuzzy.ts'

test.each([
  [['films', 'actors'], 'film', 0.33, 'films'],
  [['test', 'another'], 'testt', 0.75, 'test'],
  [['test'], 'noclosealternative', 0.75, undefined],
  [['(name, param, val)', '(attr, id)'], '(attrs, id)', 0.33, '(attr, id)'],
  [['Books'], 'books', 0.75, 'Books'],
])('of %j the one like %s is found', (candidates, text, least, found) => {
  expect(findAlike(candidates, text, least)[0]?.text).toBe(found)
})
