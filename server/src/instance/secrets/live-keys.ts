import { createReplaceableApiKeys } from '../../ground/jwt/api-keys.ts'
import { createReplaceableKeys } from '../../ground/jwt/keys.ts'
import type { InstanceKeys } from '../../plan/instance.ts'
import type { InstanceKeys as LoadedKeys } from '../keys.ts'

/** The keys of the data directory as rooms use them, and their replacement by others while they are in use. */
export interface LiveKeys {
  readonly keys: InstanceKeys
  readonly replace: (next: LoadedKeys) => void
}

/** @param first the keys until the first replacement */
export function createLiveKeys(first: LoadedKeys): LiveKeys {
  const api = createReplaceableApiKeys(first.api)
  const tokens = createReplaceableKeys(first.tokens)
  const ingestTokens = ingestTokensOf(first)
  let { databasePassword, roots, retiredCertificateKeys } = first
  return {
    keys: {
      ...{ api: api.keys, tokens: tokens.keys, ingestTokens, roots: () => roots },
      get ingestToken() {
        return ingestTokens[0] ?? ''
      },
      get databasePassword() {
        return databasePassword
      },
      get retiredCertificateKeys() {
        return retiredCertificateKeys
      },
    },
    replace(next) {
      api.replace(next.api)
      tokens.replace(next.tokens)
      ingestTokens.splice(0, ingestTokens.length, ...ingestTokensOf(next))
      ;({ databasePassword, roots, retiredCertificateKeys } = next)
    },
  }
}

const ingestTokensOf = ({ ingestToken, earlierIngestTokens }: LoadedKeys): string[] => [
  ingestToken,
  ...earlierIngestTokens.map(({ token }) => token),
]
