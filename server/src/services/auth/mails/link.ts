import type { RequestContext } from '../model/call.ts'
import { type LinkMailKind, linkTypes } from './kinds.ts'
import { percentEncode } from './percent.ts'

/** The settings that links are made from. */
export interface LinkSettings {
  readonly externalUrl: string
  readonly emailUrlPathConfirmation: string | null
  readonly emailUrlPathInvite: string | null
  readonly emailUrlPathRecovery: string | null
  readonly emailUrlPathEmailChange: string | null
}

/** The hosts by which a caller may have reached the service. */
export interface HostSettings {
  readonly externalUrl: string
  readonly emailExternalHosts: readonly string[]
}

const pathSettings = {
  confirmation: 'emailUrlPathConfirmation',
  invite: 'emailUrlPathInvite',
  magic_link: 'emailUrlPathRecovery',
  recovery: 'emailUrlPathRecovery',
  email_change: 'emailUrlPathEmailChange',
} as const

/**
 * Where the link in a mail leads: to `/verify`, which consumes the token and sends the browser on. A configured path takes
 * the place of the external URL's own (auth §22).
 */
export function planLink(settings: LinkSettings, kind: LinkMailKind, tokenHash: string, redirectTo: string): string {
  const path = settings[pathSettings[kind]]
  const base =
    path === null ? `${settings.externalUrl}/verify` : new URL(path, settings.externalUrl).href.split(/[?#]/)[0]
  const token = encodeURIComponent(tokenHash)
  return `${base}?token=${token}&type=${linkTypes[kind]}&redirect_to=${encodeRedirect(redirectTo)}`
}

/**
 * The external URL by which the caller reached the service: another host only where the settings list it, since a caller
 * chooses `X-Forwarded-Host` (auth §22, §35.16).
 */
export function externalUrlFor(
  { externalUrl, emailExternalHosts }: HostSettings,
  headers: RequestContext['headers'],
): string {
  const { 'x-forwarded-host': host, 'x-forwarded-proto': proto } = headers
  if (typeof host !== 'string' || !emailExternalHosts.includes(host)) return externalUrl
  const url = new URL(externalUrl)
  return `${proto === 'http' ? 'http' : 'https'}://${host}${url.pathname.replace(/\/+$/, '')}`
}

/** Taken as it is unless it would be cut short: a redirect with a query of its own is one parameter (auth §22). */
function encodeRedirect(redirectTo: string): string {
  if (/[&=#]/.test(redirectTo)) return percentEncode(redirectTo)
  return redirectTo.replaceAll(/[^\w%$!'()*,\-./:;?@[\]~]/gu, percentEncode)
}
