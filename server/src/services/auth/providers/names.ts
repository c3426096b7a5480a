/** The providers that are known by name; any other is a custom one (`custom:<identifier>`). */
export const providerNames = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'kakao',
  'keycloak',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'slack',
  'slack_oidc',
  'snapchat',
  'spotify',
  'twitch',
  'twitter',
  'vercel_marketplace',
  'workos',
  'x',
  'zoom',
] as const

export type ProviderName = (typeof providerNames)[number]

export const isProviderName = (name: string): name is ProviderName => providerNames.some((known) => known === name)
