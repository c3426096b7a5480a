import { createMailer } from '../engines/mail/index.ts'
import { findOwnUrl, type OwnAddress } from '../ground/http/own-address.ts'
import { derivedOf } from '../ground/ids/root-keys.ts'
import type { KeyRotation } from '../ground/jwt/rotation.ts'
import { withValues } from '../ground/settings/live.ts'
import {
  type AuthDeps,
  authSettingsOf,
  checkAuthSecrets,
  createAuth,
  createKeyUses,
  openTrustedIssuers,
  planSmsDelivery,
} from '../services/auth/index.ts'
import { type Inbox, textMessage } from '../services/inbox/index.ts'
import { nameOfSetting, openSectionFile, type Settings, secretSettings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import type { ComposeInput, InstanceKeys } from './instance.ts'
import { planOwnAddress } from './net.ts'

export interface OpenAuthDeps extends Pick<AuthDeps, 'sql' | 'now' | 'newId'> {
  readonly inbox: Inbox
  readonly keys: InstanceKeys
  readonly places: ComposeInput['places']
  readonly log: NonNullable<AuthDeps['log']>
  readonly rotation: KeyRotation
  readonly useSecrets: ComposeInput['useSecrets']
}

/** Auth with what it takes from the instance: its keys, its address, who delivers mails and text messages. */
export async function openAuth(all: Settings, addresses: Addresses, deps: OpenAuthDeps) {
  const { auth, mail, instance } = all
  const { apiUrl } = addresses
  const { inbox, keys } = deps
  const { production } = instance
  const own = planOwnAddress(all, addresses)
  const settled = (configured: Settings['auth']) =>
    withOwnHooks(authSettingsOf(configured, { production, apiUrl }), own)
  const settings = settled(auth)
  deps.useSecrets({ secrets: authSecrets, check: async (next) => checkAuthSecrets(settled(next.auth)) })
  const codeKeys = derivedOf(keys.roots, 'one-time codes', (key) => key)
  const keyUses = createKeyUses({ ...deps, keys: keys.api })
  return {
    settings,
    /** Pages of the application. */
    pages: [settings.siteUrl, ...settings.additionalRedirectUrls],
    /** What the console shows of the keys. */
    shown: { keys: keys.tokens, apiKeys: keys.api, keyUses, rotation: deps.rotation },
    keyUses,
    auth: createAuth({
      ...deps,
      places: deps.places.auth ?? {},
      mail: createMailer(inbox, mail, deps),
      keys: keys.tokens,
      codeKeys: () => codeKeys().map(({ value }) => value),
      settings,
      textFolder: instance.project ?? '.',
      settingsFile: production || instance.project === null ? null : openSectionFile(instance.project, 'auth'),
      // Where no provider delivers text messages, a local instance shows them in its inbox.
      ...planSmsDelivery(settings, production ? null : (phone, text) => inbox.send(textMessage(phone, text))),
    }),
    issuers: await openTrustedIssuers({ ...deps, settings }),
  }
}

/** The secrets of hooks, providers, text messages and single sign-on. */
const authSecrets = secretSettings.filter(({ section }) => section === 'auth').map(nameOfSetting)

type AuthSettings = ReturnType<typeof authSettingsOf>

/** Hooks that name the instance's own functions, by a path or as seen from a container, lead to where it listens. */
function withOwnHooks(settings: AuthSettings, own: OwnAddress): AuthSettings {
  const hooks = Object.entries(settings).flatMap(([name, value]) => {
    const url = /^hook\w+Uri$/.test(name) && typeof value === 'string' ? findOwnUrl(value, own, []) : undefined
    return url === undefined ? [] : [[name, url.href] as const]
  })
  const changes: object = Object.fromEntries(hooks)
  return withValues(settings, changes)
}
