import type { FactBase, StableId } from '@supabase/pg-delta'
import { quoteIdentifier } from '../../ground/sql/postgres.ts'

/** The letters of `pg_default_acl.defaclobjtype`, and the words of a grant. */
const grantKinds: Readonly<Record<string, readonly [objectType: string, words: string]>> = {
  table: ['r', 'TABLE'],
  view: ['r', 'TABLE'],
  materializedView: ['r', 'TABLE'],
  foreignTable: ['r', 'TABLE'],
  sequence: ['S', 'SEQUENCE'],
  function: ['f', 'FUNCTION'],
  procedure: ['f', 'PROCEDURE'],
  aggregate: ['f', 'FUNCTION'],
}

/** Who scripts run as: default privileges are of the role that creates an object. */
const creator = 'postgres'

/**
 * The statements that take from an object, once it is created, what default privileges grant and it should not have. The
 * grants that it should have follow them.
 *
 * @param to the schema in which the object is as it should be
 */
export function revokeStatements(object: StableId, to: FactBase): readonly string[] {
  const [objectType, words] = grantKinds[object.kind] ?? []
  if (objectType === undefined || !('schema' in object) || !('name' in object)) return []
  const defaults = to.facts().flatMap(({ id, payload }) => {
    if (id.kind !== 'defaultPrivilege' || id.role !== creator || id.objtype !== objectType) return []
    const applies = id.schema === null || id.schema === undefined || id.schema === object.schema
    return applies && id.grantee !== creator ? [{ grantee: id.grantee, privileges: privilegesOf(payload) }] : []
  })
  return defaults
    .filter(({ grantee, privileges }) => {
      const acl = to.get({ kind: 'acl', target: object, grantee })
      const wanted = acl === undefined ? [] : privilegesOf(acl.payload)
      return privileges.some((privilege) => !wanted.includes(privilege))
    })
    .map(({ grantee }) => `REVOKE ALL ON ${words} ${nameOf(object)} FROM ${granteeOf(grantee)}`)
}

const privilegesOf = (payload: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(payload.privileges) ? payload.privileges : []

const granteeOf = (grantee: string): string => (grantee === 'PUBLIC' ? 'PUBLIC' : quoteIdentifier(grantee))

function nameOf(object: StableId & { readonly schema: string; readonly name: string }): string {
  const name = `${quoteIdentifier(object.schema)}.${quoteIdentifier(object.name)}`
  return 'args' in object ? `${name}(${object.args.join(', ')})` : name
}
