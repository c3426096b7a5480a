import type { TakeToken } from '../../../ground/limits/token-bucket.ts'
import { operatorsError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { OperatorsSettings } from '../settings.ts'
import type { Client } from './client.ts'
import { type CookieScope, readDeviceCookie } from './cookie.ts'

export interface AttemptsDeps {
  readonly take: TakeToken
  readonly secrets: Pick<Secrets, 'isDeviceOf'>
  readonly cookieScope: CookieScope
  readonly settings: Pick<OperatorsSettings, 'attemptsPerAccount' | 'attemptsPerAddress' | 'attemptWindowSeconds'>
}

/** The brute-force limits. Each method counts one attempt. @throws CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
export interface Attempts {
  setup(client: Client): void
  /** @param account the e-mail address in lower case, of an account that may not exist */
  signIn(account: string, client: Client): void
  secondFactor(operator: { readonly id: string; readonly email: string }, client: Client): void
  /** A proof by an operator who is signed in. */
  proof(operatorId: string, sessionId: string): void
}

/**
 * Attempts are counted by account and address. Behind a proxy that is not named in `trusted_proxies` all clients have one
 * address, and wrong guesses would lock operators out: a browser that signed in to the account before is counted apart.
 */
export function createAttempts({ take, secrets, cookieScope, settings }: AttemptsDeps): Attempts {
  const { attemptsPerAccount, attemptsPerAddress, attemptWindowSeconds } = settings
  const limit = (key: string, burst: number): void => {
    const waitSeconds = take(key, { burst, refillPerSecond: burst / attemptWindowSeconds })
    if (waitSeconds === null) return
    throw operatorsError('CLEW_OPERATORS_TOO_MANY_ATTEMPTS', { headers: { 'retry-after': String(waitSeconds) } })
  }
  const knownDevice = ({ cookieHeader }: Client, account: string): string | null => {
    const device = readDeviceCookie(cookieHeader, cookieScope)
    return device !== null && secrets.isDeviceOf(device, account) ? device : null
  }
  return {
    setup: ({ address }) => limit(`address ${address}`, attemptsPerAddress),
    signIn(account, client) {
      const device = knownDevice(client, account)
      if (device === null) limit(`address ${client.address}`, attemptsPerAddress)
      const source = device === null ? `address ${client.address}` : `device ${device}`
      limit(`account ${account} ${source}`, attemptsPerAccount)
    },
    secondFactor({ id, email }, client) {
      const device = knownDevice(client, email)
      // An attacker who knows the password may use many addresses: all unknown browsers share one count.
      limit(`factor ${id} ${device === null ? '' : `device ${device}`}`, attemptsPerAccount)
    },
    proof: (operatorId, sessionId) => limit(`factor ${operatorId} session ${sessionId}`, attemptsPerAccount),
  }
}
