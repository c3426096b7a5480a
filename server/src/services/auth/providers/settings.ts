import {
  type Declared,
  flag,
  integer,
  list,
  optionalAddress,
  optionalText,
  type Setting,
  type Values,
} from '../../../ground/settings/setting.ts'
import { type ProviderName, providerNames } from './names.ts'

/** What can be said of one provider: `[auth.external.<name>]` of a project's `config.toml`. */
const providerFields = {
  enabled: (name: string) => flag({ default: false, about: `Whether users may sign in with ${name}.` }),
  clientId: (name: string) =>
    list({
      default: [],
      about: `The client’s id at ${name}; further ones are accepted as audiences of ID tokens, as of mobile apps.`,
    }),
  secret: (name: string) => optionalText({ default: null, secret: true, about: `The client’s secret at ${name}.` }),
  redirectUri: (name: string) =>
    optionalAddress({
      schemes: ['https', 'http'],
      default: null,
      about: `Where ${name} sends users back to; the external URL with /callback when not given.`,
    }),
  url: (name: string) =>
    optionalAddress({
      schemes: ['https', 'http'],
      default: null,
      about: `The base address of ${name}, for installations of one’s own and tenants.`,
    }),
  skipNonceCheck: (name: string) =>
    flag({ default: false, about: `Whether ID tokens of ${name} are accepted without comparing a nonce.` }),
  emailOptional: (name: string) =>
    flag({ default: false, about: `Whether users of ${name} may come in without an e-mail address.` }),
} as const

type Fields = typeof providerFields
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>}${Camel<Rest>}`
  : Capitalize<Name>

/** One flat setting for every field of every provider: `externalGoogleClientId`. */
type ProviderSettings = {
  readonly [Name in ProviderName as `external${Camel<Name>}Enabled`]: ReturnType<Fields['enabled']>
} & { readonly [Name in ProviderName as `external${Camel<Name>}ClientId`]: ReturnType<Fields['clientId']> } & {
  readonly [Name in ProviderName as `external${Camel<Name>}Secret`]: ReturnType<Fields['secret']>
} & { readonly [Name in ProviderName as `external${Camel<Name>}RedirectUri`]: ReturnType<Fields['redirectUri']> } & {
  readonly [Name in ProviderName as `external${Camel<Name>}Url`]: ReturnType<Fields['url']>
} & {
  readonly [Name in ProviderName as `external${Camel<Name>}SkipNonceCheck`]: ReturnType<Fields['skipNonceCheck']>
} & { readonly [Name in ProviderName as `external${Camel<Name>}EmailOptional`]: ReturnType<Fields['emailOptional']> }

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const settingName = (provider: string, field: string): string =>
  `external${provider.split('_').map(capital).join('')}${capital(field)}`

function declareProviders(): ProviderSettings {
  const declared: Record<string, Setting<unknown>> = {}
  for (const provider of providerNames)
    for (const [field, make] of Object.entries(providerFields)) declared[settingName(provider, field)] = make(provider)
  // The names were made as the type makes them.
  return declared as ProviderSettings
}

/** Everything about sign-in with others' accounts. */
export const externalSettings = {
  ...declareProviders(),
  externalAppleTeamId: optionalText({
    default: null,
    about: 'The Apple developer team, where the client secret is made here from a key instead of given.',
  }),
  externalAppleKeyId: optionalText({ default: null, about: 'The id of that key.' }),
  externalApplePrivateKey: optionalText({
    default: null,
    secret: true,
    about: 'That key, as the PEM text of the .p8 file.',
  }),
  externalAllowedIdTokenIssuers: list({
    default: [],
    about: 'Further issuers whose ID tokens are exchanged for a session when the call names issuer and client_id.',
  }),
  externalTimeoutSeconds: integer({
    default: 10,
    min: 1,
    max: 60,
    about: 'How long one call to a provider may take.',
  }),
  externalAnswerLimitBytes: integer({
    default: 1_048_576,
    min: 1024,
    max: 16_777_216,
    about: 'The largest answer of a provider that is read.',
  }),
  providerLinkingDomains: list({
    of: { allowed: 'providers with their domain (facebook=social)', fits: (pair) => /^[^=]+=[^=]+$/.test(pair) },
    default: [],
    about: 'Providers whose users are linked by e-mail address only to those of the same domain.',
  }),
  enableManualLinking: flag({
    default: false,
    about: 'Whether users may add and remove ways to sign in by themselves.',
  }),
  emailAllowUnverifiedSignIns: flag({
    default: false,
    about: 'Whether users of providers may sign in before their e-mail address is confirmed.',
  }),
  customProvidersEnabled: flag({
    default: true,
    about: 'Whether administrators may add OAuth and OpenID Connect providers of their own.',
  }),
  customProvidersMax: integer({
    default: 0,
    min: 0,
    max: 10_000,
    about: 'How many custom providers there may be; 0 for no limit.',
  }),
  customProvidersAllowLoopback: flag({
    default: false,
    about: 'For development: whether custom providers may be on this machine, without https.',
  }),
} as const satisfies Declared

export type ExternalSettings = Values<typeof externalSettings>

/** One provider's part of the settings. */
export interface ProviderConfig {
  readonly enabled: boolean
  /** The first is the one users are sent with; all are audiences of ID tokens. */
  readonly clientId: readonly string[]
  readonly secret: string | null
  readonly redirectUri: string | null
  /** Without a slash at its end. */
  readonly url: string | null
  readonly skipNonceCheck: boolean
  readonly emailOptional: boolean
}

/** Gathers what the settings say of one provider. */
export function providerConfig(settings: ExternalSettings, name: ProviderName): ProviderConfig {
  const values: Readonly<Record<string, unknown>> = settings
  const gathered = Object.keys(providerFields).map((field) => [field, values[settingName(name, field)]])
  // Every field was declared above with the type it has in ProviderConfig.
  return Object.fromEntries(gathered) as ProviderConfig
}
