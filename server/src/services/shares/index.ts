import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { sharedRoute, shareRoutes } from './routes.ts'
import { createShares, type SharesDeps } from './shares.ts'

export { sharesError } from './errors.ts'
export { sharesPersonStore } from './person-store.ts'
export type { SharesDeps } from './shares.ts'

/** Schema `clew_shares`. */
export const sharesTables = {
  name: 'shares',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Links to sessions: for operators to make, and for those who have one. */
export function sharesService({ actions, ...deps }: SharesDeps & { readonly actions: OperatorActions }) {
  const shares = createShares(deps)
  return { console: [shareRoutes(shares, actions)], openConsole: [sharedRoute(shares)] }
}
