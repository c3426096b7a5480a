import { apple } from './apple.ts'
import { azure } from './azure.ts'
import { bitbucket } from './bitbucket.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { figma } from './figma.ts'
import { fly } from './fly.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { google } from './google.ts'
import { kakao } from './kakao.ts'
import { keycloak } from './keycloak.ts'
import { linkedin, linkedinOidc } from './linkedin.ts'
import type { ProviderName } from './names.ts'
import { notion } from './notion.ts'
import type { ProviderDefinition } from './provider.ts'
import { slack, slackOidc } from './slack.ts'
import { snapchat } from './snapchat.ts'
import { spotify } from './spotify.ts'
import { twitch } from './twitch.ts'
import { vercelMarketplace } from './vercel-marketplace.ts'
import { workos } from './workos.ts'
import { x } from './x.ts'
import { zoom } from './zoom.ts'

/** Every provider that speaks OAuth 2; `twitter` speaks the first version. */
export const definitions: Readonly<Record<Exclude<ProviderName, 'twitter'>, ProviderDefinition>> = {
  apple,
  azure,
  bitbucket,
  discord,
  facebook,
  figma,
  fly,
  github,
  gitlab,
  google,
  kakao,
  keycloak,
  linkedin,
  linkedin_oidc: linkedinOidc,
  notion,
  slack,
  slack_oidc: slackOidc,
  snapchat,
  spotify,
  twitch,
  vercel_marketplace: vercelMarketplace,
  workos,
  x,
  zoom,
}
