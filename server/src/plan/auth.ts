import { createMailer } from '../engines/mail/index.ts'
import { deriveKey } from '../ground/ids/derive-key.ts'
import {
  type AuthDeps,
  authSettingsOf,
  createAuth,
  openTrustedIssuers,
  planSmsDelivery,
} from '../services/auth/index.ts'
import { type Inbox, textMessage } from '../services/inbox/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Addresses } from './addresses.ts'
import type { InstanceKeys } from './instance.ts'

export interface OpenAuthDeps extends Pick<AuthDeps, 'sql' | 'now' | 'newId'> {
  readonly inbox: Inbox
  readonly keys: InstanceKeys
  readonly log: NonNullable<AuthDeps['log']>
}

/** Auth with what it takes from the instance: its keys, its address, who delivers mails and text messages. */
export async function openAuth({ auth, mail, instance }: Settings, { apiUrl }: Addresses, deps: OpenAuthDeps) {
  const { inbox, keys } = deps
  const { production } = instance
  const settings = authSettingsOf(auth, { production, apiUrl })
  return {
    settings,
    auth: createAuth({
      ...deps,
      mail: createMailer(inbox, mail, deps),
      keys: keys.tokens,
      codeKey: deriveKey(keys.pepper, 'one-time codes'),
      settings,
      textFolder: instance.project ?? '.',
      // Where no provider delivers text messages, a local instance shows them in its inbox.
      ...planSmsDelivery(settings, production ? null : (phone, text) => inbox.send(textMessage(phone, text))),
    }),
    issuers: await openTrustedIssuers({ ...deps, settings }),
  }
}
