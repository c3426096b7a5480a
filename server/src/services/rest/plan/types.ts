import type { QualifiedName, Relationship, Routine } from '../cache/schema-cache.ts'
import type { Payload } from '../parse/body/body.ts'
import type { MediaType } from '../parse/headers/media-type.ts'
import type { Text } from '../parse/query/template-parameter.ts'
import type { Aggregate, JoinKind, JsonStep, Operation, RowRange } from '../parse/query/types.ts'

/** A field held against the schema: what must happen to it before it can be used. */
export interface PlannedField {
  readonly column: string
  readonly path: readonly JsonStep[]
  /** Wrapped in `to_jsonb`, where a path goes into something that is not JSON. */
  readonly toJson: boolean
  /** A function between the column's domain and its representation. */
  readonly transform: QualifiedName | null
  /** Counts whole rows of a spread, not its columns. */
  readonly wholeRow: boolean
}

export interface PlannedSelect {
  readonly field: PlannedField
  readonly cast: string | null
  readonly aggregate: Aggregate | null
  readonly aggregateCast: string | null
  readonly alias: string | null
}

export type Condition =
  | {
      readonly kind: 'filter'
      readonly field: PlannedField
      readonly negated: boolean
      readonly operation: Operation
      /** Wrap the column in `to_tsvector`: it is none itself. */
      readonly toTextSearch: boolean
    }
  | {
      readonly kind: 'tree'
      readonly operator: 'and' | 'or'
      readonly negated: boolean
      readonly members: readonly Condition[]
    }
  /** Whether an embed found anything. */
  | { readonly kind: 'embedded'; readonly embed: string; readonly exists: boolean }

export interface PlannedOrder {
  readonly field: PlannedField
  /** The output name of the to-one embed that holds the column. */
  readonly embed: string | null
  readonly direction: 'asc' | 'desc' | null
  readonly nulls: 'first' | 'last' | null
}

/** How a node shows in its parent's rows. */
export type NodeShape = 'root' | 'object' | 'array' | 'spread_one' | 'spread_many'

/** One relation of a read, with those embedded in it. Parents stand before children; nothing points upwards. */
export interface ReadNode {
  /** Where its rows come from; null for the rows of a write or call, which stand in a common table expression. */
  readonly from: QualifiedName | null
  /** The name its columns are qualified with; null for the relation's own. */
  readonly alias: string | null
  /** The relation's name in `select`. */
  readonly name: string
  /** The alias given in `select`. */
  readonly givenAlias: string | null
  /** The relation whose columns it has, for types. */
  readonly relation: QualifiedName
  readonly select: readonly PlannedSelect[]
  readonly conditions: readonly Condition[]
  readonly order: readonly PlannedOrder[]
  readonly range: RowRange
  readonly join: JoinKind | null
  readonly hint: string | null
  readonly relationship: Relationship | null
  /** The name its parent's columns are qualified with. */
  readonly parent: { readonly alias: string | null; readonly relation: QualifiedName } | null
  /** Its name in its parent's FROM. */
  readonly output: string
  readonly shape: NodeShape
  readonly children: readonly ReadNode[]
  readonly depth: number
  /** Filters named it by its relation although it has an alias. */
  readonly usedLegacyName: boolean
}

export interface PlannedColumn {
  readonly name: string
  readonly type: string
  /** The name as a literal and its value, both as SQL in the catalogue's own spelling. */
  readonly default: { readonly name: string; readonly value: string } | null
  readonly transform: QualifiedName | null
}

export type JsonPayload = Extract<Payload, { readonly kind: 'json' }>

export type WritePlan =
  | {
      readonly kind: 'insert'
      readonly into: QualifiedName
      readonly columns: readonly PlannedColumn[]
      readonly payload: JsonPayload
      readonly conflict: { readonly columns: readonly string[]; readonly merge: boolean } | null
      /** PUT: the payload's key must be the URL's. */
      readonly conditions: readonly Condition[]
      readonly isPut: boolean
      readonly withDefaults: boolean
      readonly countsInserted: boolean
      readonly returning: readonly string[]
      readonly key: readonly string[]
    }
  | {
      readonly kind: 'update'
      readonly into: QualifiedName
      readonly columns: readonly PlannedColumn[]
      readonly payload: JsonPayload
      readonly conditions: readonly Condition[]
      readonly withDefaults: boolean
      readonly returning: readonly string[]
    }
  | {
      readonly kind: 'delete'
      readonly into: QualifiedName
      readonly conditions: readonly Condition[]
      readonly returning: readonly string[]
    }

export interface CallArgument {
  readonly name: string
  readonly type: string
  readonly variadic: boolean
  /** One value, or those of a variadic parameter. */
  readonly value: string | readonly string[]
}

export type CallArguments =
  | { readonly kind: 'values'; readonly values: readonly CallArgument[] }
  | {
      readonly kind: 'json'
      readonly payload: JsonPayload
      readonly parameters: readonly { readonly name: string; readonly type: string; readonly variadic: boolean }[]
    }
  /** The whole body, for a function's only, unnamed parameter. */
  | { readonly kind: 'body'; readonly type: string; readonly body: Buffer | Text }

export interface CallPlan {
  readonly routine: Routine
  readonly arguments: CallArguments
  /** Columns that its rows must bring along; empty for all. */
  readonly returning: readonly string[]
}

/** How rows become a body (rest §10). */
export type BodyMaker =
  | { readonly kind: 'array'; readonly stripped: boolean }
  | { readonly kind: 'object'; readonly stripped: boolean }
  | { readonly kind: 'csv' }
  | { readonly kind: 'geojson' }
  | {
      readonly kind: 'handler'
      readonly function: QualifiedName
      readonly target: QualifiedName | null
      readonly binary: boolean
    }
  | { readonly kind: 'none' }

export interface Negotiated {
  readonly media: MediaType
  readonly body: BodyMaker
}

/** What a request comes to, once it is held against the schema. */
export type Plan =
  | {
      readonly kind: 'read'
      readonly relation: QualifiedName
      readonly read: ReadNode
      readonly negotiated: Negotiated
    }
  | {
      readonly kind: 'write'
      readonly relation: QualifiedName
      readonly write: WritePlan
      readonly read: ReadNode
      readonly negotiated: Negotiated
    }
  | {
      readonly kind: 'call'
      readonly call: CallPlan
      readonly read: ReadNode
      readonly negotiated: Negotiated
      readonly readOnly: boolean
    }
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'describe' }
