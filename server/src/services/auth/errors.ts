import { catalogue } from '../../ground/errors/catalogue.ts'
import { customProviderError } from './custom-providers/errors.ts'
import { externalError } from './external/errors.ts'
import { factorError } from './factors/errors.ts'
import { hookError } from './hooks/errors.ts'
import { identityError } from './identities/errors.ts'
import { authError as commonError } from './model/errors.ts'
import { oauthServerError } from './oauth-server/errors.ts'
import { passkeyError } from './passkeys/errors.ts'
import { ssoError } from './sso/errors.ts'
import { web3Error } from './web3/errors.ts'

/**
 * Every error of the service: the common ones and those of each feature. The part before `/` is the code on the wire.
 *
 * @see https://supabase.com/docs/guides/auth/debugging/error-codes
 */
export const authError = catalogue({
  ...commonError.entries,
  ...identityError.entries,
  ...externalError.entries,
  ...customProviderError.entries,
  ...oauthServerError.entries,
  ...hookError.entries,
  ...factorError.entries,
  ...passkeyError.entries,
  ...ssoError.entries,
  ...web3Error.entries,
})
