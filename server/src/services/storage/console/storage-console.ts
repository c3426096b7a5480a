import type { FastifyPluginAsync } from 'fastify'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { bucketConsoleRoutes } from './bucket-routes.ts'
import { createConsoleBuckets } from './buckets.ts'
import { contentRoutes } from './content-routes.ts'
import { objectConsoleRoutes } from './object-routes.ts'
import { type ConsoleStorage, createConsoleObjects } from './objects.ts'
import { createPolicies } from './policies.ts'
import { policyRoutes } from './policy-routes.ts'
import { createRecentRemovals } from './removals.ts'

/** The dependencies of the console’s part of storage. */
export interface StorageConsoleDeps {
  readonly storage: ConsoleStorage
  /** The tables of `clew_storage`. */
  readonly sql: Pick<Sql, 'query'>
  /** Makes policies as the application’s owner. */
  readonly owner: Pick<Sql, 'query'>
  readonly actions: OperatorActions
  /** Where the application’s API is, for URLs of objects. */
  readonly apiUrl: string
  /** The service’s own limit of an object, in bytes. */
  readonly fileSizeLimit: number
  /** A UUID. */
  readonly newId: () => string
}

/** Storage in the console: analysts see buckets; developers and owners see objects and change them; owners make policies. */
export function storageConsole(deps: StorageConsoleDeps): FastifyPluginAsync {
  const { storage, actions, fileSizeLimit } = deps
  const objects = createConsoleObjects(deps, createRecentRemovals(deps.newId))
  return async (app) => {
    await app.register(bucketConsoleRoutes({ buckets: createConsoleBuckets(storage), actions, fileSizeLimit }))
    await app.register(objectConsoleRoutes(objects, actions))
    await app.register(contentRoutes(storage, actions))
    await app.register(policyRoutes(createPolicies(deps.owner), actions))
  }
}
