import type { LinkingDomains, LinkingFacts } from '../model/linking.ts'
import type { ProvidedEmail } from '../model/provided-user.ts'

/** The user that a provider's user is. */
export type LinkingPlan =
  | { readonly kind: 'exists'; readonly userId: string }
  | { readonly kind: 'link'; readonly userId: string }
  | { readonly kind: 'create'; readonly email: string | null }
  | { readonly kind: 'ambiguous' }

/**
 * Decides which user a provider's user is (auth §13, "Account linking decision").
 *
 * @param leading the address a new user gets; dropped when it is unverified and taken
 */
export function planLinking(
  facts: LinkingFacts,
  leading: ProvidedEmail | null,
  verified: readonly string[],
): LinkingPlan {
  if (facts.owner !== null) return { kind: 'exists', userId: facts.owner }
  const [match, ...others] = facts.matches
  if (others.length > 0) return { kind: 'ambiguous' }
  if (match !== undefined) return { kind: 'link', userId: match }
  const email = leading?.address.toLowerCase() ?? ''
  const mayHaveIt = email !== '' && (verified.includes(email) || !facts.addressTaken)
  return { kind: 'create', email: mayHaveIt ? email : null }
}

/**
 * Addresses that count as the user's own, lower-cased: those the provider verified. Also where a project confirms none:
 * an unverified address must not open an existing account.
 */
export function verifiedAddresses(emails: readonly ProvidedEmail[]): readonly string[] {
  const counted = emails.filter((email) => email.address !== '' && email.verified)
  return [...new Set(counted.map((email) => email.address.toLowerCase()))]
}

/** Reads the setting: `facebook=social` puts Facebook into the domain `social`. */
export const parseLinkingDomains = (pairs: readonly string[]): LinkingDomains =>
  new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
