import { char, literal, run, satisfy } from './characters.ts'
import { delimiter, field, identifierName, lexeme, quotedValue } from './names.ts'
import {
  after,
  attempt,
  before,
  both,
  either,
  label,
  lazy,
  map,
  notFollowedBy,
  option,
  type Parser,
  part,
  pure,
  sepBy1,
  sequence,
} from './parser.ts'
import type { CompareOperator, Logic, Operation, PlainOperator, SearchOperator, TruthValue } from './types.ts'

const words = <Word extends string>(all: readonly Word[]): Parser<Word> =>
  either<Word>(...all.map((word) => attempt(map(literal(word), () => word))))

const plainOperator: Parser<PlainOperator> = label(
  words<PlainOperator>(['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj']),
  'unknown single value operator',
)

const compareOperator: Parser<CompareOperator> = label(
  words<CompareOperator>(['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch']),
  'unknown single value operator',
)

const searchOperator: Parser<SearchOperator> = words<SearchOperator>(['fts', 'plfts', 'phfts', 'wfts'])

const anyCase = (word: string): Parser<string> =>
  [...word].reduce<Parser<string>>(
    (parser, letter) => after(parser, either(char(letter), char(letter.toUpperCase()))),
    pure(''),
  )

const truthValue: Parser<TruthValue> = label(
  either<TruthValue>(
    ...(['null', 'not_null', 'true', 'false', 'unknown'] as const).map((word) =>
      attempt(map(anyCase(word), (): TruthValue => word)),
    ),
  ),
  'isVal: (null, not_null, true, false, unknown)',
)

const untilListEnd = run((character) => character !== ',' && character !== ')', [], 0)

/** A quoted element only where the list goes on or ends after it. */
const quotedElement = attempt(before(quotedValue, notFollowedBy(satisfy((character) => !',)'.includes(character)))))

const listValues: Parser<readonly string[]> = before(
  after(lexeme(char('(')), sepBy1(either(quotedElement, untilListEnd), char(','))),
  lexeme(char(')')),
)

/** The rest of the input, whatever it is. */
const anyValue: Parser<string> = run(() => true, [], 0)

const arrayLiteral = attempt(
  map(
    before(
      after(
        literal('{'),
        run((character) => character !== '{' && character !== '}', [], 0),
      ),
      literal('}'),
    ),
    (inner) => `{${inner}}`,
  ),
)

/** A value inside a logic tree: quoted, a flat array literal, or up to `,` or `)`. */
const valueInTree: Parser<string> = either(quotedElement, arrayLiteral, untilListEnd)

const quantifier: Parser<'any' | 'all' | null> = option<'any' | 'all', null>(
  attempt(
    before(
      after(
        char('('),
        either<'any' | 'all'>(
          attempt(map(literal('any'), (): 'any' => 'any')),
          map(literal('all'), (): 'all' => 'all'),
        ),
      ),
      char(')'),
    ),
  ),
  null,
)

const searchLanguage = option<string, null>(attempt(before(after(char('('), identifierName), char(')'))), null)

const operation = (value: Parser<string>): Parser<Operation> => {
  const delimited = after(delimiter, value)
  return label(
    either<Operation>(
      after(
        attempt(after(literal('in'), delimiter)),
        map(listValues, (values): Operation => ({ kind: 'in', values })),
      ),
      after(
        attempt(after(literal('is'), delimiter)),
        map(truthValue, (truth): Operation => ({ kind: 'is', value: truth })),
      ),
      after(
        attempt(after(literal('isdistinct'), delimiter)),
        map(value, (text): Operation => ({ kind: 'isdistinct', value: text })),
      ),
      attempt(
        sequence(
          [searchOperator, searchLanguage, delimited],
          (operator, language, text): Operation => ({ kind: 'search', operator, language, value: text }),
        ),
      ),
      attempt(
        both(plainOperator, delimited, (operator, text): Operation => ({ kind: 'plain', operator, value: text })),
      ),
      attempt(
        sequence(
          [compareOperator, quantifier, delimited],
          (operator, which, text): Operation => ({ kind: 'compare', operator, quantifier: which, value: text }),
        ),
      ),
    ),
    'operator (eq, gt, ...)',
  )
}

export interface Expression {
  readonly negated: boolean
  readonly operation: Operation
}

const negation = either<boolean>(attempt(map(after(literal('not'), delimiter), () => true)), pure(false))

const expression = (value: Parser<string>): Parser<Expression> => {
  // Made once: making it anew for every filter costs more than running it.
  const parser = operation(value)
  return both(negation, parser, (negated, operation) => ({ negated, operation }))
}

/** `[not.]operator.value`, the value of a filter (rest §3.2). */
export const filterExpression: Parser<Expression> = expression(anyValue)

const inTree: Parser<Expression> = expression(valueInTree)

const leaf: Parser<Logic> = attempt(
  both(field, after(delimiter, inTree), (target, what): Logic => ({ kind: 'filter', field: target, ...what })),
)

const logicOperator = label(
  either<'and' | 'or'>(
    attempt(map(literal('and'), (): 'and' => 'and')),
    map(literal('or'), (): 'or' => 'or'),
  ),
  'logic operator (and, or)',
)

const members: Parser<readonly Logic[]> = before(
  after(
    lexeme(char('(')),
    sepBy1(
      lazy(() => member),
      lexeme(char(',')),
    ),
  ),
  lexeme(char(')')),
)

const branch: Parser<Logic> = sequence(
  [label(negation, 'negation operator (not)'), logicOperator, members],
  (negated, operator, all): Logic => ({ kind: 'tree', operator, negated, members: all }),
)

/** `and(…)`, `or(…)`, `not.and(…)` or a condition, to any depth (rest §3.3). */
export const logic: Parser<Logic> = either<Logic>(leaf, branch)

const member = part(logic)
