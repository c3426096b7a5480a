import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of passkeys (auth §16). */
export const passkeyError = catalogue({
  passkey_disabled: { status: 404, message: 'Passkeys are disabled', hint: 'Switch passkeys on.' },
  too_many_passkeys: { status: 422, message: 'Maximum number of passkeys reached', hint: 'Delete a passkey.' },
  webauthn_challenge_not_found: {
    status: 400,
    message: 'Challenge not found or already used',
    hint: 'Begin the ceremony again.',
  },
  webauthn_challenge_expired: { status: 400, message: 'Challenge has expired', hint: 'Begin the ceremony again.' },
  webauthn_verification_failed: {
    status: 400,
    message: 'Credential verification failed',
    hint: 'Check the relying party’s id and origins in the settings.',
  },
  webauthn_credential_exists: {
    status: 422,
    message: 'This credential is already registered',
    hint: 'Use it to sign in.',
  },
  'email_not_confirmed/403': { status: 403, message: 'Email not confirmed', hint: 'Follow the link in the mail.' },
  'phone_not_confirmed/403': {
    status: 403,
    message: 'Phone not confirmed',
    hint: 'Enter the code sent to the number.',
  },
})
