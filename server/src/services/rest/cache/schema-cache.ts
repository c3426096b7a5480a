import type {
  CatalogueColumn,
  CatalogueComputedRelationship,
  CatalogueFunction,
  CatalogueHandler,
  CatalogueRelation,
} from './catalogue.ts'
import type { KnownViews } from './view-origins.ts'

export type Isolation = 'repeatable read' | 'serializable'

/** The name of a relation or function, with its schema. */
export interface QualifiedName {
  readonly schema: string
  readonly name: string
}

export type Column = CatalogueColumn
export interface Routine extends Omit<CatalogueFunction, 'isolation'> {
  /** Where its transactions are stricter than read committed; null where it does not say. */
  readonly isolation: Isolation | 'read committed' | null
}
export type Parameter = CatalogueFunction['parameters'][number]
export type MediaHandler = CatalogueHandler

export interface Relation extends Omit<CatalogueRelation, 'columns'> {
  readonly columns: ReadonlyMap<string, Column>
  /** The primary key in its own order; a view shows that of its table. */
  readonly key: readonly string[]
  readonly references: readonly Reference[]
}

/** A column that points to another relation by a foreign key of that column alone. */
export interface Reference extends QualifiedName {
  readonly from: string
  readonly column: string
}

export type ColumnPair = readonly [own: string, foreign: string]

/** How two relations belong together, seen from `relation` (rest §5.1). */
export type Relationship =
  | {
      readonly kind: 'many-to-one' | 'one-to-many' | 'one-to-one'
      readonly relation: QualifiedName
      readonly foreign: QualifiedName
      readonly isSelf: boolean
      readonly relationIsView: boolean
      readonly foreignIsView: boolean
      readonly constraint: string
      /** Whether the other side holds the foreign key. */
      readonly isParent: boolean
      readonly columns: readonly ColumnPair[]
    }
  | {
      readonly kind: 'many-to-many'
      readonly relation: QualifiedName
      readonly foreign: QualifiedName
      readonly isSelf: boolean
      readonly relationIsView: boolean
      readonly foreignIsView: boolean
      readonly junction: QualifiedName
      readonly constraints: readonly [own: string, foreign: string]
      /** From the relation's columns to the junction's. */
      readonly columns: readonly ColumnPair[]
      /** From the foreign relation's columns to the junction's. */
      readonly foreignColumns: readonly ColumnPair[]
    }
  | (CatalogueComputedRelationship & { readonly kind: 'computed'; readonly isSelf: boolean })

/** The schema as the API sees it: an immutable value that is replaced as a whole. */
export interface SchemaCache {
  readonly loadedAt: Date
  readonly relations: ReadonlyMap<string, Relation>
  /** By the relation they start from. */
  readonly relationships: ReadonlyMap<string, readonly Relationship[]>
  /** Overloads by name, those with fewest parameters first. */
  readonly functions: ReadonlyMap<string, readonly Routine[]>
  /** The function that turns a type into another, by `from to`. */
  readonly representations: ReadonlyMap<string, QualifiedName>
  readonly handlers: readonly MediaHandler[]
  /** What need not be read again of views that are as they were. */
  readonly knownViews: KnownViews
  /** What callers' roles set for themselves, except the isolation of their transactions. */
  readonly roleSettings: ReadonlyMap<string, readonly (readonly [name: string, value: string])[]>
  /** Roles whose transactions are stricter than read committed. */
  readonly roleIsolation: ReadonlyMap<string, Isolation>
}

/** The key under which a name stands in the cache's maps. */
export const nameKey = ({ schema, name }: QualifiedName): string => `${schema}\0${name}`

export const sameName = (left: QualifiedName, right: QualifiedName): boolean =>
  left.name === right.name && left.schema === right.schema

export const findRelation = (cache: SchemaCache, name: QualifiedName): Relation | undefined =>
  cache.relations.get(nameKey(name))

/** Whether at most one row can stand at the far end. */
export const isToOne = (relationship: Relationship): boolean =>
  relationship.kind === 'computed'
    ? relationship.toOne
    : relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one'
