/** What stands in place of a secret. */
export const redacted = '(redacted)'

/** Names of parameters and fields that are credentials, in lower case. */
export const secretParameters = new Set([
  'apikey',
  'api_key',
  'access_token',
  'refresh_token',
  'provider_token',
  'token',
])
for (const name of [
  'provider_refresh_token',
  'token_hash',
  'password',
  'secret',
  'client_secret',
  'code_verifier',
  'jwt',
  'id_token',
  'invite_token',
  'oauth_token',
  'oauth_verifier',
])
  secretParameters.add(name)

// Nothing of a run of letters is tried twice: a text of many beginnings takes no longer than any other.
const token = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*|\b(?:sb_secret|sbp|sk|pk|ghp|gho|xox[abp])_?[-_][\w-]{12,}/g
const parameter = new RegExp(`([?&#](?:${[...secretParameters].join('|')})=)[^&#\\s"]+`, 'gi')

// What both look for has one of these: nearly every text ends with this test, at a tenth of their time.
const suspicious = /eyJ|[-_][\w-]{12}|[?&#]/

/** A text without the tokens in it: JWTs, keys by their usual beginnings, credentials in addresses. */
export const withoutTokens = (text: string): string =>
  suspicious.test(text) ? text.replace(token, redacted).replace(parameter, `$1${redacted}`) : text
