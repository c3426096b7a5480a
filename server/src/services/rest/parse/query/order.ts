import { char, endOfInput, literal } from './characters.ts'
import { delimiter, field, fieldName, lexeme, plainName } from './names.ts'
import {
  after,
  attempt,
  before,
  either,
  lookAhead,
  map,
  option,
  type Parser,
  part,
  sepBy1,
  sequence,
} from './parser.ts'
import { type PartCounter, readWhole } from './read-text.ts'
import type { OrderTerm } from './types.ts'

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

const inParentheses = before(after(char('('), field), char(')'))

const relatedTerm: Parser<OrderTerm> = attempt(
  sequence(
    [fieldName, inParentheses, direction, nullsAtEnd],
    (relation, column, way, where): OrderTerm => ({ relation, field: column, direction: way, nulls: where }),
  ),
)

const columnTerm: Parser<OrderTerm> = sequence(
  [field, direction, nullsAtEnd],
  (column, way, where): OrderTerm => ({ relation: null, field: column, direction: way, nulls: where }),
)

const terms = sepBy1(part(lexeme(either<OrderTerm>(relatedTerm, columnTerm))), char(','))

/**
 * Reads the `order` of a query string (rest §3.7).
 *
 * @throws PGRST100
 */
export function parseOrder(text: string, parts: PartCounter): readonly OrderTerm[] {
  if (plainName.test(text)) {
    return [{ relation: null, field: { name: text, path: [] }, direction: null, nulls: null }]
  }
  return readWhole(terms, text, 'order', parts)
}
