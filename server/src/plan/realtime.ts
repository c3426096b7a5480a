import { createOpaqueKeyFinder } from '../ground/jwt/api-keys.ts'
import { createTokenVerifier, type TrustedIssuers } from '../ground/jwt/verify.ts'
import type { RealtimeDeps } from '../services/realtime/index.ts'
import type { Settings } from '../settings/index.ts'
import type { InstanceKeys } from './instance.ts'

/** What realtime takes of the instance: its settings, and how tokens and keys are known. */
export const planRealtime = (
  { instance, realtime }: Settings,
  { api, tokens }: InstanceKeys,
  { issuers, now }: { readonly issuers: TrustedIssuers | null; readonly now: () => Date },
): Pick<RealtimeDeps, 'settings' | 'verify' | 'roleOfKey'> => ({
  settings: realtime,
  verify: createTokenVerifier({
    keys: tokens,
    now,
    cacheSize: instance.tokenCacheEntries,
    clockSkewSeconds: 0,
    ...(issuers === null ? {} : { issuers }),
  }),
  roleOfKey: createOpaqueKeyFinder(api),
})
