import { expect, test } from 'vitest'
import { rewriteLines } from './masking.ts'

const list = { columns: [], properties: ['city'] }
const columns = ['name', 'status_message', 'attributes', 'resource', 'events']

test.for([
  ['an object', { city: 'Porto', shop: 'one' }],
  ['its text, as in a spool that an earlier version left', '{"city":"Porto","shop":"one"}'],
])('a member is masked in %s', ([, attributes]) => {
  const rewrite = rewriteLines('spans', columns)(list)
  const row = rewrite?.(JSON.stringify(['GET /?city=Porto', '', attributes, '', ''])) ?? ''
  expect(JSON.parse(row)).toEqual(['GET /?city=[masked]', '', '{"city":"[masked]","shop":"one"}', '', ''])
})
