import { expect } from 'vitest'
import type { RootKeyWorld } from './root-key-world.ts'
import type { S3App } from './s3-app.ts'

/** One thing that is kept, or was signed, under a root key. */
export interface Kept {
  /** Fails where it is not as good as it was. May be called again and again. */
  readonly works: () => Promise<unknown>
  /** Fails where it is not refused, once its root key is retired; absent for what outlives that. */
  readonly isRefused?: () => Promise<unknown>
  /** Of what is kept sealed. */
  readonly sealed?: SealedRow
}

/** The row of something that is kept sealed. */
export interface SealedRow {
  readonly table: string
  readonly columns: readonly string[]
  /** The condition that finds it, of one value. */
  readonly where: string
  readonly value: string
  /** Fails where it is not told clearly that it cannot be opened. */
  readonly isLost: () => Promise<unknown>
}

/** A kind of thing that is kept, or signed, under a root key. */
export interface Kind {
  readonly name: string
  /** @param bucket where exports go */
  readonly keep: (world: RootKeyWorld, bucket: S3App) => Promise<Kept>
}

/** How the API says that something cannot be opened any more. */
export const isMissing = { error: { code: 'CLEW_ROOT_KEY_MISSING', hint: expect.stringContaining('keys.json') } }

let made = 0
/** A name that no other thing of the file has. */
export const newName = (): string => `thing_${String(++made)}`
export const newEmail = (): string => `${newName()}@example.test`
