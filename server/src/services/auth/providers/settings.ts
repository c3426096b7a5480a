import Type from 'typebox'
import {
  address,
  type Declared,
  matching,
  nullable,
  type Setting,
  setting,
  type Values,
} from '../../../ground/settings/setting.ts'
import { type ProviderName, providerNames } from './names.ts'

/** The settings of one provider: `[auth.external.<name>]` of a project's `config.toml`. */
const providerFields = {
  enabled: (name: string) =>
    setting(Type.Boolean(), { default: false, description: `Whether users may sign in with ${name}.` }),
  clientId: (name: string) =>
    setting(Type.Array(Type.String()), {
      default: [],
      description: `The client’s id at ${name}; further ones are accepted as audiences of ID tokens, as of mobile apps.`,
    }),
  secret: (name: string) =>
    setting(nullable(Type.String()), { default: null, secret: true, description: `The client’s secret at ${name}.` }),
  redirectUri: (name: string) =>
    setting(nullable(address(['https', 'http'])), {
      default: null,
      description: `Where ${name} sends users back to; by default the external URL with /callback.`,
    }),
  url: (name: string) =>
    setting(nullable(address(['https', 'http'])), {
      default: null,
      description: `The base address of ${name}, for installations of one’s own and tenants.`,
    }),
  skipNonceCheck: (name: string) =>
    setting(Type.Boolean(), {
      default: false,
      description: `Whether ID tokens of ${name} are accepted without comparing a nonce.`,
    }),
  emailOptional: (name: string) =>
    setting(Type.Boolean(), {
      default: false,
      description: `Whether users of ${name} may come in without an e-mail address.`,
    }),
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
  externalAppleTeamId: setting(nullable(Type.String()), {
    default: null,
    description: 'The Apple developer team, where the client secret is made here from a key instead of configured.',
  }),
  externalAppleKeyId: setting(nullable(Type.String()), { default: null, description: 'The id of that key.' }),
  externalApplePrivateKey: setting(nullable(Type.String()), {
    default: null,
    secret: true,
    description: 'That key, as the PEM text of the .p8 file.',
  }),
  externalAllowedIdTokenIssuers: setting(Type.Array(Type.String()), {
    default: [],
    description:
      'Further issuers whose ID tokens are exchanged for a session when the call names issuer and client_id.',
  }),
  externalTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 60 }), {
    limit: true,
    default: 10,
    description: 'How long one call to a provider may take.',
  }),
  maxExternalAnswerBytes: setting(Type.Integer({ minimum: 1024, maximum: 16_777_216 }), {
    limit: true,
    default: 1_048_576,
    description: 'The largest answer of a provider that is read.',
  }),
  rememberedIssuers: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 200,
    description: 'How many OpenID issuers are remembered with their configuration and keys.',
  }),
  providerLinkingDomains: setting(
    Type.Array(
      matching({
        allowed: 'providers with their domain (facebook=social)',
        fits: (pair) => /^[^=]+=[^=]+$/.test(pair),
      }),
    ),
    {
      default: [],
      description: 'Providers whose users are linked by e-mail address only to those of the same domain.',
    },
  ),
  enableManualLinking: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may add and remove ways to sign in by themselves.',
  }),
  emailAllowUnverifiedSignIns: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users of providers may sign in before their e-mail address is confirmed.',
  }),
  customProvidersEnabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether administrators may add OAuth and OpenID Connect providers of their own.',
  }),
  customProvidersMax: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 0,
    description: 'How many custom providers there may be; 0 for no limit.',
  }),
  customProvidersAllowLoopback: setting(Type.Boolean(), {
    default: false,
    description: 'For development: whether custom providers may be on this machine, without https.',
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
