import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { erasureRoutes } from './console/erasure-routes.ts'
import { privacyRoutes } from './console/routes.ts'
import type { PersonErasures } from './erasure/erasures.ts'
import type { Privacy } from './privacy.ts'

export type { ErasuresDeps, KeptBackups } from './erasure/deps.ts'
export { createErasures, type PersonErasures } from './erasure/erasures.ts'
export { privacyError } from './errors.ts'
export { createMasks } from './masks/masks.ts'
export { createPrivacy, type Privacy, type PrivacyDeps } from './privacy.ts'
export { type PrivacySettings, privacySettings } from './settings.ts'

/** Schema `clew_privacy`. */
export const privacyTables = {
  name: 'privacy',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Masks in the console, and the jobs that mask the past. */
export const privacyService = (privacy: Privacy, actions: OperatorActions) => ({
  console: [privacyRoutes(privacy, actions)],
  start: async () => {
    privacy.jobs.start()
    return async () => undefined
  },
  close: privacy.close,
})

/** Erasures in the console, and the jobs that do them. */
export const erasuresService = (erasures: PersonErasures, actions: OperatorActions, newId: () => string) => ({
  console: [erasureRoutes(erasures, actions, newId)],
  start: async () => {
    erasures.start()
    return async () => undefined
  },
  close: erasures.close,
})
