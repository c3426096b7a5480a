import type { HookEmail, Hooks } from '../hooks/hooks.ts'
import type { AddressSettings } from '../http/settings.ts'
import { renderUser } from '../render/user.ts'
import type { DeliverLetter } from './deliver-letter.ts'
import { type CodeMailKind, linkTypes } from './kinds.ts'
import type { Letter } from './letter.ts'
import { externalUrlFor } from './link.ts'
import type { MailSettings } from './settings.ts'

/** Makes what hands letters to a project's own hook instead of a mail server (auth §27). */
export function createHookDelivery(
  send: NonNullable<Hooks['sendEmail']>,
  settings: Pick<AddressSettings, 'externalUrl'> & Pick<MailSettings, 'emailExternalHosts'>,
): DeliverLetter {
  return (letter, place) =>
    send(renderUser(letter.user), renderHookEmail(letter, externalUrlFor(settings, place.context.headers)), place)
}

/** A letter as the hook receives it. */
export function renderHookEmail(letter: Letter, externalUrl: string): HookEmail {
  const nothing = {
    token: '',
    token_hash: '',
    redirect_to: '',
    site_url: externalUrl,
    token_new: '',
    token_hash_new: '',
    old_email: '',
    old_phone: '',
    provider: '',
    factor_type: '',
  }
  if (!('sides' in letter)) {
    const { oldEmail = '', oldPhone = '', provider = '', factorType = '' } = letter.happening
    const happening = { old_email: oldEmail, old_phone: oldPhone, provider, factor_type: factorType }
    return { ...nothing, ...happening, email_action_type: letter.kind }
  }
  const { sides, kind, redirectTo } = letter
  const [first, current] = sides
  const common = { ...nothing, redirect_to: redirectTo, email_action_type: actionOf(kind) }
  if (current === undefined) return { ...common, token: first.token, token_hash: first.tokenHash }
  // Crossed over, as the protocol has it: each `token` pairs with the other one's hash (auth §27).
  const codes = { token: current.token, token_hash: first.tokenHash }
  return { ...common, ...codes, token_new: first.token, token_hash_new: current.tokenHash }
}

const actionOf = (kind: CodeMailKind): string => linkTypes[kind] ?? kind
