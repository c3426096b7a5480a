import { type AuthSettings, authSettings, type GivenAuthSettings, settleAuthSettings } from './settings.ts'

/** What the settings of an instance leave open is decided by how it runs. */
export interface AuthInstance {
  readonly production: boolean
  /** Where browsers reach the API, without a slash at the end. */
  readonly apiUrl: string
}

/**
 * The settings of one instance. A default address cannot know the instance's own: where none other is given, links lead to
 * `apiUrl`. Production limits calls by their address.
 */
export const authSettingsOf = (given: GivenAuthSettings, { production, apiUrl }: AuthInstance): AuthSettings => ({
  ...settleAuthSettings(given, production),
  externalUrl: given.externalUrl === authSettings.externalUrl.default ? `${apiUrl}/auth/v1` : given.externalUrl,
  siteUrl: given.siteUrl === authSettings.siteUrl.default ? apiUrl : given.siteUrl,
  rateLimitByAddress: given.rateLimitByAddress || production,
})
