import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of the OAuth server (auth §20). */
export const oauthServerError = catalogue({
  oauth_authorization_not_found: {
    status: 404,
    message: 'authorization not found',
    hint: 'Have the application begin its sign-in again.',
  },
  oauth_client_not_found: { status: 404, message: 'OAuth client not found', hint: 'Check the client’s id.' },
  'oauth_client_not_found/400': { status: 400, message: 'invalid client_id', hint: 'Check the client’s id.' },
  oauth_consent_not_found: {
    status: 404,
    message: 'No active grant found for this client',
    hint: 'List the grants that there are.',
  },
  oauth_dynamic_client_registration_disabled: {
    status: 403,
    message: 'Dynamic client registration is not enabled',
    hint: 'Have an administrator register the client, or switch registration on.',
  },
})
