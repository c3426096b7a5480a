import { hashToken } from '../../../ground/ids/tokens.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import { authError, oauthError } from '../model/errors.ts'
import { readText } from '../parse/body.ts'
import { useOnce } from '../store/single-use.ts'
import { checkMessage } from './check-message.ts'
import type { Web3Deps } from './deps.ts'
import { web3Error } from './errors.ts'
import { type Chain, parseMessage, type SignInMessage } from './message.ts'
import { isSignedByItsAddress, parseSignature } from './signature.ts'

const minMessageBytes = 64
const maxMessageBytes = 20 * 1024

/** `POST /token?grant_type=web3` (auth §7): a message that the owner of a wallet has signed. */
export async function web3Grant(deps: Web3Deps, call: Call): Promise<AuthResponse> {
  const { body, context } = call
  const { settings } = deps
  const chain = parseChain(deps, readText(body, 'chain'))
  const text = readText(body, 'message')
  const sizeBytes = Buffer.byteLength(text)
  if (sizeBytes < minMessageBytes) throw authError('validation_failed', { message: 'message is too short' })
  if (sizeBytes > maxMessageBytes) throw authError('validation_failed', { message: 'message must not exceed 20KB' })
  const signature = parseSignature(chain, readText(body, 'signature'))
  const message = parseMessage(chain, text)
  if (!isSignedByItsAddress(chain, message, signature))
    throw oauthError('invalid_grant', 'Signature does not match address in message')
  const now = deps.now()
  const { web3MaximumValiditySeconds: maximumValiditySeconds } = settings
  checkMessage(chain, message, deps.redirects, { now, maximumValiditySeconds })

  const signIn = { provider: 'web3', user: walletUser(chain, message), emailOptional: true }
  const result = await deps.retryOnDuplicate(() =>
    deps.outbox.changeAndSend(context, async (sql, post) => {
      const expiresAt = new Date(message.issuedAt.getTime() + maximumValiditySeconds * 1000 + 1000)
      // By the message, not the signature: of that there may be several.
      if (!(await useOnce(sql, 'web3', hashToken(text), expiresAt, now)))
        throw oauthError('invalid_grant', 'Signed message has already been used')
      const account = await deps.resolveAccount(sql, signIn, call, post)
      return account.kind === 'error' ? account : deps.issueSession(sql, account.user, 'web3')
    }),
  )
  // Thrown after the commit: the message is used up.
  if ('error' in result) throw result.error
  return result.reply
}

function parseChain({ settings }: Pick<Web3Deps, 'settings'>, text: string): Chain {
  const enabled = { ethereum: settings.web3EthereumEnabled, solana: settings.web3SolanaEnabled }
  if (!enabled.ethereum && !enabled.solana) throw web3Error('web3_provider_disabled')
  if (text !== 'ethereum' && text !== 'solana') throw web3Error('web3_unsupported_chain')
  if (!enabled[text])
    throw web3Error('web3_provider_disabled', {
      message: `${text === 'solana' ? 'Solana' : 'Ethereum'} Web3 provider is disabled`,
    })
  return text
}

/** A wallet as a user: it has no address but its own. Upper and lower case of Ethereum's is only a checksum. */
function walletUser(chain: Chain, message: SignInMessage) {
  const address = chain === 'ethereum' ? message.address.toLowerCase() : message.address
  return {
    subject: `web3:${chain}:${address}`,
    emails: [],
    claims: {
      custom_claims: {
        address,
        chain,
        network: message.chainId ?? '',
        domain: message.domain,
        statement: message.statement ?? '',
      },
    },
  }
}
