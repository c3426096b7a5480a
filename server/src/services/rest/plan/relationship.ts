import { findAlike } from '../cache/fuzzy.ts'
import { nameKey, type QualifiedName, type Relationship, type SchemaCache } from '../cache/schema-cache.ts'
import { restError } from '../errors.ts'

type Direct = Extract<Relationship, { readonly constraint: string }>

const isDirect = (relationship: Relationship): relationship is Direct => 'constraint' in relationship

const onlyOwnColumn = (relationship: Relationship): string | null =>
  isDirect(relationship) && relationship.columns.length === 1 ? (relationship.columns[0]?.[0] ?? null) : null

const onlyForeignColumn = (relationship: Relationship): string | null =>
  isDirect(relationship) && relationship.columns.length === 1 ? (relationship.columns[0]?.[1] ?? null) : null

// A table that points to itself has one foreign key and two directions: its name means the rows that point here,
// its column the row pointed at.
function meansSelf(relationship: Relationship, target: string, hint: string | null): boolean {
  const named = target === relationship.foreign.name && relationship.kind === 'one-to-many'
  if (hint !== null) return named && onlyForeignColumn(relationship) === hint
  return named || (relationship.kind === 'many-to-one' && onlyOwnColumn(relationship) === target)
}

function means(relationship: Relationship, target: string, hint: string | null): boolean {
  if (relationship.kind === 'computed') return relationship.function.name === target
  if (relationship.isSelf) return meansSelf(relationship, target, hint)
  const named = target === relationship.foreign.name
  const constraint = isDirect(relationship) ? relationship.constraint : null
  if (hint === null) {
    if (named) return true
    return !relationship.foreignIsView && (constraint === target || onlyOwnColumn(relationship) === target)
  }
  return (
    named &&
    (constraint === hint ||
      onlyOwnColumn(relationship) === hint ||
      onlyForeignColumn(relationship) === hint ||
      (relationship.kind === 'many-to-many' && relationship.junction.name === hint))
  )
}

function noneHint(cache: SchemaCache, origin: QualifiedName, target: string): string | null {
  const own = cache.relationships.get(nameKey(origin))
  if (own === undefined) {
    const origins = [...cache.relationships.values()]
      .flatMap((all) => all.slice(0, 1))
      .filter((one) => one.relation.schema === origin.schema)
      .map((one) => one.relation.name)
    const match = findAlike(origins, origin.name)[0]
    return match === undefined ? null : `Perhaps you meant '${match.text}' instead of '${origin.name}'.`
  }
  const near = own.filter((one) => one.foreign.schema === origin.schema)
  const targets = [...new Set(near.map((one) => one.foreign.name))]
  const match = findAlike(targets, target).find(({ score }) => score < 1)
  return match === undefined ? null : `Perhaps you meant '${match.text}' instead of '${target}'.`
}

const columns = (names: readonly string[]): string => `(${names.join(', ')})`

function describeCandidate(one: Relationship): Readonly<Record<string, string>> {
  if (one.kind === 'computed') return {}
  const embedding = `${one.relation.name} with ${one.foreign.name}`
  if (one.kind === 'many-to-many') {
    const own = `${one.constraints[0]}${columns(one.columns.map(([, junction]) => junction))}`
    const far = `${one.constraints[1]}${columns(one.foreignColumns.map(([, junction]) => junction))}`
    return { cardinality: one.kind, embedding, relationship: `${one.junction.name} using ${own} and ${far}` }
  }
  const own = `${one.relation.name}${columns(one.columns.map(([column]) => column))}`
  const far = `${one.foreign.name}${columns(one.columns.map(([, column]) => column))}`
  return { cardinality: one.kind, embedding, relationship: `${one.constraint} using ${own} and ${far}` }
}

const hintOf = (one: Relationship): string => {
  if (one.kind === 'computed') return ''
  return `'${one.foreign.name}!${one.kind === 'many-to-many' ? one.junction.name : one.constraint}'`
}

/**
 * The relationship that `target[!hint]` means, seen from `origin` (rest §5.2).
 *
 * @throws PGRST200 for none, PGRST201 for several
 */
export function findRelationship(
  cache: SchemaCache,
  origin: QualifiedName,
  target: string,
  hint: string | null,
): Relationship {
  const candidates = (cache.relationships.get(nameKey(origin)) ?? []).filter(
    (one) => one.foreign.schema === origin.schema && means(one, target, hint),
  )
  const [first, second] = candidates
  if (first === undefined) {
    const using = hint === null ? '' : `' using the hint '${hint}`
    throw restError('PGRST200', {
      message: `Could not find a relationship between '${origin.name}' and '${target}' in the schema cache`,
      details: `Searched for a foreign key relationship between '${origin.name}' and '${target}${using}' in the schema '${origin.schema}', but no matches were found.`,
      wireHint: noneHint(cache, origin, target),
    })
  }
  if (second !== undefined) {
    throw restError('PGRST201', {
      message: `Could not embed because more than one relationship was found for '${origin.name}' and '${target}'`,
      details: candidates.map(describeCandidate),
      wireHint: `Try changing '${target}' to one of the following: ${candidates.map(hintOf).join(', ')}. Find the desired relationship in the 'details' key.`,
    })
  }
  return first
}
