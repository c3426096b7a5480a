import type { Statement } from '../../../ground/sql/postgres.ts'
import { type Bindings, isTemplateParameter, type TemplateParameter } from '../parse/query/template-parameter.ts'
import { arrayLiteral, likePattern } from '../render/filter.ts'

function boundValue({ of, as }: TemplateParameter, bindings: Bindings): string | Buffer {
  const text = of === 'body' ? bindings.body : (bindings.values[of] ?? '')
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
export const bindStatement = ({ text, values }: Statement, bindings: Bindings): Statement => ({
  text,
  values: values.map((value) => (isTemplateParameter(value) ? boundValue(value, bindings) : value)),
})
