import acme from 'acme-client'

/** An order of a certificate. */
export interface CertificateOrder {
  readonly directoryUrl: string
  readonly email: string | null
  /** The account's private key, in PEM. */
  readonly accountKey: string
  /** Host names. */
  readonly names: readonly string[]
  /** Has a challenge answered, by its token; no longer where the answer is null. */
  readonly answer: (token: string, answer: string | null) => void
}

/** An authority takes seconds to ask; a process that stops waits no longer than half a minute. */
const patience = { backoffAttempts: 10, backoffMin: 1_000, backoffMax: 5_000 }

/**
 * Obtains a certificate by HTTP-01.
 *
 * @returns the chain and its private key, in PEM
 * @throws what the authority said
 * @see RFC 8555 §7, §8.3
 */
export async function obtainCertificate(order: CertificateOrder): Promise<string> {
  const { directoryUrl, email, accountKey, names, answer } = order
  const client = new acme.Client({ directoryUrl, accountKey, ...patience })
  const [key, csr] = await acme.crypto.createCsr({ altNames: [...names] }, await acme.crypto.createPrivateEcdsaKey())
  const chain = await client.auto({
    csr,
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // A machine behind a router need not reach itself by its public name; the authority does.
    skipChallengeVerification: true,
    challengeCreateFn: async (_authorization, { token }, keyAuthorization) => answer(token, keyAuthorization),
    challengeRemoveFn: async (_authorization, { token }) => answer(token, null),
    ...(email === null ? {} : { email }),
  })
  return `${chain.trim()}\n${key.toString()}`
}

/** A new private key of an account, in PEM. */
export const createAccountKey = async (): Promise<string> => (await acme.crypto.createPrivateEcdsaKey()).toString()
