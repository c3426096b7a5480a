import type { OpaqueKeyName } from './api-keys.ts'
import type { SigningAlgorithm } from './keys.ts'

/** Secrets of the data directory that Clew has made, besides keys of the API and of tokens. */
export const madeSecretNames = ['ingest token', 'database password', 'root key'] as const
export type MadeSecretName = (typeof madeSecretNames)[number]

/** New keys in the place of others, in every process at once. */
export interface KeyRotation {
  /** Makes a new key to sign tokens with; those before it go on verifying. @returns its `kid` */
  readonly tokens: (algorithm: SigningAlgorithm) => Promise<string>
  /** Why a key of the API is not made here; null where it is. */
  readonly pinned: (name: OpaqueKeyName) => string | null
  /** Makes a new key of the API; the one before it is accepted until it is revoked. @returns the new one */
  readonly api: (name: OpaqueKeyName) => Promise<string>
  /** Accepts an earlier key, or ingest token, no more. @returns false where none has the id */
  readonly revoke: (id: string) => Promise<boolean>
}

/** New secrets of the data directory in the place of others, in every process at once. */
export interface SecretRotation extends Pick<KeyRotation, 'revoke'> {
  /** Why a secret is not made here; null where it is. */
  readonly pinnedSecret: (name: MadeSecretName) => string | null
  /** Makes a new secret. An ingest token before it is accepted until it is revoked, a root key until it is retired; a password before it opens nothing. */
  readonly secret: (name: MadeSecretName) => Promise<void>
  /** Ingest tokens that are accepted besides that of now. */
  readonly earlierIngestTokens: () => Promise<readonly { readonly id: string; readonly replacedAt: Date }[]>
  /** Root keys that still open and verify. */
  readonly earlierRoots: () => Promise<readonly { readonly id: string; readonly replacedAt: Date }[]>
  /** Forgets an earlier root key. @returns false where none has the id */
  readonly retireRoot: (id: string) => Promise<boolean>
}
