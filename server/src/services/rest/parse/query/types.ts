import type { TemplateParameter, Text } from './template-parameter.ts'

/** One step of a JSON path: `->key`, `->>0`. */
export interface JsonStep {
  readonly arrow: '->' | '->>'
  readonly kind: 'key' | 'index'
  readonly value: string
}

/** A column, or what a JSON path finds in it. */
export interface Field {
  readonly name: string
  readonly path: readonly JsonStep[]
}

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min'
export type JoinKind = 'inner' | 'left'

export interface SelectField {
  readonly kind: 'field'
  readonly field: Field
  readonly alias: string | null
  readonly cast: string | null
  readonly aggregate: Aggregate | null
  readonly aggregateCast: string | null
}

export interface SelectEmbed {
  readonly kind: 'embed'
  readonly name: string
  readonly alias: string | null
  readonly hint: string | null
  readonly join: JoinKind | null
  /** `...name(…)`: its columns are lifted into the parent. */
  readonly spread: boolean
  readonly items: readonly SelectItem[]
}

export type SelectItem = SelectField | SelectEmbed

export type CompareOperator = 'eq' | 'gte' | 'gt' | 'lte' | 'lt' | 'like' | 'ilike' | 'match' | 'imatch'
export type PlainOperator = 'neq' | 'cs' | 'cd' | 'ov' | 'sl' | 'sr' | 'nxr' | 'nxl' | 'adj'
export type SearchOperator = 'fts' | 'plfts' | 'phfts' | 'wfts'
export type TruthValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

/** What a filter asks of its field. Values are as sent; they become parameters. */
export type Operation =
  | {
      readonly kind: 'compare'
      readonly operator: CompareOperator
      readonly quantifier: 'any' | 'all' | null
      readonly value: Text
    }
  | { readonly kind: 'plain'; readonly operator: PlainOperator; readonly value: Text }
  | { readonly kind: 'in'; readonly values: readonly string[] | TemplateParameter }
  | { readonly kind: 'is'; readonly value: TruthValue }
  | { readonly kind: 'isdistinct'; readonly value: string }
  | {
      readonly kind: 'search'
      readonly operator: SearchOperator
      readonly language: string | null
      readonly value: string
    }

export interface Filter {
  readonly kind: 'filter'
  readonly field: Field
  readonly negated: boolean
  readonly operation: Operation
}

export interface LogicTree {
  readonly kind: 'tree'
  readonly operator: 'and' | 'or'
  readonly negated: boolean
  readonly members: readonly Logic[]
}

export type Logic = Filter | LogicTree

export interface OrderTerm {
  /** The to-one embed whose column orders, or null for a column of the node itself. */
  readonly relation: string | null
  readonly field: Field
  readonly direction: 'asc' | 'desc' | null
  readonly nulls: 'first' | 'last' | null
}

/** Something said about the node that `path` leads to; the root's path is empty. */
export interface AtNode<T> {
  readonly path: readonly string[]
  readonly value: T
}

/** Which rows of a node: `limit` null for all. */
export interface RowRange {
  readonly offset: number
  readonly limit: number | null
}

/** A query string, read but not yet held against the schema. */
export interface Query {
  readonly select: readonly SelectItem[]
  readonly filters: readonly AtNode<Filter>[]
  readonly logic: readonly AtNode<LogicTree>[]
  readonly order: readonly AtNode<readonly OrderTerm[]>[]
  /** Ranges of embeds; the root's is in the request. */
  readonly ranges: readonly AtNode<RowRange>[]
  readonly rootRange: { readonly limit: number | null; readonly offset: number }
  readonly columns: readonly string[] | null
  readonly onConflict: readonly string[] | null
  /** Arguments of a function called by GET. */
  readonly args: readonly (readonly [name: string, value: string])[]
}
