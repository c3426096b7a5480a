import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql } from '../../../ground/sql/sql.ts'
import { realtimeConsoleError } from './errors.ts'
import { renderTemplates } from './policy-templates.ts'
import type { RealtimePolicy, RealtimeTemplate } from './schemas.ts'

/** The policies of `realtime.messages`: who hears and who speaks in private channels. */
export interface Policies {
  list(): Promise<RealtimePolicy[]>
  templates(topic: string): readonly RealtimeTemplate[]
  /** Runs the SQL of a template. @throws CLEW_REALTIME_NO_TEMPLATE, CLEW_REALTIME_POLICY_EXISTS, CLEW_REALTIME_POLICY_REFUSED */
  apply(templateId: string, topic: string): Promise<void>
  /** @throws CLEW_REALTIME_NO_POLICY, CLEW_REALTIME_POLICY_REFUSED */
  drop(name: string): Promise<void>
}

/** @param owner runs statements as the application’s owner */
export function createPolicies(owner: Pick<Sql, 'query'>): Policies {
  return {
    async list() {
      const { rows } = await owner.query<{ body: string }>(selectPolicies)
      // The database's own JSON.
      return JSON.parse(rows[0]?.body ?? '[]') as RealtimePolicy[]
    },
    templates: renderTemplates,
    async apply(templateId, topic) {
      const template = renderTemplates(topic).find(({ id }) => id === templateId)
      if (template === undefined) throw realtimeConsoleError('CLEW_REALTIME_NO_TEMPLATE')
      await owner.query({ text: template.sql, values: [] }).catch(refuse)
    },
    async drop(name) {
      await owner.query(dropStatement(name)).catch(refuse)
    },
  }
}

/** JSON of the policies in column `body`: a `RealtimePolicy` each. */
const selectPolicies: Statement = compile(sql`
  select coalesce(json_agg(json_build_object(
      'name', p.policyname, 'command', lower(p.cmd), 'roles', p.roles,
      'permissive', p.permissive = 'PERMISSIVE', 'using', p.qual, 'check', p.with_check
    ) order by p.policyname), '[]')::text as body
  from pg_catalog.pg_policies p
  where p.schemaname = 'realtime' and p.tablename = 'messages'`)

const dropStatement = (name: string): Statement =>
  compile(sql`drop policy ${identifier(name)} on ${identifier('realtime', 'messages')}`)

const refusals: Readonly<Record<string, Parameters<typeof realtimeConsoleError>[0]>> = {
  // duplicate_object, undefined_object, insufficient_privilege
  '42710': 'CLEW_REALTIME_POLICY_EXISTS',
  '42704': 'CLEW_REALTIME_NO_POLICY',
  '42501': 'CLEW_REALTIME_POLICY_REFUSED',
}

function refuse(cause: unknown): never {
  const code = isDatabaseError(cause) ? refusals[cause.code ?? ''] : undefined
  if (code !== undefined) throw realtimeConsoleError(code, { cause })
  throw cause
}
