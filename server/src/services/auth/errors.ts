import { catalogue } from '../../ground/errors/catalogue.ts'

const signInAgain = 'Sign in again.'
const checkBody = 'Check the fields of the request against the client library’s documentation.'
const laterOn = 'Wait as long as the message says and try again.'

/**
 * Every way this service refuses. The part before `/` is the code on the wire; where the protocol answers one code with
 * several statuses, the others are listed as `code/status`.
 *
 * @see https://supabase.com/docs/guides/auth/debugging/error-codes
 */
export const authError = catalogue({
  anonymous_provider_disabled: {
    status: 422,
    message: 'Anonymous sign-ins are disabled',
    mend: 'Give an e-mail address, or switch anonymous sign-ins on.',
  },
  bad_code_verifier: {
    status: 400,
    message: 'code challenge does not match previously saved code verifier',
    mend: 'Exchange the code in the browser that began the flow.',
  },
  bad_json: { status: 400, message: 'Could not parse request body as JSON', mend: checkBody },
  bad_jwt: { status: 403, message: 'invalid JWT: unable to parse or verify signature', mend: signInAgain },
  'bad_jwt/400': { status: 400, message: 'invalid claim: sub claim must be a UUID', mend: signInAgain },
  conflict: {
    status: 409,
    message: 'Too many concurrent token refresh requests on the same session or refresh token',
    mend: 'Try again.',
  },
  email_exists: {
    status: 422,
    message: 'A user with this email address has already been registered',
    mend: 'Use another address.',
  },
  email_not_confirmed: { status: 400, message: 'Email not confirmed', mend: 'Follow the link in the mail.' },
  email_provider_disabled: {
    status: 400,
    message: 'Email signups are disabled',
    mend: 'Switch sign-up by e-mail on.',
  },
  'email_provider_disabled/422': {
    status: 422,
    message: 'Email logins are disabled',
    mend: 'Switch sign-in by e-mail on.',
  },
  flow_state_expired: {
    status: 422,
    message: 'invalid flow state, flow state has expired',
    mend: 'Begin the flow again.',
  },
  flow_state_not_found: {
    status: 404,
    message: 'invalid flow state, no valid flow state found',
    mend: 'Begin the flow again.',
  },
  invalid_credentials: {
    status: 400,
    message: 'Invalid login credentials',
    mend: 'Check the address and the password.',
  },
  no_authorization: {
    status: 401,
    message: 'This endpoint requires a valid Bearer token',
    mend: 'Send the session’s access token as `Authorization: Bearer …`.',
  },
  otp_disabled: { status: 422, message: 'Signups not allowed for otp', mend: 'Sign the user up first.' },
  otp_expired: { status: 403, message: 'Token has expired or is invalid', mend: 'Ask for a new code.' },
  over_email_send_rate_limit: {
    status: 429,
    message: 'For security purposes, you can only request this after some seconds.',
    mend: laterOn,
  },
  over_request_rate_limit: { status: 429, message: 'Request rate limit reached', mend: laterOn },
  phone_provider_disabled: {
    status: 400,
    message: 'Phone signups are disabled',
    mend: 'Use an e-mail address.',
  },
  'phone_provider_disabled/422': { status: 422, message: 'Phone logins are disabled', mend: 'Use an e-mail address.' },
  refresh_token_already_used: {
    status: 400,
    message: 'Invalid Refresh Token: Already Used',
    mend: signInAgain,
  },
  refresh_token_not_found: {
    status: 400,
    message: 'Invalid Refresh Token: Refresh Token Not Found',
    mend: signInAgain,
  },
  request_entity_too_large: {
    status: 413,
    message: 'The request body is too large',
    mend: 'Send less than 1 MiB.',
  },
  same_password: {
    status: 422,
    message: 'New password should be different from the old password.',
    mend: 'Choose another password.',
  },
  session_expired: { status: 400, message: 'Invalid Refresh Token: Session Expired', mend: signInAgain },
  session_not_found: {
    status: 403,
    message: 'Session from session_id claim in JWT does not exist',
    mend: signInAgain,
  },
  'session_not_found/400': {
    status: 400,
    message: 'Invalid Refresh Token: No Valid Session Found',
    mend: signInAgain,
  },
  signup_disabled: {
    status: 422,
    message: 'Signups not allowed for this instance',
    mend: 'Switch sign-ups on, or have the user invited.',
  },
  unexpected_failure: {
    status: 500,
    message: 'Unexpected failure, please check server logs for more information',
    mend: 'Find the request by its id in the log.',
  },
  user_already_exists: { status: 422, message: 'User already registered', mend: 'Sign in instead.' },
  user_banned: { status: 403, message: 'User is banned', mend: 'Lift the ban, or wait until it ends.' },
  'user_banned/400': { status: 400, message: 'User is banned', mend: 'Lift the ban, or wait until it ends.' },
  user_not_found: {
    status: 403,
    message: 'User from sub claim in JWT does not exist',
    mend: signInAgain,
  },
  not_admin: { status: 403, message: 'User not allowed', mend: 'Use the service_role key.' },
  insufficient_aal: {
    status: 401,
    message: 'AAL2 session is required to update email or password when MFA is enabled.',
    mend: 'Verify a factor first.',
  },
  user_sso_managed: { status: 422, message: 'User is managed by single sign-on', mend: 'Change it at the provider.' },
  validation_failed: { status: 400, message: 'The request is not valid', mend: checkBody },
  'validation_failed/422': { status: 422, message: 'The request is not valid', mend: checkBody },
  weak_password: { status: 422, message: 'Password is too weak', mend: 'Choose a longer or richer password.' },
})

export type AuthErrorCode = keyof typeof authError.entries
