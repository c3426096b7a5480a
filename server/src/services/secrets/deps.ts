import type { SecretRotation } from '../../ground/jwt/rotation.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { SecretReload } from '../../ground/model/secret-reload.ts'

/** Where a setting was said. */
export const secretSources = ['file', 'environment', 'command line', 'project folder'] as const

/** A secret that a setting has. */
export interface ConfiguredSecret {
  /** As `clew.toml` has it: `[mail] smtp_pass`. */
  readonly name: string
  readonly source: (typeof secretSources)[number]
  /** The variable, or the place in a file. */
  readonly from: string
}

export interface SecretsDeps {
  readonly configured: () => readonly ConfiguredSecret[]
  /** Has every process read the secrets of the settings again; `by` is for the audit log. */
  readonly reload: (by: string) => Promise<SecretReload>
  readonly rotation: SecretRotation
  /** That of now. */
  readonly ingestToken: () => string
  /** When an action of the audit log was last done with success, by its target. */
  readonly lastDone: (action: string) => Promise<ReadonlyMap<string, Date>>
  readonly actions: OperatorActions
}
