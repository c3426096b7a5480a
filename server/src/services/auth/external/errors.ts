import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of signing in with a provider and of removing an identity (auth §13, §14). */
export const externalError = catalogue({
  email_conflict_identity_not_deletable: {
    status: 422,
    message: 'Unable to unlink identity due to email conflict',
    hint: 'Keep this way to sign in, or free the address first.',
  },
  identity_not_found: { status: 422, message: "Identity doesn't exist", hint: 'Check the identity’s id.' },
  single_identity_not_deletable: {
    status: 422,
    message: 'User must have at least 1 identity after unlinking',
    hint: 'Add another way to sign in first.',
  },
  invite_not_found: { status: 404, message: 'Invite not found', hint: 'Have the user invited again.' },
  manual_linking_disabled: { status: 404, message: 'Manual linking is disabled', hint: 'Switch manual linking on.' },
  bad_oauth_callback: {
    status: 400,
    message: 'OAuth callback with missing authorization code missing',
    hint: 'Begin the sign-in again.',
  },
  bad_oauth_state: { status: 400, message: 'OAuth state not found or expired', hint: 'Begin the sign-in again.' },
  flow_state_already_used: { status: 400, message: 'State has already been used', hint: 'Begin the sign-in again.' },
  oauth_client_state_expired: { status: 422, message: 'OAuth state expired', hint: 'Begin the sign-in again.' },
  oauth_client_state_not_found: { status: 422, message: 'OAuth state not found', hint: 'Begin the sign-in again.' },
  oauth_invalid_state: { status: 400, message: 'OAuth PKCE code verifier missing', hint: 'Begin the sign-in again.' },
  oauth_provider_not_supported: { status: 400, message: 'Unsupported provider', hint: 'Switch the provider on.' },
  provider_disabled: { status: 400, message: 'The provider is not enabled', hint: 'Switch the provider on.' },
  unexpected_audience: {
    status: 403,
    message: "Token audience doesn't match request audience",
    hint: 'Send the audience of the token, or none.',
  },
})
