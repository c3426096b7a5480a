import { catalogue } from '../../../ground/errors/catalogue.ts'

const verifyFirst = 'Verify a factor first.'
const switchOn = 'Switch this kind of factor on.'
const challengeAgain = 'Challenge the factor again.'

/** The errors of second factors (auth §15). */
export const factorError = catalogue({
  'insufficient_aal/422': { status: 422, message: 'AAL2 required to unenroll verified factor', hint: verifyFirst },
  mfa_challenge_expired: { status: 422, message: 'MFA challenge has expired', hint: challengeAgain },
  mfa_factor_name_conflict: {
    status: 422,
    message: 'A factor with the friendly name for this user already exists',
    hint: 'Give the factor another name.',
  },
  mfa_factor_not_found: { status: 404, message: 'Factor not found', hint: 'List the factors and check the id.' },
  'mfa_factor_not_found/422': {
    status: 422,
    message: 'MFA factor with the provided challenge ID not found',
    hint: challengeAgain,
  },
  mfa_ip_address_mismatch: {
    status: 422,
    message: 'Challenge and verify IP addresses mismatch.',
    hint: challengeAgain,
  },
  mfa_totp_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for TOTP', hint: switchOn },
  mfa_totp_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for TOTP', hint: switchOn },
  mfa_phone_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for Phone', hint: switchOn },
  mfa_phone_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for Phone', hint: switchOn },
  mfa_webauthn_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for WebAuthn', hint: switchOn },
  mfa_webauthn_verify_not_enabled: {
    status: 422,
    message: 'MFA verification is disabled for WebAuthn',
    hint: switchOn,
  },
  mfa_verification_failed: { status: 422, message: 'Invalid TOTP code entered', hint: 'Enter the newest code.' },
  mfa_verification_rejected: {
    status: 403,
    message: 'Further MFA verification attempts will be rejected.',
    hint: 'Sign in again.',
  },
  mfa_verified_factor_exists: {
    status: 422,
    message: 'A verified phone factor already exists, unenroll the existing factor to continue',
    hint: 'Unenroll the factor of that number.',
  },
  too_many_enrolled_mfa_factors: {
    status: 422,
    message: 'Maximum number of verified factors reached, unenroll to continue',
    hint: 'Unenroll a factor.',
  },
})
