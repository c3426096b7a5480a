import { hashToken } from '../../../ground/ids/tokens.ts'
import type { Call, Parts, Reply } from '../deps.ts'
import { authError, oauthError } from '../errors.ts'
import { onceMore, resolveAccount } from '../external/account.ts'
import { readText } from '../parse/body.ts'
import { issueSession } from '../sessions/issue-session.ts'
import { useOnce } from '../store/single-use.ts'
import { checkMessage } from './check-message.ts'
import { type Chain, parseMessage, type SignInMessage } from './message.ts'
import { isSignedByItsAddress, parseSignature } from './signature.ts'

const minMessageBytes = 64
const maxMessageBytes = 20 * 1024

/** `POST /token?grant_type=web3` (auth §7): a message that the owner of a wallet has signed. */
export async function web3Grant(parts: Parts, call: Call): Promise<Reply> {
  const { body, work } = call
  const { settings } = parts
  const chain = parseChain(parts, readText(body, 'chain'))
  const text = readText(body, 'message')
  const sizeBytes = Buffer.byteLength(text)
  if (sizeBytes < minMessageBytes) throw authError('validation_failed', { message: 'message is too short' })
  if (sizeBytes > maxMessageBytes) throw authError('validation_failed', { message: 'message must not exceed 20KB' })
  const signature = parseSignature(chain, readText(body, 'signature'))
  const message = parseMessage(chain, text)
  if (!isSignedByItsAddress(chain, message, signature))
    throw oauthError('invalid_grant', 'Signature does not match address in message')
  const now = parts.now()
  const { web3MaximumValiditySeconds: maximumValiditySeconds } = settings
  checkMessage(chain, message, parts.redirects, { now, maximumValiditySeconds })

  const signIn = { provider: 'web3', user: walletUser(chain, message), emailOptional: true }
  const result = await onceMore(() =>
    parts.outbox.changeAndSend(work, async (sql, post) => {
      const refusedAt = new Date(message.issuedAt.getTime() + maximumValiditySeconds * 1000 + 1000)
      // By the message, not the signature: of that there may be several.
      if (!(await useOnce(sql, 'web3', hashToken(text), refusedAt, now, work)))
        throw oauthError('invalid_grant', 'Signed message has already been used')
      const account = await resolveAccount(parts, sql, signIn, call, post)
      return account.kind === 'refused' ? account : issueSession(parts, sql, account.user, 'web3', work)
    }),
  )
  // Thrown after the commit: the message is used up.
  if ('error' in result) throw result.error
  return result.reply
}

function parseChain({ settings }: Pick<Parts, 'settings'>, text: string): Chain {
  const enabled = { ethereum: settings.web3EthereumEnabled, solana: settings.web3SolanaEnabled }
  if (!enabled.ethereum && !enabled.solana) throw authError('web3_provider_disabled')
  if (text !== 'ethereum' && text !== 'solana') throw authError('web3_unsupported_chain')
  if (!enabled[text])
    throw authError('web3_provider_disabled', {
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
