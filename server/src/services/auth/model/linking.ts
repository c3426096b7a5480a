/** The facts of the database that decide which user a provider's user is. */
export interface LinkingFacts {
  /** The user who has this very identity. */
  readonly owner: string | null
  /** Users of the linking domain who have one of the verified addresses, each once. */
  readonly matches: readonly string[]
  /** Whether a user has the leading address already, verified or not. */
  readonly addressTaken: boolean
}

/** Which identities may belong to one user: single sign-on providers are each alone, others share a domain. */
export type LinkingDomains = ReadonlyMap<string, string>

export const defaultDomain = 'default'

/** The linking domain of a provider. */
export const linkingDomainOf = (provider: string, domains: LinkingDomains): string =>
  provider.startsWith('sso:') ? provider : (domains.get(provider) ?? defaultDomain)
