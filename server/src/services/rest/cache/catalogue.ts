export interface CatalogueColumn {
  readonly name: string
  /** The name as an SQL literal, spelled by PostgreSQL. */
  readonly literal: string
  readonly position: number
  /** With its modifier; a domain by its own name. */
  readonly type: string
  /**
   * As a record set declares it: types of extensions without their modifier. The assignment to the column applies it by a
   * cast, which every such type has, where the input function of a type need not.
   */
  readonly recordType: string
  /** The type under a domain and its domains, without modifier. */
  readonly baseType: string
  readonly default: string | null
  readonly nullable: boolean
  readonly generated: boolean
  readonly maxLength: number | null
  readonly labels: readonly string[] | null
  readonly comment: string | null
}

export interface CatalogueRelation {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'partitioned_table' | 'view' | 'materialized_view' | 'foreign_table'
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
  readonly estimatedRows: number
  /** Whether the change stream reads it, by itself or as a partition. */
  readonly history: boolean
  readonly comment: string | null
  readonly columns: readonly CatalogueColumn[]
}

/** A primary key or foreign key of any schema; a view may show it in an exposed one. */
export interface CatalogueKey {
  readonly kind: 'primary' | 'foreign'
  readonly name: string
  readonly relation: CatalogueEnd
  readonly foreign: CatalogueEnd | null
  /** Whether the columns of a foreign key are exactly those of a primary key or unique constraint. */
  readonly unique: boolean
}

export interface CatalogueEnd {
  readonly oid: number
  readonly schema: string
  readonly name: string
  /** In the key's order. */
  readonly columns: readonly { readonly number: number; readonly name: string }[]
}

export interface CatalogueView {
  readonly oid: number
  readonly schema: string
  readonly name: string
  /** Changes with each change of its rewrite rule. */
  readonly version: string
  /** The rewrite rule's parse tree; null where that version is known. */
  readonly tree: string | null
  readonly columns: Readonly<Record<string, string>>
}

export interface CatalogueParameter {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly variadic: boolean
}

export interface CatalogueFunction {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  readonly parameters: readonly CatalogueParameter[]
  readonly returns: {
    readonly schema: string
    readonly name: string
    readonly set: boolean
    readonly composite: boolean
  }
  readonly volatility: 'i' | 's' | 'v'
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Its `default_transaction_isolation`, as it is written. */
  readonly isolation: string | null
}

export interface CatalogueComputedRelationship {
  readonly function: { readonly schema: string; readonly name: string }
  readonly relation: { readonly schema: string; readonly name: string }
  readonly foreign: { readonly schema: string; readonly name: string }
  readonly toOne: boolean
}

/** An implicit cast between a domain and json or text. */
export interface CatalogueRepresentation {
  readonly from: string
  readonly to: string
  readonly function: { readonly schema: string; readonly name: string }
}

export interface CatalogueHandler {
  readonly function: { readonly schema: string; readonly name: string }
  /** A relation's row type, or a function of the same name as the domain's; null for anyelement. */
  readonly target: { readonly schema: string; readonly name: string } | null
  /** Lower case. */
  readonly mediaType: string
  readonly binary: boolean
}

export interface CatalogueRoleSetting {
  readonly role: string
  readonly name: string
  readonly value: string
}

/** The rows of PostgreSQL's catalogues that the schema cache is built from: the JSON that `catalogueStatement` returns. */
export interface Catalogue {
  readonly relations: readonly CatalogueRelation[]
  readonly keys: readonly CatalogueKey[]
  readonly views: readonly CatalogueView[]
  readonly functions: readonly CatalogueFunction[]
  readonly computed: readonly CatalogueComputedRelationship[]
  readonly representations: readonly CatalogueRepresentation[]
  readonly handlers: readonly CatalogueHandler[]
  readonly roleSettings: readonly CatalogueRoleSetting[]
}
