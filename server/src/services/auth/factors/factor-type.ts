import { authError } from '../errors.ts'
import type { AuthSettings } from '../settings.ts'

export type FactorType = 'totp' | 'phone' | 'webauthn'

export const isFactorType = (text: string): text is FactorType => ['totp', 'phone', 'webauthn'].includes(text)

/** What a session's `amr` says of a verified factor (auth §5). */
export const factorMethods: Readonly<Record<FactorType, string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
}

/** @throws mfa_*_enroll_not_enabled */
export function checkEnrolEnabled(type: FactorType, settings: AuthSettings): void {
  const { mfaTotpEnrollEnabled, mfaPhoneEnrollEnabled, mfaWebAuthnEnrollEnabled } = settings
  const enabled = { totp: mfaTotpEnrollEnabled, phone: mfaPhoneEnrollEnabled, webauthn: mfaWebAuthnEnrollEnabled }
  if (!enabled[type]) throw authError(`mfa_${type}_enroll_not_enabled`)
}

/** @throws mfa_*_verify_not_enabled */
export function checkVerifyEnabled(type: FactorType, settings: AuthSettings): void {
  const { mfaTotpVerifyEnabled, mfaPhoneVerifyEnabled, mfaWebAuthnVerifyEnabled } = settings
  const enabled = { totp: mfaTotpVerifyEnabled, phone: mfaPhoneVerifyEnabled, webauthn: mfaWebAuthnVerifyEnabled }
  if (!enabled[type]) throw authError(`mfa_${type}_verify_not_enabled`)
}
