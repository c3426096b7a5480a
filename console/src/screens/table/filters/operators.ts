/** An operator of the data API, with how it is read in a chip and what it means. */
export interface Operator {
  readonly name: string
  readonly sign: string
  readonly meaning: string
}

/** All operators, the most used first (rest §3.2). */
export const operators: readonly Operator[] = [
  { name: 'eq', sign: '=', meaning: 'equals' },
  { name: 'neq', sign: '≠', meaning: 'differs from' },
  { name: 'gt', sign: '>', meaning: 'greater than' },
  { name: 'gte', sign: '≥', meaning: 'at least' },
  { name: 'lt', sign: '<', meaning: 'less than' },
  { name: 'lte', sign: '≤', meaning: 'at most' },
  { name: 'ilike', sign: 'ilike', meaning: 'matches a pattern with *, capitals alike' },
  { name: 'like', sign: 'like', meaning: 'matches a pattern with *' },
  { name: 'in', sign: 'in', meaning: 'one of (a,b)' },
  { name: 'is', sign: 'is', meaning: 'null, not_null, true, false, unknown' },
  { name: 'isdistinct', sign: 'is distinct from', meaning: 'differs from, null being a value' },
  { name: 'match', sign: '~', meaning: 'matches a regular expression' },
  { name: 'imatch', sign: '~*', meaning: 'matches a regular expression, capitals alike' },
  { name: 'cs', sign: '@>', meaning: 'contains, of arrays, ranges and JSON' },
  { name: 'cd', sign: '<@', meaning: 'is contained in' },
  { name: 'ov', sign: '&&', meaning: 'overlaps' },
  { name: 'fts', sign: '@@', meaning: 'full-text search by to_tsquery' },
  { name: 'plfts', sign: '@@ plain', meaning: 'full-text search of plain words' },
  { name: 'phfts', sign: '@@ phrase', meaning: 'full-text search of a phrase' },
  { name: 'wfts', sign: '@@ web', meaning: 'full-text search as search engines write it' },
  { name: 'sl', sign: '<<', meaning: 'a range strictly left of' },
  { name: 'sr', sign: '>>', meaning: 'a range strictly right of' },
  { name: 'nxl', sign: '&>', meaning: 'a range that does not extend to the left of' },
  { name: 'nxr', sign: '&<', meaning: 'a range that does not extend to the right of' },
  { name: 'adj', sign: '-|-', meaning: 'a range adjacent to' },
]

/** `[not.]operator[(modifier)].value`. */
const expression = /^(not\.)?([a-z]+)(\([\w]+\))?\.([\s\S]*)$/

/** A filter taken apart. */
export interface Expression {
  readonly isNegated: boolean
  readonly operator: Operator
  /** `any` or `all`, or the language of a search. */
  readonly modifier: string
  readonly value: string
}

/** Reads what follows a filter's column; nothing where there is no operator of this name. */
export function readExpression(text: string): Expression | undefined {
  const [, negation, name, modifier = '', value = ''] = expression.exec(text) ?? []
  const operator = operators.find((one) => one.name === name)
  return operator && { isNegated: negation !== undefined, operator, modifier: modifier.slice(1, -1), value }
}
