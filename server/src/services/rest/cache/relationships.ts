import type { CatalogueEnd, CatalogueKey } from './catalogue.ts'
import { type ColumnPair, nameKey, type QualifiedName, type Relationship, sameName } from './schema-cache.ts'
import type { ViewColumns } from './view-keys.ts'

type Direct = Extract<Relationship, { readonly constraint: string }>
type Junction = Extract<Relationship, { readonly kind: 'many-to-many' }>

/** One end of a foreign key as a relation shows it: the table itself, or a view of it. */
interface Shown {
  readonly name: QualifiedName
  readonly columns: readonly string[]
  readonly isView: boolean
}

const shownEnds = (end: CatalogueEnd, views: ViewColumns): readonly Shown[] => [
  { name: end, columns: end.columns.map(({ name }) => name), isView: false },
  ...views
    .shown(end)
    .flatMap(({ view, choices }) => choices.map((columns): Shown => ({ name: view, columns, isView: true }))),
]

const pairs = (own: readonly string[], foreign: readonly string[]): readonly ColumnPair[] =>
  own.map((column, index) => [column, foreign[index] ?? ''] as const)

const bare = ({ schema, name }: QualifiedName): QualifiedName => ({ schema, name })

function fromForeignKey(key: CatalogueKey, foreign: CatalogueEnd, views: ViewColumns): readonly Direct[] {
  return shownEnds(key.relation, views).flatMap((own) =>
    shownEnds(foreign, views).map(
      (far): Direct => ({
        kind: key.unique ? 'one-to-one' : 'many-to-one',
        relation: bare(own.name),
        foreign: bare(far.name),
        isSelf: sameName(own.name, far.name),
        relationIsView: own.isView,
        foreignIsView: far.isView,
        constraint: key.name,
        isParent: false,
        columns: pairs(own.columns, far.columns),
      }),
    ),
  )
}

const inverse = (relationship: Direct): Direct => ({
  ...relationship,
  kind: relationship.kind === 'one-to-one' ? 'one-to-one' : 'one-to-many',
  relation: relationship.foreign,
  foreign: relationship.relation,
  relationIsView: relationship.foreignIsView,
  foreignIsView: relationship.relationIsView,
  isParent: !relationship.isParent,
  columns: relationship.columns.map(([own, foreign]) => [foreign, own] as const),
})

const swapped = (columns: readonly ColumnPair[]): readonly ColumnPair[] =>
  columns.map(([own, foreign]) => [foreign, own] as const)

/** A junction's two foreign keys join their far ends when all their columns belong to its primary key. */
function throughJunctions(
  direct: readonly Direct[],
  keyOf: (relation: QualifiedName) => readonly string[],
): readonly Junction[] {
  const byJunction = new Map<string, Direct[]>()
  for (const relationship of direct) {
    if (relationship.kind !== 'many-to-one') continue
    const key = nameKey(relationship.relation)
    byJunction.set(key, [...(byJunction.get(key) ?? []), relationship])
  }
  return [...byJunction.values()].flatMap((all) =>
    all.flatMap((own) => {
      const key = keyOf(own.relation)
      const inKey = ({ columns }: Direct): boolean => columns.every(([column]) => key.includes(column))
      if (!inKey(own)) return []
      return all
        .filter((far) => far.constraint !== own.constraint && inKey(far))
        .map(
          (far): Junction => ({
            kind: 'many-to-many',
            relation: own.foreign,
            foreign: far.foreign,
            isSelf: sameName(own.foreign, far.foreign),
            relationIsView: own.foreignIsView,
            foreignIsView: far.foreignIsView,
            junction: own.relation,
            constraints: [own.constraint, far.constraint],
            columns: swapped(own.columns),
            foreignColumns: swapped(far.columns),
          }),
        )
    }),
  )
}

/**
 * Every relationship that the foreign keys make, between tables and the views that show their keys, in both
 * directions and through junctions (rest §5.1).
 */
export function relationshipsOf(
  keys: readonly CatalogueKey[],
  views: ViewColumns,
  keyOf: (relation: QualifiedName) => readonly string[],
): readonly Relationship[] {
  const direct = keys.flatMap((key) => (key.foreign === null ? [] : fromForeignKey(key, key.foreign, views)))
  return [...direct, ...direct.map(inverse), ...throughJunctions(direct, keyOf)]
}

const rank: Readonly<Record<Relationship['kind'], number>> = {
  'one-to-many': 0,
  'many-to-one': 1,
  'one-to-one': 2,
  'many-to-many': 3,
  computed: 4,
}

const sortKey = (relationship: Relationship): string =>
  [
    relationship.foreign.schema,
    relationship.foreign.name,
    relationship.isSelf ? 1 : 0,
    rank[relationship.kind],
    relationship.kind === 'many-to-many'
      ? `${nameKey(relationship.junction)}\0${relationship.constraints.join('\0')}`
      : relationship.kind === 'computed'
        ? nameKey(relationship.function)
        : `${relationship.constraint}\0${JSON.stringify(relationship.columns)}`,
  ].join('\0')

/** In the order in which an ambiguity lists its candidates. Views can make tens of thousands: each key is made once. */
export const inOrder = (relationships: readonly Relationship[]): readonly Relationship[] =>
  relationships
    .map((relationship) => ({ relationship, key: sortKey(relationship) }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ relationship }) => relationship)
