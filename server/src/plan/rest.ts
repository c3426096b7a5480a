import { createRest, type Rest, type RestDeps, restSettingsOf } from '../services/rest/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'

/** REST over the application's schemas. */
export const openRest = (
  { rest }: Settings,
  { apiUrl }: Addresses,
  deps: Omit<RestDeps, 'settings' | 'loginRole'>,
): Promise<Rest> => createRest({ ...deps, settings: restSettingsOf(rest, apiUrl), loginRole: 'authenticator' })
