// A name or an IPv4 address, all its subdomains by a leading `*.`, any port by `*`: what a content policy can name.
const origin = /^https?:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?:\d+|\*))?(?=[/?#]|$)/i

/** The origin that an address or a glob begins with, as a Content-Security-Policy names it; undefined where there is none. */
export const findPolicyOrigin = (address: string): string | undefined => origin.exec(address)?.[0]

/** Whether a text is such an origin and nothing else. */
export const isPolicyOrigin = (text: string): boolean => findPolicyOrigin(text) === text

/** Whether an `Origin` header's origin is one that a policy's origin names. */
export function matchesPolicyOrigin(origin: string, pattern: string): boolean {
  const parts = (text: string): readonly string[] =>
    /^(https?):\/\/(.*?)(?::(\d+|\*))?$/i.exec(text.toLowerCase()) ?? []
  const [, scheme, host = '', port = ''] = parts(origin)
  const [, wantedScheme, wantedHost = '', wantedPort = ''] = parts(pattern)
  if (scheme === undefined || scheme !== wantedScheme) return false
  if (wantedPort !== '*' && standard(scheme, port) !== standard(scheme, wantedPort)) return false
  return wantedHost.startsWith('*.') ? host.endsWith(wantedHost.slice(1)) : host === wantedHost
}

const standard = (scheme: string, port: string): string => port || (scheme === 'https' ? '443' : '80')

/** Whether a host name can only mean this machine: browsers look up `localhost` and names below it nowhere. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
