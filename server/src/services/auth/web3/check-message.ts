import type { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Redirects } from '../http/redirect.ts'
import { oauthError } from '../model/errors.ts'
import type { Chain, SignInMessage } from './message.ts'

const names: Readonly<Record<Chain, string>> = { ethereum: 'Ethereum', solana: 'Solana' }

/**
 * Judges a message that is known to be signed by its address: whether it was meant for this application, and for now
 * (auth §7).
 *
 * @throws `invalid_grant`
 */
export function checkMessage(
  chain: Chain,
  message: SignInMessage,
  redirects: Pick<Redirects, 'isAllowed'>,
  { now, maximumValiditySeconds }: { readonly now: Date; readonly maximumValiditySeconds: number },
): void {
  const invalid = (fault: string): ServiceError => oauthError('invalid_grant', fault.replace('%', names[chain]))
  const { uri, uriText, domain, issuedAt, expiresAt, notBefore } = message
  if (uri.protocol !== 'https:' && !(uri.protocol === 'http:' && uri.hostname === 'localhost'))
    throw invalid('Signed % message is using URI which does not use HTTPS')
  if (!redirects.isAllowed(uriText))
    throw invalid(
      'Signed % message is using URI which is not allowed on this server, message was signed for another app',
    )
  // Wallets warn of a domain that is not the page's: a message for another one was signed in spite of that.
  if (uri.host !== domain.toLowerCase())
    throw invalid('Signed % message is using a Domain that does not match the one in URI')
  if (notBefore !== null && now < notBefore) throw invalid('Signed % message becomes valid in the future')
  if (expiresAt !== null && now > expiresAt) throw invalid('Signed % message is expired')
  const validityMs = maximumValiditySeconds * 1000
  if (now.getTime() > issuedAt.getTime() + validityMs) throw invalid('% message was issued too long ago')
  if (now.getTime() < issuedAt.getTime() - validityMs) throw invalid('% message was issued too far in the future')
}
