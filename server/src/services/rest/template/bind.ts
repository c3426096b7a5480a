import type { Statement } from '../../../ground/sql/postgres.ts'
import { type Given, isSlot, type Slot } from '../parse/query/template-parameter.ts'
import { arrayLiteral, likePattern } from '../render/filter.ts'

function parameterOf({ of, as }: Slot, given: Given): string | Buffer {
  const text = of === 'body' ? given.body : (given.values[of] ?? '')
  switch (as) {
    case 'text':
      return text
    case 'pattern':
      return likePattern(text)
    case 'list':
      return arrayLiteral(text.slice(1, -1).split(','))
    case 'bytes':
      return Buffer.from(text)
  }
}

/** Puts the values of one request into the statement of its shape. */
export const fillStatement = ({ text, values }: Statement, given: Given): Statement => ({
  text,
  values: values.map((value) => (isSlot(value) ? parameterOf(value, given) : value)),
})
