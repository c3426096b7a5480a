import { deriveKey } from '../ground/ids/derive-key.ts'
import { createOpaqueKeyFinder } from '../ground/jwt/api-keys.ts'
import { createKeySet } from '../ground/jwt/keys.ts'
import { createTokenVerifier, type TrustedIssuers } from '../ground/jwt/verify.ts'
import type { RealtimeDeps, TicketKeys } from '../services/realtime/index.ts'
import type { Settings } from '../settings/index.ts'
import type { InstanceKeys } from './instance.ts'

/** What realtime takes of the instance: its settings, and how tokens and keys are known. */
export const planRealtime = (
  { instance, realtime }: Settings,
  { api, tokens, pepper }: InstanceKeys,
  { issuers, now }: { readonly issuers: TrustedIssuers | null; readonly now: () => Date },
): Pick<RealtimeDeps, 'settings' | 'verify' | 'roleOfKey' | 'tickets'> => ({
  settings: realtime,
  verify: createTokenVerifier({
    keys: tokens,
    now,
    cacheSize: instance.tokenCacheEntries,
    clockSkewSeconds: 0,
    ...(issuers === null ? {} : { issuers }),
  }),
  roleOfKey: createOpaqueKeyFinder(api),
  tickets: planTickets(pepper, now),
})

/** Each operator who joins a channel has one at a time. */
const rememberedTickets = 1000

/** Keys of their own: a ticket is no token of a user, and no other service takes it. */
function planTickets(pepper: string, now: () => Date): TicketKeys {
  const secret = deriveKey(pepper, 'tickets of realtime').toString('hex')
  const keys = createKeySet({ signingKeys: [], secret })
  return { keys, verify: createTokenVerifier({ keys, now, cacheSize: rememberedTickets, clockSkewSeconds: 0 }) }
}
