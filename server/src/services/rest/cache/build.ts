import type { Catalogue, CatalogueKey, CatalogueRoleSetting } from './catalogue.ts'
import { inOrder, relationshipsOf } from './relationships.ts'
import {
  type Isolation,
  nameKey,
  type QualifiedName,
  type Reference,
  type Relation,
  type Relationship,
  type Routine,
  type SchemaCache,
} from './schema-cache.ts'
import { followViews, type ViewColumns } from './view-keys.ts'
import type { KnownViews } from './view-origins.ts'

function group<T>(values: readonly T[], key: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const members = groups.get(key(value))
    if (members === undefined) groups.set(key(value), [value])
    else members.push(value)
  }
  return groups
}

/** Primary keys of tables, and of the views that show all their columns. */
function primaryKeys(keys: readonly CatalogueKey[], views: ViewColumns): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const key of keys) {
    if (key.kind !== 'primary') continue
    found.set(
      nameKey(key.relation),
      key.relation.columns.map(({ name }) => name),
    )
    for (const { view, choices } of views.shown(key.relation)) {
      // A view of two tables has the columns of both keys; a column shown twice counts once.
      found.set(nameKey(view), [...(found.get(nameKey(view)) ?? []), ...(choices[0] ?? [])])
    }
  }
  return found
}

function referencesOf(keys: readonly CatalogueKey[]): ReadonlyMap<string, readonly Reference[]> {
  const single = keys.flatMap(({ foreign, relation }) => {
    const [from, to] = [relation.columns[0], foreign?.columns[0]]
    if (foreign === null || from === undefined || to === undefined || relation.columns.length > 1) return []
    return [{ relation, reference: { schema: foreign.schema, name: foreign.name, from: from.name, column: to.name } }]
  })
  return new Map(
    [...group(single, ({ relation }) => nameKey(relation))].map(([key, members]) => [
      key,
      members.map(({ reference }) => reference),
    ]),
  )
}

/** Detected relationships, with those replaced that a computed one of the same name stands for. */
function withComputed(
  detected: readonly Relationship[],
  computed: readonly Relationship[],
  isExposed: (schema: string) => boolean,
): readonly Relationship[] {
  const replaced = new Set(
    computed.map((one) => (one.kind === 'computed' ? `${nameKey(one.relation)}\0${nameKey(one.function)}` : '')),
  )
  const remaining = detected.filter(
    ({ relation, foreign }) => !replaced.has(`${nameKey(relation)}\0${nameKey(foreign)}`),
  )
  return [...remaining, ...computed].filter((one) => isExposed(one.relation.schema) && isExposed(one.foreign.schema))
}

/** Without those whose junction is not to be seen; a relation that has no others keeps its place in the map. */
const withVisibleJunctions = (
  groups: ReadonlyMap<string, readonly Relationship[]>,
  isExposed: (schema: string) => boolean,
): ReadonlyMap<string, readonly Relationship[]> =>
  new Map(
    [...groups].map(([origin, all]) => [
      origin,
      all.filter((one) => one.kind !== 'many-to-many' || isExposed(one.junction.schema)),
    ]),
  )

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** As the reference orders overloads, which shows where several fit: by parameters, those without comment first. */
const overloadKey = ({ comment, parameters }: Routine): readonly string[] => [
  comment === null ? '' : `+${comment}`,
  ...parameters.flatMap(({ name, type }) => [name, type]),
]

function compareOverloads(left: Routine, right: Routine): number {
  if (left.parameters.length !== right.parameters.length) return left.parameters.length - right.parameters.length
  const others = overloadKey(right)
  return overloadKey(left)
    .map((text, index) => compareText(text, others[index] ?? ''))
    .reduce((order, one) => (order === 0 ? one : order), 0)
}

const isolationSetting = 'default_transaction_isolation'

const isolationOf = (value: string | null): Isolation | 'read committed' | null => {
  if (value === null) return null
  const level = value.toLowerCase()
  return level === 'repeatable read' || level === 'serializable' ? level : 'read committed'
}

function roleIsolation(settings: readonly CatalogueRoleSetting[]): ReadonlyMap<string, Isolation> {
  const strict = settings.flatMap(({ role, name, value }) => {
    const level = name === isolationSetting ? isolationOf(value) : null
    return level === null || level === 'read committed' ? [] : [[role, level] as const]
  })
  return new Map(strict)
}

/** Builds the schema cache from the catalogue. */
export function buildSchemaCache(
  catalogue: Catalogue,
  schemas: readonly string[],
  loadedAt: Date,
  knownViews: KnownViews = new Map(),
): SchemaCache {
  const views = followViews(catalogue.views, knownViews)
  const keys = primaryKeys(catalogue.keys, views)
  const references = referencesOf(catalogue.keys)
  const keyOf = (relation: QualifiedName): readonly string[] => keys.get(nameKey(relation)) ?? []
  const relations = catalogue.relations.map((relation): [string, Relation] => [
    nameKey(relation),
    {
      ...relation,
      columns: new Map(relation.columns.map((column) => [column.name, column])),
      key: keyOf(relation),
      references: references.get(nameKey(relation)) ?? [],
    },
  ])
  const computed = catalogue.computed.map(
    (one): Relationship => ({
      ...one,
      kind: 'computed',
      isSelf: nameKey(one.relation) === nameKey(one.foreign),
    }),
  )
  const isExposed = (schema: string): boolean => schemas.includes(schema)
  const relationships = withComputed(relationshipsOf(catalogue.keys, views, keyOf), computed, isExposed)
  return {
    loadedAt,
    relations: new Map(relations),
    relationships: withVisibleJunctions(
      group(inOrder(relationships), ({ relation }) => nameKey(relation)),
      isExposed,
    ),
    functions: group(
      catalogue.functions
        .map((routine): Routine => ({ ...routine, isolation: isolationOf(routine.isolation) }))
        .sort(compareOverloads),
      nameKey,
    ),
    representations: new Map(catalogue.representations.map((one) => [`${one.from}\0${one.to}`, one.function])),
    handlers: catalogue.handlers,
    knownViews: views.known,
    roleSettings: new Map(
      [...group(catalogue.roleSettings, ({ role }) => role)].map(([role, settings]) => [
        role,
        settings.filter(({ name }) => name !== isolationSetting).map(({ name, value }) => [name, value] as const),
      ]),
    ),
    roleIsolation: roleIsolation(catalogue.roleSettings),
  }
}
