import type { FastifyPluginAsync } from 'fastify'
import { noOthers } from '../../../ground/model/topic.ts'
import { bucketConsoleRoutes } from './bucket-routes.ts'
import { createConsoleBuckets } from './buckets.ts'
import { contentRoutes } from './content-routes.ts'
import type { StorageConsoleDeps } from './deps.ts'
import { objectConsoleRoutes } from './object-routes.ts'
import { createConsoleObjects } from './objects.ts'
import { createPolicies } from './policies.ts'
import { policyRoutes } from './policy-routes.ts'
import { createRecentRemovals } from './removals.ts'
import { thumbnailRoutes } from './thumbnail-routes.ts'
import { uploadConsoleRoutes } from './upload-routes.ts'

/** Storage in the console: analysts see buckets; developers and owners see objects and change them; owners make policies. */
export function storageConsole(deps: StorageConsoleDeps): FastifyPluginAsync {
  const { storage, actions, fileSizeLimit } = deps
  const objects = createConsoleObjects(deps, createRecentRemovals(deps.newId, deps.topic ?? noOthers))
  return async (app) => {
    await app.register(
      bucketConsoleRoutes({ buckets: createConsoleBuckets(storage, deps.now), actions, fileSizeLimit }),
    )
    await app.register(objectConsoleRoutes(objects, actions))
    await app.register(contentRoutes(storage, actions))
    await app.register(thumbnailRoutes(storage, actions))
    await app.register(uploadConsoleRoutes(storage, actions, fileSizeLimit), { prefix: '/storage/uploads' })
    await app.register(policyRoutes(createPolicies(deps.owner), actions))
  }
}
