import type { Postgres } from '../engines/postgres/index.ts'
import {
  createRest,
  type Rest,
  type RestDeps,
  type RestServiceDeps,
  readTokenKeys,
  restSettingsOf,
} from '../services/rest/index.ts'
import type { SchemaDeps } from '../services/schema/index.ts'
import type { Thread } from '../services/thread/index.ts'
import type { Addresses } from './addresses.ts'
import type { ComposeInput, PreparedProject } from './instance.ts'

const loginRole = 'authenticator'
/** Who owns the application's tables. */
export const ownerRole = 'postgres'

/** REST over the application's schemas. */
export async function openRest(
  { settings: { rest: settings }, useSecrets }: Pick<ComposeInput, 'settings' | 'useSecrets'>,
  { apiUrl }: Addresses,
  { session, listen, authenticator: sql }: Postgres,
  deps: Omit<RestDeps, 'settings' | 'reread' | 'loginRole' | 'session' | 'listen' | 'sql'>,
): Promise<Rest> {
  const reread = () => restSettingsOf(settings, apiUrl)
  const rest = await createRest({ ...deps, session, listen, sql, settings: reread(), reread, loginRole })
  useSecrets({
    secrets: ['[rest] jwt_secret'],
    check: async (next) => void readTokenKeys(next.rest),
    taken: rest.reloadSettings,
  })
  return rest
}

/** Where answers of the REST service are explained: as the caller, as the owner, and by what the thread kept. */
export const planWhy = (
  { session, reader, owner, authenticator, admin }: Postgres,
  actions: RestServiceDeps['actions'],
  { masks }: Pick<RestServiceDeps, 'masks'>,
  findRequest: Thread['request'],
): RestServiceDeps => ({
  ...{ session, reader, owner, ownerRole, loginRole, actions, masks },
  catalogues: authenticator,
  sql: admin,
  async findStatement(id, place) {
    const { statements, userId } = await findRequest(id)
    const statement = statements[place]
    return statement && { text: statement.text, role: statement.role, userId }
  },
  async findRequest(id) {
    const { request, userId } = await findRequest(id)
    const { service, method, path, query, role, status, errorCode, rows } = request
    return { service, method, path, query, role, userId, status, errorCode, rows }
  },
})

/** The schema as the catalogues have it; a change is a migration, after which new tables are followed. */
export const planSchema = (
  { authenticator: catalogues, reader, settle }: Pick<Postgres, 'authenticator' | 'reader' | 'settle'>,
  { runMigration }: Pick<PreparedProject, 'runMigration'>,
  deps: Pick<SchemaDeps, 'settings' | 'actions'>,
): SchemaDeps => ({
  ...deps,
  ...{ catalogues, reader, ownerRole },
  async runMigration(migration, limits) {
    const ran = await runMigration(migration, limits)
    if (ran.kind === 'applied') await settle()
    return ran
  },
})
