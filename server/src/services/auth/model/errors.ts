import { catalogue } from '../../../ground/errors/catalogue.ts'
import type { ServiceError } from '../../../ground/errors/service-error.ts'

const signInAgain = 'Sign in again.'
const checkBody = 'Check the fields of the request against the client library’s documentation.'
const laterOn = 'Wait as long as the message says and try again.'

/**
 * The errors of this service. The part before `/` is the code on the wire; where the protocol answers one code with
 * several statuses, the others are listed as `code/status`.
 *
 * @see https://supabase.com/docs/guides/auth/debugging/error-codes
 */
export const authError = catalogue({
  'insufficient_aal/403': {
    status: 403,
    message: 'AAL2 required to enroll a new factor',
    hint: 'Verify a factor first.',
  },
  anonymous_provider_disabled: {
    status: 422,
    message: 'Anonymous sign-ins are disabled',
    hint: 'Give an e-mail address, or switch anonymous sign-ins on.',
  },
  bad_code_verifier: {
    status: 400,
    message: 'code challenge does not match previously saved code verifier',
    hint: 'Exchange the code in the browser that began the flow.',
  },
  bad_json: { status: 400, message: 'Could not parse request body as JSON', hint: checkBody },
  bad_jwt: { status: 403, message: 'invalid JWT: unable to parse or verify signature', hint: signInAgain },
  'bad_jwt/400': { status: 400, message: 'invalid claim: sub claim must be a UUID', hint: signInAgain },
  captcha_failed: {
    status: 400,
    message: 'captcha protection: request disallowed',
    hint: 'Solve the captcha and send its token as options.captchaToken.',
  },
  conflict: {
    status: 409,
    message: 'Too many concurrent token refresh requests on the same session or refresh token',
    hint: 'Try again.',
  },
  current_password_invalid: {
    status: 400,
    message: 'Current password required when setting new password.',
    hint: 'Check the current password.',
  },
  current_password_required: {
    status: 400,
    message: 'Current password required when setting new password.',
    hint: 'Send the current password as `current_password`.',
  },
  email_address_invalid: { status: 400, message: 'Email address is invalid', hint: 'Use another address.' },
  email_address_not_authorized: {
    status: 400,
    message: 'Email address cannot be used as it is not authorized',
    hint: 'Add the address, or its domain, to the authorised ones.',
  },
  email_exists: {
    status: 422,
    message: 'A user with this email address has already been registered',
    hint: 'Use another address.',
  },
  email_not_confirmed: { status: 400, message: 'Email not confirmed', hint: 'Follow the link in the mail.' },
  'email_not_confirmed/422': {
    status: 422,
    message: 'Please verify your email first.',
    hint: 'Follow the link in the mail.',
  },
  email_provider_disabled: {
    status: 400,
    message: 'Email signups are disabled',
    hint: 'Switch sign-up by e-mail on.',
  },
  'email_provider_disabled/422': {
    status: 422,
    message: 'Email logins are disabled',
    hint: 'Switch sign-in by e-mail on.',
  },
  flow_state_expired: {
    status: 422,
    message: 'invalid flow state, flow state has expired',
    hint: 'Begin the flow again.',
  },
  flow_state_not_found: {
    status: 404,
    message: 'invalid flow state, no valid flow state found',
    hint: 'Begin the flow again.',
  },
  invalid_credentials: {
    status: 400,
    message: 'Invalid login credentials',
    hint: 'Check the address and the password.',
  },
  no_authorization: {
    status: 401,
    message: 'This endpoint requires a valid Bearer token',
    hint: 'Send the session’s access token as `Authorization: Bearer …`.',
  },
  feature_disabled: {
    status: 404,
    message: 'This feature is disabled',
    hint: 'Switch it on in the settings.',
  },
  otp_disabled: { status: 422, message: 'Signups not allowed for otp', hint: 'Sign the user up first.' },
  otp_expired: { status: 403, message: 'Token has expired or is invalid', hint: 'Ask for a new code.' },
  over_email_send_rate_limit: {
    status: 429,
    message: 'For security purposes, you can only request this after some seconds.',
    hint: laterOn,
  },
  over_sms_send_rate_limit: {
    status: 429,
    message: 'For security purposes, you can only request this after some seconds.',
    hint: laterOn,
  },
  phone_exists: {
    status: 422,
    message: 'A user with this phone number has already been registered',
    hint: 'Use another number.',
  },
  phone_not_confirmed: { status: 400, message: 'Phone not confirmed', hint: 'Enter the code sent to the number.' },
  'phone_not_confirmed/422': {
    status: 422,
    message: 'Please verify your phone first.',
    hint: 'Enter the code sent to the number.',
  },
  over_request_rate_limit: { status: 429, message: 'Request rate limit reached', hint: laterOn },
  phone_provider_disabled: {
    status: 400,
    message: 'Phone signups are disabled',
    hint: 'Use an e-mail address.',
  },
  'phone_provider_disabled/422': { status: 422, message: 'Phone logins are disabled', hint: 'Use an e-mail address.' },
  request_timeout: {
    status: 504,
    message: 'Processing this request timed out, please retry after a moment.',
    hint: 'Try again; look at the mail server and the hooks, which calls wait for.',
  },
  reauthentication_needed: {
    status: 400,
    message: 'Password update requires reauthentication',
    hint: 'Ask for a code at /reauthenticate and send it as `nonce`.',
  },
  reauthentication_not_valid: {
    status: 422,
    message: 'Nonce has expired or is invalid',
    hint: 'Ask for a new code at /reauthenticate.',
  },
  refresh_token_already_used: {
    status: 400,
    message: 'Invalid Refresh Token: Already Used',
    hint: signInAgain,
  },
  refresh_token_not_found: {
    status: 400,
    message: 'Invalid Refresh Token: Refresh Token Not Found',
    hint: signInAgain,
  },
  request_entity_too_large: {
    status: 413,
    message: 'The request body is too large',
    hint: 'Send less than 1 MiB.',
  },
  same_password: {
    status: 422,
    message: 'New password should be different from the old password.',
    hint: 'Choose another password.',
  },
  session_expired: { status: 400, message: 'Invalid Refresh Token: Session Expired', hint: signInAgain },
  'session_expired/403': { status: 403, message: 'Session Expired', hint: signInAgain },
  session_not_found: {
    status: 403,
    message: 'Session from session_id claim in JWT does not exist',
    hint: signInAgain,
  },
  'session_not_found/400': {
    status: 400,
    message: 'Invalid Refresh Token: No Valid Session Found',
    hint: signInAgain,
  },
  signup_disabled: {
    status: 422,
    message: 'Signups not allowed for this instance',
    hint: 'Switch sign-ups on, or have the user invited.',
  },
  sms_send_failed: {
    status: 422,
    message: 'Error sending sms',
    hint: 'Check the SMS provider’s settings and its own log.',
  },
  unexpected_failure: {
    status: 500,
    message: 'Unexpected failure, please check server logs for more information',
    hint: 'Find the request by its id in the log.',
  },
  user_already_exists: { status: 422, message: 'User already registered', hint: 'Sign in instead.' },
  user_banned: { status: 403, message: 'User is banned', hint: 'Lift the ban, or wait until it ends.' },
  'user_banned/400': { status: 400, message: 'User is banned', hint: 'Lift the ban, or wait until it ends.' },
  user_not_found: {
    status: 403,
    message: 'User from sub claim in JWT does not exist',
    hint: signInAgain,
  },
  'user_not_found/404': { status: 404, message: 'User not found', hint: 'Check the id or the address.' },
  'no_authorization/403': {
    status: 403,
    message: 'This endpoint is not for this session',
    hint: 'Sign in to the application itself.',
  },
  oauth: { status: 400, message: 'invalid_request', hint: checkBody },
  not_admin: { status: 403, message: 'User not allowed', hint: 'Use the service_role key.' },
  insufficient_aal: {
    status: 401,
    message: 'AAL2 session is required to update email or password when MFA is enabled.',
    hint: 'Verify a factor first.',
  },
  user_sso_managed: { status: 422, message: 'User is managed by single sign-on', hint: 'Change it at the provider.' },
  validation_failed: { status: 400, message: 'The request is not valid', hint: checkBody },
  'validation_failed/422': { status: 422, message: 'The request is not valid', hint: checkBody },
  'validation_failed/404': { status: 404, message: 'The request is not valid', hint: checkBody },
  weak_password: { status: 422, message: 'Password is too weak', hint: 'Choose a longer or richer password.' },
})

/**
 * An error response as RFC 6749 §5.2 words it: `{"error", "error_description"}`, always 400 (auth §3).
 *
 * @param error       the code of the specification, `invalid_grant`
 * @param description what happened
 */
export const oauthError = (error: string, description: string, cause?: unknown): ServiceError =>
  authError('oauth', { message: description, details: { error }, cause })

export type AuthErrorCode = keyof typeof authError.entries
