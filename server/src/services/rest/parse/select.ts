import { restError } from '../errors.ts'
import { field, fieldName, identifierName, lexeme, plainName } from './names.ts'
import {
  after,
  attempt,
  before,
  bind,
  char,
  either,
  endOfInput,
  lazy,
  literal,
  lookAhead,
  map,
  notFollowedBy,
  option,
  type Parser,
  pure,
  refuse,
  sepBy1,
} from './parser.ts'
import { readWhole } from './problem.ts'
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
  bind(alias, (name) =>
    bind(countCall, (aggregateCast) =>
      map(itemEnd, (): SelectField => ({ ...star, alias: name, aggregate: 'count', aggregateCast })),
    ),
  ),
)

const column: Parser<SelectField> = bind(alias, (name) =>
  bind(field, (selected) =>
    bind(cast, (type) =>
      bind(aggregateCall, (aggregate) =>
        bind(cast, (aggregateCast) =>
          map(
            itemEnd,
            (): SelectField => ({
              kind: 'field',
              field: selected,
              alias: name,
              cast: type,
              aggregate,
              aggregateCast,
            }),
          ),
        ),
      ),
    ),
  ),
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

const embedRest = (name: string, embedAlias: string | null, spread: boolean): Parser<EmbedHead> =>
  bind(optionalParameter, (first) =>
    bind(optionalParameter, (second) => {
      const parameters = [first, second].filter((parameter) => parameter !== null)
      const hint = parameters.find((parameter) => 'hint' in parameter)?.hint ?? null
      const join = parameters.find((parameter) => 'join' in parameter)?.join ?? null
      return map(beforeItems, (): EmbedHead => ({ kind: 'embed', name, alias: embedAlias, hint, join, spread }))
    }),
  )

const spreadHead: Parser<EmbedHead> = lexeme(
  bind(after(literal('...'), fieldName), (name) => embedRest(name, null, true)),
)

// `count(…)` is not an embed: it would hide the aggregate.
const embedHead: Parser<EmbedHead> = lexeme(
  bind(alias, (name) =>
    bind(fieldName, (target) => bind(target === 'count' ? refuse : pure(null), () => embedRest(target, name, false))),
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
  bind(attempt(head), (embed) => map(inParentheses, (children): SelectItem => ({ ...embed, items: children })))

const item: Parser<SelectItem> = either<SelectItem>(withItems(spreadHead), withItems(embedHead), selectField)
const items: Parser<readonly SelectItem[]> = option<readonly SelectItem[], readonly SelectItem[]>(
  sepBy1(item, lexeme(char(','))),
  [],
)

/** Each costs 30 µs to be read, and a join. */
const mostEmbeds = 500

/**
 * Reads the `select` of a query string (rest §3.5, §5). An empty one is an empty list.
 *
 * @throws PGRST100
 */
export function parseSelect(text: string): readonly SelectItem[] {
  if (text === '*') return [star]
  const names = text.split(',')
  if (names.every((name) => plainName.test(name))) {
    return names.map((name) => ({ ...star, field: { name, path: [] } }))
  }
  if (text.split('(', mostEmbeds + 2).length > mostEmbeds + 1)
    throw restError('PGRST100', {
      message: 'The query string holds too many embeds',
      details: `A select may hold ${mostEmbeds}.`,
    })
  return readWhole(items, text, 'select parameter')
}
