import type { FilterRule, Policy, Predicate } from '@supabase/pg-delta'

/** Schemas of Clew's own, beside those that every Supabase project has. */
const ownSchemas = [
  'clew',
  'clew_analytics',
  'clew_flags',
  'clew_functions',
  'clew_instance',
  'clew_mail',
  'clew_net',
  'clew_operators',
  'clew_owner',
  'clew_storage',
  'clew_thread',
]

/** Each list of the policy that has the first name, with the further ones. */
const extensions: readonly (readonly [present: string, further: readonly string[]])[] = [
  ['supabase_migrations', ownSchemas],
  ['supabase_realtime_messages_publication', ['clew']],
  ['supabase_vault', ['pg_net', 'http']],
]

/** A value of the policy with every list of names in it extended. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) {
    const further = extensions.flatMap(([present, names]) => (value.includes(present) ? names : []))
    return [...value.map(extended), ...further]
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, extended(each)]))
}

/** Rows of users and stored objects are the services’; who may see them, the project says. */
const policiesOnServices: FilterRule = {
  match: { all: [{ kind: 'policy' }, { schema: ['auth', 'realtime', 'storage'] }] },
  action: 'include',
}

const withoutOthers = (schemas: readonly string[]): FilterRule => {
  const names = [...schemas]
  const within: Predicate[] = [
    { schema: names },
    { all: [{ kind: 'schema' }, { name: names }] },
    { target: { schema: names } },
    { target: { kind: 'schema', name: names } },
  ]
  return { match: { not: { any: within } }, action: 'exclude' }
}

/**
 * Which differences between two databases are a project's: those of objects that a service made are none.
 *
 * @param supabase the policy for any Supabase project
 * @param schemas  those that are compared; all where there is none
 */
export function projectPolicy(supabase: Policy, schemas: readonly string[]): Policy {
  // The lists are extended in a copy of the policy, which keeps its shape.
  const policy = extended(supabase) as Policy
  const own = schemas.length === 0 ? [] : [withoutOthers(schemas)]
  return { ...policy, filter: [...own, policiesOnServices, ...(policy.filter ?? [])] }
}
