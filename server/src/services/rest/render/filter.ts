import { constant, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { isTemplateParameter, type TemplateParameter, type Text } from '../parse/query/template-parameter.ts'
import type { CompareOperator, Operation, PlainOperator, SearchOperator, TruthValue } from '../parse/query/types.ts'
import type { Condition, PlannedField } from '../plan/types.ts'
import { renderField } from './field.ts'
import { qualified, type Scope } from './names.ts'

const compareOperators: Readonly<Record<CompareOperator, string>> = {
  eq: '=',
  gte: '>=',
  gt: '>',
  lte: '<=',
  lt: '<',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
}

const plainOperators: Readonly<Record<PlainOperator, string>> = {
  neq: '<>',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}

const searchFunctions: Readonly<Record<SearchOperator, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}

const truths: Readonly<Record<TruthValue, string>> = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
}

/** A list as PostgreSQL's array literal, one parameter; the list of one empty text is the empty list. */
export function arrayLiteral(values: readonly string[]): string {
  if (values.length === 1 && values[0] === '') return '{}'
  return `{${values.map(arrayElement).join(',')}}`
}

const toEscape = /[\0\\"]/

const arrayElement = (value: string): string =>
  toEscape.test(value)
    ? `"${value.replaceAll('\0', '').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    : `"${value}"`

/** A pattern as PostgreSQL writes it. */
export const likePattern = (text: string): string => text.replaceAll('*', '%')

const pattern = (value: Text): Text => (isTemplateParameter(value) ? { ...value, as: 'pattern' } : likePattern(value))

const converted = (value: SqlFragment, { transform }: PlannedField): SqlFragment =>
  transform === null ? value : sql`${qualified(transform)}(${value})`

function comparison(operation: Extract<Operation, { kind: 'compare' }>, field: PlannedField): SqlFragment {
  const { operator, quantifier, value } = operation
  const isPattern = operator === 'like' || operator === 'ilike'
  const operand = isPattern ? sql`${pattern(value)}` : converted(sql`${value}`, field)
  const quantified = quantifier === null ? operand : sql`${constant(quantifier)}(${operand})`
  return sql`${constant(compareOperators[operator])} ${quantified}`
}

function membership(values: readonly string[] | TemplateParameter, field: PlannedField): SqlFragment {
  const literal = isTemplateParameter(values) ? values : arrayLiteral(values)
  if (field.transform === null) return sql`= any (${literal})`
  return sql`= any (select ${qualified(field.transform)}(unnest(${literal}::text[])))`
}

const language = (name: string | null): SqlFragment => (name === null ? sql`` : sql`${name}, `)

function renderOperation(operation: Operation, field: PlannedField): SqlFragment {
  switch (operation.kind) {
    case 'compare':
      return comparison(operation, field)
    case 'plain':
      return sql`${constant(plainOperators[operation.operator])} ${converted(sql`${operation.value}`, field)}`
    case 'in':
      return membership(operation.values, field)
    case 'is':
      return sql`is ${constant(truths[operation.value])}`
    case 'isdistinct':
      return sql`is distinct from ${converted(sql`${operation.value}`, field)}`
    case 'search': {
      const { operator, value } = operation
      return sql`@@ ${constant(searchFunctions[operator])}(${language(operation.language)}${value})`
    }
  }
}

/** How a condition on an embed is tested: by its row in a read, by EXISTS in a count. */
export type EmbedTest = (embed: string, exists: boolean) => SqlFragment

function renderFilter(scope: Scope, condition: Extract<Condition, { kind: 'filter' }>): SqlFragment {
  const { field, operation, negated, toTextSearch } = condition
  const plain = renderField(scope, field)
  const searched = operation.kind === 'search' ? operation.language : null
  const left = toTextSearch ? sql`to_tsvector(${language(searched)}${plain})` : plain
  return sql`${constant(negated ? 'not ' : '')}${left} ${renderOperation(operation, field)}`
}

/** A condition on the rows of `scope`. */
export function renderCondition(scope: Scope, condition: Condition, embedTest: EmbedTest): SqlFragment {
  switch (condition.kind) {
    case 'filter':
      return renderFilter(scope, condition)
    case 'embedded':
      return embedTest(condition.embed, condition.exists)
    case 'tree': {
      const members = condition.members.map((member) => renderCondition(scope, member, embedTest))
      return sql`${constant(condition.negated ? 'not ' : '')}(${join(members, ` ${condition.operator} `)})`
    }
  }
}

/** ` where a and b`, or nothing. */
export const renderWhere = (conditions: readonly SqlFragment[]): SqlFragment =>
  conditions.length === 0 ? sql`` : sql` where ${join(conditions, ' and ')}`
