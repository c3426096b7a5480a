import { restError } from '../../errors.ts'
import { char, endOfInput, literal } from './characters.ts'
import { field, fieldName, identifierName, lexeme, plainName } from './names.ts'
import {
  after,
  attempt,
  before,
  bind,
  both,
  either,
  lazy,
  lookAhead,
  map,
  notFollowedBy,
  option,
  type Parser,
  part,
  pure,
  refuse,
  sepBy1,
  sequence,
} from './parser.ts'
import { type PartCounter, readWhole } from './read-text.ts'
import type { Aggregate, JoinKind, SelectEmbed, SelectField, SelectItem } from './types.ts'

const alias: Parser<string | null> = option<string, null>(
  attempt(before(fieldName, before(char(':'), notFollowedBy(char(':'))))),
  null,
)

const itemEnd: Parser<unknown> = either<unknown>(
  attempt(lookAhead(literal(')'))),
  attempt(lookAhead(literal(','))),
  attempt(endOfInput),
)

const cast: Parser<string | null> = option<string, null>(after(literal('::'), identifierName), null)

const aggregateName: Parser<Aggregate> = either<Aggregate>(
  map(literal('sum'), (): Aggregate => 'sum'),
  map(literal('avg'), (): Aggregate => 'avg'),
  map(literal('count'), (): Aggregate => 'count'),
  map(attempt(literal('max')), (): Aggregate => 'max'),
  map(attempt(literal('min')), (): Aggregate => 'min'),
)

const star: SelectField = {
  kind: 'field',
  field: { name: '*', path: [] },
  alias: null,
  cast: null,
  aggregate: null,
  aggregateCast: null,
}

const wholeRow: Parser<SelectField> = attempt(map(before(literal('*'), itemEnd), () => star))

// Parsers are made once: making them anew for every item costs more than running them.
const countCall = after(literal('count()'), cast)
const aggregateCall = option<Aggregate, null>(attempt(after(char('.'), before(aggregateName, literal('()')))), null)

const rowCount: Parser<SelectField> = attempt(
  sequence(
    [alias, countCall, itemEnd],
    (name, aggregateCast): SelectField => ({ ...star, alias: name, aggregate: 'count', aggregateCast }),
  ),
)

const column: Parser<SelectField> = sequence(
  [alias, field, cast, aggregateCall, cast, itemEnd],
  (name, selected, type, aggregate, aggregateCast): SelectField => ({
    kind: 'field',
    field: selected,
    alias: name,
    cast: type,
    aggregate,
    aggregateCast,
  }),
)

const selectField: Parser<SelectItem> = lexeme(either<SelectField>(wholeRow, rowCount, column))

type Parameter = { readonly join: JoinKind } | { readonly hint: string }

const embedParameter: Parser<Parameter> = after(
  char('!'),
  either<Parameter>(
    attempt(map(literal('left'), (): Parameter => ({ join: 'left' }))),
    attempt(map(literal('inner'), (): Parameter => ({ join: 'inner' }))),
    attempt(map(fieldName, (hint): Parameter => ({ hint }))),
  ),
)

const optionalParameter = option<Parameter, null>(embedParameter, null)
const beforeItems = attempt(lookAhead(literal('(')))

type EmbedHead = Omit<SelectEmbed, 'items'>

const parameters: Parser<Pick<EmbedHead, 'hint' | 'join'>> = sequence(
  [optionalParameter, optionalParameter, beforeItems],
  (first, second) => {
    const all = [first, second].filter((parameter) => parameter !== null)
    return {
      hint: all.find((parameter) => 'hint' in parameter)?.hint ?? null,
      join: all.find((parameter) => 'join' in parameter)?.join ?? null,
    }
  },
)

const spreadHead: Parser<EmbedHead> = lexeme(
  sequence(
    [after(literal('...'), fieldName), parameters],
    (name, rest): EmbedHead => ({ kind: 'embed', name, alias: null, spread: true, ...rest }),
  ),
)

const nothing = pure(null)

// `count(…)` is not an embed: it would hide the aggregate.
const embedName = bind(fieldName, (name) => map(name === 'count' ? refuse : nothing, () => name))

const embedHead: Parser<EmbedHead> = lexeme(
  sequence(
    [alias, embedName, parameters],
    (name, target, rest): EmbedHead => ({ kind: 'embed', name: target, alias: name, spread: false, ...rest }),
  ),
)

const inParentheses = before(
  after(
    char('('),
    lazy(() => items),
  ),
  char(')'),
)

const withItems = (head: Parser<EmbedHead>): Parser<SelectItem> =>
  both(attempt(head), inParentheses, (embed, children): SelectItem => ({ ...embed, items: children }))

const item: Parser<SelectItem> = part(either<SelectItem>(withItems(spreadHead), withItems(embedHead), selectField))
const items: Parser<readonly SelectItem[]> = option<readonly SelectItem[], readonly SelectItem[]>(
  sepBy1(item, lexeme(char(','))),
  [],
)

/**
 * Reads the `select` of a query string (rest §3.5, §5). An empty one is an empty list.
 *
 * @param embedsLimit the most embeds that it may have
 * @throws PGRST100
 */
export function parseSelect(text: string, parts: PartCounter, embedsLimit: number): readonly SelectItem[] {
  if (text === '*') return [star]
  const names = text.split(',')
  if (names.every((name) => plainName.test(name))) {
    parts.add(names.length)
    return names.map((name) => ({ ...star, field: { name, path: [] } }))
  }
  if (text.split('(', embedsLimit + 2).length > embedsLimit + 1)
    throw restError('PGRST100', {
      message: 'The query string holds too many embeds',
      details: `A select may hold ${embedsLimit}.`,
    })
  return readWhole(items, text, 'select parameter', parts)
}
