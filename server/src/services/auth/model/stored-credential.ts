/** A credential as `auth.mfa_factors.web_authn_credential` holds it: bytes are base64. */
export interface StoredCredential {
  readonly id: string
  readonly publicKey: string
  readonly attestationType: string
  readonly transport: readonly string[]
  readonly flags: {
    readonly userPresent: boolean
    readonly userVerified: boolean
    readonly backupEligible: boolean
    readonly backupState: boolean
  }
  readonly authenticator: {
    readonly AAGUID: string
    readonly signCount: number
    readonly cloneWarning: boolean
    readonly attachment: string
  }
}
