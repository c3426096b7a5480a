import { expect, test } from 'vitest'
import { flagReason } from './flag-reason.ts'

test('a reason says what an operator knows it by', () => {
  expect(['Super condition value', 'Set for this person', 'Matched condition set 1'].map(flagReason)).toEqual([
    'The person’s own choice (early access)',
    'Set for this person',
    'Matched condition set 1',
  ])
})
