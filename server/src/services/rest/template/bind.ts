import type { Statement } from '../../../ground/sql/postgres.ts'
import { type Bindings, isTemplateParameter, type TemplateParameter } from '../parse/query/template-parameter.ts'
import { arrayLiteral, likePattern } from '../render/filter.ts'

function parameterOf({ of, as }: TemplateParameter, given: Bindings): string | Buffer {
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

/** Binds the values of one request to the statement of its template. */
export const bindStatement = ({ text, values }: Statement, given: Bindings): Statement => ({
  text,
  values: values.map((value) => (isTemplateParameter(value) ? parameterOf(value, given) : value)),
})
