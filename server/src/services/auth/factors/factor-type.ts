import type { FactorType } from '../model/factor-type.ts'
import { factorError } from './errors.ts'
import type { FactorSettings } from './settings.ts'

/** @throws mfa_*_enroll_not_enabled */
export function checkEnrolEnabled(type: FactorType, settings: FactorSettings): void {
  const { mfaTotpEnrollEnabled, mfaPhoneEnrollEnabled, mfaWebAuthnEnrollEnabled } = settings
  const enabled = { totp: mfaTotpEnrollEnabled, phone: mfaPhoneEnrollEnabled, webauthn: mfaWebAuthnEnrollEnabled }
  if (!enabled[type]) throw factorError(`mfa_${type}_enroll_not_enabled`)
}

/** @throws mfa_*_verify_not_enabled */
export function checkVerifyEnabled(type: FactorType, settings: FactorSettings): void {
  const { mfaTotpVerifyEnabled, mfaPhoneVerifyEnabled, mfaWebAuthnVerifyEnabled } = settings
  const enabled = { totp: mfaTotpVerifyEnabled, phone: mfaPhoneVerifyEnabled, webauthn: mfaWebAuthnVerifyEnabled }
  if (!enabled[type]) throw factorError(`mfa_${type}_verify_not_enabled`)
}
