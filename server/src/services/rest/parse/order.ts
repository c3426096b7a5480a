import { delimiter, field, fieldName, lexeme, plainName } from './names.ts'
import {
  after,
  attempt,
  before,
  bind,
  char,
  either,
  endOfInput,
  literal,
  lookAhead,
  map,
  option,
  type Parser,
  sepBy1,
} from './parser.ts'
import { readWhole } from './problem.ts'
import type { Field, OrderTerm } from './types.ts'

const direction = option<'asc' | 'desc', null>(
  either<'asc' | 'desc'>(
    attempt(map(after(delimiter, literal('asc')), (): 'asc' => 'asc')),
    attempt(map(after(delimiter, literal('desc')), (): 'desc' => 'desc')),
  ),
  null,
)

const nulls = option<'first' | 'last', null>(
  either<'first' | 'last'>(
    attempt(map(after(delimiter, literal('nullsfirst')), (): 'first' => 'first')),
    attempt(map(after(delimiter, literal('nullslast')), (): 'last' => 'last')),
  ),
  null,
)

const termEnd: Parser<unknown> = either<unknown>(attempt(lookAhead(char(','))), attempt(endOfInput))

const nullsAtEnd = before(nulls, termEnd)

const ending = (relation: string | null, column: Field): Parser<OrderTerm> =>
  bind(direction, (way) =>
    map(nullsAtEnd, (where): OrderTerm => ({ relation, field: column, direction: way, nulls: where })),
  )

const inParentheses = before(after(char('('), field), char(')'))

const relatedTerm: Parser<OrderTerm> = attempt(
  bind(fieldName, (relation) => bind(inParentheses, (column) => ending(relation, column))),
)

const columnTerm: Parser<OrderTerm> = bind(field, (column) => ending(null, column))

const terms = sepBy1(lexeme(either<OrderTerm>(relatedTerm, columnTerm)), char(','))

/**
 * Reads the `order` of a query string (rest §3.7).
 *
 * @throws PGRST100
 */
export function parseOrder(text: string): readonly OrderTerm[] {
  if (plainName.test(text)) {
    return [{ relation: null, field: { name: text, path: [] }, direction: null, nulls: null }]
  }
  return readWhole(terms, text, 'order')
}
