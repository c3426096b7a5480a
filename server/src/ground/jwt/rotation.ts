import type { OpaqueKeyName } from './api-keys.ts'
import type { SigningAlgorithm } from './keys.ts'

/** New keys in the place of others, in every process at once. */
export interface KeyRotation {
  /** Makes a new key to sign tokens with; those before it go on verifying. @returns its `kid` */
  readonly tokens: (algorithm: SigningAlgorithm) => Promise<string>
  /** Why a key of the API is not made here; null where it is. */
  readonly pinned: (name: OpaqueKeyName) => string | null
  /** Makes a new key of the API; the one before it is accepted until it is revoked. @returns the new one */
  readonly api: (name: OpaqueKeyName) => Promise<string>
  /** Accepts an earlier key no more. @returns false where no earlier key has the id */
  readonly revoke: (id: string) => Promise<boolean>
}
