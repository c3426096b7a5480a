const verifyFirst = 'Verify a factor first.'
const switchOn = 'Switch this kind of factor on.'
const challengeAgain = 'Challenge the factor again.'

/** How second factors and passkeys are refused (auth §15, §16). */
export const factorErrors = {
  'insufficient_aal/403': { status: 403, message: 'AAL2 required to enroll a new factor', mend: verifyFirst },
  'insufficient_aal/422': { status: 422, message: 'AAL2 required to unenroll verified factor', mend: verifyFirst },
  mfa_challenge_expired: { status: 422, message: 'MFA challenge has expired', mend: challengeAgain },
  mfa_factor_name_conflict: {
    status: 422,
    message: 'A factor with the friendly name for this user already exists',
    mend: 'Give the factor another name.',
  },
  mfa_factor_not_found: { status: 404, message: 'Factor not found', mend: 'List the factors and check the id.' },
  'mfa_factor_not_found/422': {
    status: 422,
    message: 'MFA factor with the provided challenge ID not found',
    mend: challengeAgain,
  },
  mfa_ip_address_mismatch: {
    status: 422,
    message: 'Challenge and verify IP addresses mismatch.',
    mend: challengeAgain,
  },
  mfa_totp_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for TOTP', mend: switchOn },
  mfa_totp_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for TOTP', mend: switchOn },
  mfa_phone_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for Phone', mend: switchOn },
  mfa_phone_verify_not_enabled: { status: 422, message: 'MFA verification is disabled for Phone', mend: switchOn },
  mfa_webauthn_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for WebAuthn', mend: switchOn },
  mfa_webauthn_verify_not_enabled: {
    status: 422,
    message: 'MFA verification is disabled for WebAuthn',
    mend: switchOn,
  },
  mfa_verification_failed: { status: 422, message: 'Invalid TOTP code entered', mend: 'Enter the newest code.' },
  mfa_verification_rejected: {
    status: 403,
    message: 'Further MFA verification attempts will be rejected.',
    mend: 'Sign in again.',
  },
  mfa_verified_factor_exists: {
    status: 422,
    message: 'A verified phone factor already exists, unenroll the existing factor to continue',
    mend: 'Unenroll the factor of that number.',
  },
  too_many_enrolled_mfa_factors: {
    status: 422,
    message: 'Maximum number of verified factors reached, unenroll to continue',
    mend: 'Unenroll a factor.',
  },
  passkey_disabled: { status: 404, message: 'Passkeys are disabled', mend: 'Switch passkeys on.' },
  too_many_passkeys: { status: 422, message: 'Maximum number of passkeys reached', mend: 'Delete a passkey.' },
  webauthn_challenge_not_found: {
    status: 400,
    message: 'Challenge not found or already used',
    mend: 'Begin the ceremony again.',
  },
  webauthn_challenge_expired: { status: 400, message: 'Challenge has expired', mend: 'Begin the ceremony again.' },
  webauthn_verification_failed: {
    status: 400,
    message: 'Credential verification failed',
    mend: 'Check the relying party’s id and origins in the settings.',
  },
  webauthn_credential_exists: {
    status: 422,
    message: 'This credential is already registered',
    mend: 'Use it to sign in.',
  },
  'email_not_confirmed/403': { status: 403, message: 'Email not confirmed', mend: 'Follow the link in the mail.' },
  'phone_not_confirmed/403': {
    status: 403,
    message: 'Phone not confirmed',
    mend: 'Enter the code sent to the number.',
  },
} as const
